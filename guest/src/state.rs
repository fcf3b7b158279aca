//! Saved state: what a session holds, as one line of versioned JSON.

use crate::error::{ErrorCode, ToolError};
use crate::input;
use crate::json::literal::{self, Value};
use crate::list::{List, MAX_ID};
use crate::policy::Policy;
use crate::reminder::Clock;
use crate::text::{is_blank, tidy};
use crate::typed::typed;
use serde::{Deserialize, Serialize};

/// The version that this crate writes and reads.
const VERSION: u32 = 1;

/// Everything that a session holds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct State {
    /// How the session behaves.
    pub policy: Policy,
    /// The items, and the ids that are used up.
    pub list: List,
    /// The counters.
    pub clock: Clock,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Saved<S> {
    agent_todo: u32,
    state: S,
}

impl State {
    /// The state as one line.
    pub fn save(&self) -> String {
        // Writing plain structs into a string has nothing to fail on.
        serde_json::to_string(&Saved {
            agent_todo: VERSION,
            state: self,
        })
        .unwrap_or_default()
    }

    /// Reads what [`State::save`] wrote.
    pub fn load(text: &str) -> Result<State, ToolError> {
        let value = literal::parse(text).map_err(|_| refuse("it is not JSON"))?;
        match value.get("agent_todo") {
            Some(Value::Number("1")) => {}
            Some(version) => {
                let found = format!(
                    "its version is {}, legal is {VERSION}",
                    input::found(version)
                );
                return Err(refuse(&found));
            }
            None => return Err(refuse("it has no \"agent_todo\", the version")),
        }
        let saved: Saved<State> = typed(&value).map_err(|_| refuse("its fields are others"))?;
        match saved.state.fault() {
            None => Ok(saved.state),
            Some(fault) => Err(refuse(fault)),
        }
    }

    /// What in this state no session can have come to, if anything.
    fn fault(&self) -> Option<&'static str> {
        let is_line = |text: &str| !is_blank(text) && tidy(text) == text;
        let is_item = |todo: &crate::Todo| {
            is_line(&todo.id)
                && todo.id.chars().count() <= MAX_ID
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
    fn a_text_that_no_session_saved_is_refused_and_nothing_changes() {
        let mut session = session();
        let saved = session.save_state();
        for (from, to) in [
            (r#""agent_todo":1"#, r#""agent_todo":2"#),
            (r#""content":"b""#, r#""content":" ""#),
            (r#""content":"b""#, r#""content":"b\n""#),
            (r#""id":"2""#, r#""id":"9""#),
            (r#""id":"2""#, r#""id":""#),
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
