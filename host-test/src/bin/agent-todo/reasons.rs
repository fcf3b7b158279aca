//! The policy in words, and why a reminder came.

use agent_todo_host::{CounterValues, InProgressLimit, Policy, ToolSet};

use crate::totals::counted;

/// What the component does with a policy: its defaults filled in.
pub fn effective(policy: &Policy) -> agent_todo::Policy {
    let default = agent_todo::Policy::default();
    agent_todo::Policy {
        tool_set: policy.tool_set.map_or(default.tool_set, |set| match set {
            ToolSet::Todo => agent_todo::ToolSet::Todo,
            ToolSet::Task => agent_todo::ToolSet::Task,
            ToolSet::Both => agent_todo::ToolSet::Both,
        }),
        remind: policy.remind.unwrap_or(default.remind),
        remind_after: policy.remind_after.unwrap_or(default.remind_after),
        remind_cooldown: policy.remind_cooldown.unwrap_or(default.remind_cooldown),
        remind_once: policy.remind_once.unwrap_or(default.remind_once),
        in_progress_limit: policy
            .in_progress_limit
            .map_or(default.in_progress_limit, |limit| match limit {
                InProgressLimit::Allow => agent_todo::InProgressLimit::Allow,
                InProgressLimit::Note => agent_todo::InProgressLimit::Note,
                InProgressLimit::Refuse => agent_todo::InProgressLimit::Refuse,
            }),
        max_todos: policy.max_todos.unwrap_or(default.max_todos),
        max_content: policy.max_content.unwrap_or(default.max_content),
        max_input: policy.max_input.unwrap_or(default.max_input),
        adopt_snapshot: policy.adopt_snapshot.unwrap_or(default.adopt_snapshot),
    }
}

/// When reminders come, and the flags that say something else than the default.
pub fn policy_line(policy: &Policy) -> String {
    let with = effective(policy);
    let after = counted(with.remind_after.into(), "request");
    let mut words = vec![match (with.remind, with.remind_once) {
        (false, _) => "no reminders".to_owned(),
        (true, true) => format!("a reminder after {after} without a write, once until the next"),
        (true, false) => format!(
            "a reminder after {after} without a write, {} apart at the least",
            with.remind_cooldown
        ),
    }];
    let mut add = |name: &str, value: Option<String>| {
        words.extend(value.map(|value| format!("{name} {value}")));
    };
    add("tool-set", policy.tool_set.map(|_| word(&with.tool_set)));
    add(
        "in-progress-limit",
        policy
            .in_progress_limit
            .map(|_| word(&with.in_progress_limit)),
    );
    add("max-todos", policy.max_todos.map(|max| max.to_string()));
    add("max-content", policy.max_content.map(|max| max.to_string()));
    add("max-input", policy.max_input.map(|max| max.to_string()));
    if with.adopt_snapshot {
        words.push("adopt-snapshot".to_owned());
    }
    format!("Policy: {}", words.join(", "))
}

/// The word that a flag takes for a value.
fn word(value: &impl std::fmt::Debug) -> String {
    format!("{value:?}").to_lowercase()
}

/// The counters that made a reminder due.
pub fn why(counters: &CounterValues, policy: &Policy) -> String {
    let with = effective(policy);
    let written = format!(
        "{} since the last write (remind-after {})",
        counted(counters.requests_since_write.into(), "request"),
        with.remind_after
    );
    match counters.requests_since_reminder {
        None => format!("{written}, none before"),
        Some(_) if with.remind_once => format!("{written}, none since then (remind-once)"),
        Some(requests) => format!(
            "{written}, {requests} since the last one (cooldown {})",
            with.remind_cooldown
        ),
    }
}
