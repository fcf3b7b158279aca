//! Saved state: what a session holds, as one line of versioned JSON.

mod reading;
mod writing;

use crate::error::{ErrorCode, ToolError};
use crate::input;
use crate::json::literal::{self, Value};
use crate::list::{List, MAX_ID};
use crate::policy::Policy;
use crate::reminder::Clock;
use crate::text::{first, is_blank, is_tidy};

/// The version that this crate writes and reads.
const VERSION: u32 = 1;

/// Everything that a session holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// How the session behaves.
    pub policy: Policy,
    /// The items, and the ids that are used up.
    pub list: List,
    /// The counters.
    pub clock: Clock,
}

impl State {
    /// The state as one line.
    pub fn save(&self) -> String {
        writing::text(self)
    }

    /// Reads what [`State::save`] wrote.
    pub fn load(text: &str) -> Result<State, ToolError> {
        let state = reading::state(text).ok_or_else(|| refuse(&misfit(text)))?;
        match state.fault() {
            None => Ok(state),
            Some(fault) => Err(refuse(fault)),
        }
    }

    /// What in this state no session can have come to, if anything.
    fn fault(&self) -> Option<&'static str> {
        let is_line = |text: &str| !is_blank(text) && is_tidy(text);
        let is_item = |todo: &crate::Todo| {
            is_line(&todo.id)
                && first(&todo.id, MAX_ID).len() == todo.id.len()
                && is_line(&todo.content)
                && todo.description.as_deref().is_none_or(is_line)
        };
        if self.policy.check().is_err() {
            Some("a policy field is out of its range")
        } else if !self.list.todos().iter().all(is_item) {
            Some("an item is not as this component keeps it")
        } else if !self.list.is_sound() {
            Some("the ids do not fit together")
        } else if !self.clock.is_sound() {
            Some("the counters do not fit together")
        } else {
            None
        }
    }
}

/// Why a text could not be read as a state.
#[cold]
fn misfit(text: &str) -> String {
    let Ok(parsed) = literal::parse(text) else {
        return "it is not JSON".to_owned();
    };
    match parsed.root().get("agent_todo") {
        Some(Value::Number("1")) => "its fields are others".to_owned(),
        Some(version) => {
            let found = input::found(version);
            format!("its version is {found}, legal is {VERSION}")
        }
        None => "it has no \"agent_todo\", the version".to_owned(),
    }
}

#[cold]
fn refuse(fault: &str) -> ToolError {
    let problem = format!("not a text that save-state wrote: {fault}");
    ToolError::new(
        ErrorCode::InvalidState,
        &problem,
        "The session is unchanged.",
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Session;

    fn session() -> Session {
        let mut session = Session::default();
        let policy = Policy {
            tool_set: crate::ToolSet::Both,
            remind_after: 1,
            ..Policy::default()
        };
        session.configure(policy).unwrap();
        session
            .call_tool(
                "TaskCreate",
                r#"{"subject":"a","description":"日本\n\"x\""}"#,
            )
            .unwrap();
        session
            .call_tool("TaskCreate", r#"{"subject":"b"}"#)
            .unwrap();
        session
            .call_tool("TaskUpdate", r#"{"taskId":"1","status":"deleted"}"#)
            .unwrap();
        session.on_request();
        session.pending_history_appends().unwrap();
        session
    }

    #[test]
    fn a_loaded_state_saves_as_the_same_line() {
        let saved = session().save_state();
        assert!(!saved.contains('\n'));
        let mut loaded = Session::default();
        loaded.load_state(&saved).unwrap();
        assert_eq!(loaded.save_state(), saved);
    }

    #[test]
    fn a_state_that_a_database_sorted_and_spaced_is_loaded_all_the_same() {
        let saved = session().save_state();
        let value: serde_json::Value = serde_json::from_str(&saved).unwrap();
        let sorted = serde_json::to_string_pretty(&value).unwrap();
        assert!(sorted.find("clock") < sorted.find("policy"));
        let mut loaded = Session::default();
        loaded.load_state(&sorted).unwrap();
        assert_eq!(loaded.save_state(), saved);
    }

    #[test]
    fn a_text_that_no_session_saved_is_refused_and_nothing_changes() {
        let mut session = session();
        let saved = session.save_state();
        for (from, to) in [
            (r#""agent_todo":1"#, r#""agent_todo":2"#),
            (r#"["2","b","#, r#"["2"," ","#),
            (r#"["2","b","#, r#"["2","b\n","#),
            (r#"["2","b","#, r#"["9","b","#),
            (r#"["2","b","#, r#"["","b","#),
            (r#"["2","b","#, r#"["2","#),
            (r#""b","pending"]"#, r#""b"]"#),
            (r#""b","pending"]"#, r#""b","pending",null]"#),
            (r#""b","pending"]"#, r#""b","pending","d","e"]"#),
            (r#""b","pending"]"#, r#""b","blocked"]"#),
            (r#""remind":true"#, r#""remind":true,"remind":true"#),
            (r#""remind":true,"#, ""),
            (r#""remind_after":1"#, r#""remind_after":01"#),
            (r#""tool_set":"both""#, r#""tool_set":"all""#),
            (r#""deleted":[[1,1]]"#, r#""deleted":[[1]]"#),
            (r#""max_todos":100"#, r#""max_todos":0"#),
            (r#""since_write":1"#, r#""since_write":-1"#),
            (r#""since_reminder":0"#, r#""since_reminder":null"#),
            (r#""policy":"#, r#""extra":1,"policy":"#),
            (r#""deleted":[[1,1]]"#, r#""deleted":[[2,1]]"#),
            ("}}", "}} x"),
            ("}}", "}"),
        ] {
            let forged = saved.replacen(from, to, 1);
            assert_ne!(forged, saved, "{from} stands in {saved}");
            let refused = session.load_state(&forged).unwrap_err();
            assert_eq!(refused.code, ErrorCode::InvalidState, "{forged}");
            assert!(
                refused.message.starts_with("Error: "),
                "{}",
                refused.message
            );
            assert_eq!(session.save_state(), saved);
        }
        for text in ["", "null", "{}", "[]", "not json", r#"{"agent_todo":1}"#] {
            assert!(session.load_state(text).is_err(), "{text}");
        }
    }
}
