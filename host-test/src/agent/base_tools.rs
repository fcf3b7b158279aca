//! The tools of the host itself: files inside one working folder and, only if
//! asked for, a shell.

use std::fs;
use std::io::Read;
use std::path::{Component, Path, PathBuf};

use serde_json::{Value, json};

use super::history::Tool;
use super::item::ToolCall;
use super::shell;
use crate::Error;

/// The longest text that a tool gives the model, in bytes.
const MAX_TEXT: usize = 64 * 1024;
/// The most entries that a listing names.
const MAX_ENTRIES: usize = 1000;

/// The base tools over one working folder.
#[derive(Debug)]
pub struct BaseTools {
    root: PathBuf,
    histories: Option<PathBuf>,
    shell: bool,
}

impl BaseTools {
    /// Tools over `root`. They leave the files of the folder `histories` alone,
    /// also where it lies inside `root`.
    ///
    /// # Errors
    ///
    /// When `root` is no folder.
    pub fn new(root: &Path, histories: Option<&Path>, shell: bool) -> Result<Self, Error> {
        let fail = |error| Error::Agent(format!("the working folder {}: {error}", root.display()));
        let root = root.canonicalize().map_err(fail)?;
        if !root.is_dir() {
            return Err(Error::Agent(format!(
                "the working folder {} is not a folder",
                root.display()
            )));
        }
        let histories = histories.and_then(|path| path.canonicalize().ok());
        Ok(Self {
            root,
            histories,
            shell,
        })
    }

    /// The working folder.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// What the model is told of them.
    #[must_use]
    pub fn tools(&self) -> Vec<Tool> {
        let tool = |name: &str, description: &str, input_schema| Tool {
            name: name.to_owned(),
            description: description.to_owned(),
            input_schema,
        };
        let mut tools = vec![
            tool(
                "read_file",
                "Reads a text file of the working folder. Long files come in pieces of 64 KiB.",
                schema(&[
                    ("path", "string", "Relative to the working folder"),
                    ("offset", "integer", "Bytes to skip; 0 for the beginning"),
                ]),
            ),
            tool(
                "write_file",
                "Writes a text file of the working folder, in place of what was there.",
                schema(&[
                    ("path", "string", "Relative to the working folder"),
                    ("content", "string", "The whole text"),
                ]),
            ),
            tool(
                "list_files",
                "Lists one folder inside the working folder. Folders end with a slash.",
                schema(&[(
                    "path",
                    "string",
                    "Relative to the working folder; . for itself",
                )]),
            ),
        ];
        if self.shell {
            tools.push(tool(
                "shell",
                "Runs a command with sh in the working folder, for at most 2 minutes.",
                schema(&[("command", "string", "The command")]),
            ));
        }
        tools
    }

    /// Runs a call, or gives `None` when it is for none of these tools.
    pub fn call(&self, call: &ToolCall) -> Option<Result<String, String>> {
        Some(match call.name.as_str() {
            "read_file" => self.read(&call.input),
            "write_file" => self.write(&call.input),
            "list_files" => self.list(&call.input),
            "shell" if self.shell => {
                text(&call.input, "command").and_then(|command| shell::run(command, &self.root))
            }
            "shell" => Err("The shell is off in this run.".to_owned()),
            _ => return None,
        })
    }

    /// Whether a call that may have run already must not simply run again.
    #[must_use]
    pub fn runs_once(call: &ToolCall) -> bool {
        call.name == "shell"
    }

    fn read(&self, input: &Value) -> Result<String, String> {
        let name = text(input, "path").or_else(|_| text(input, "file_path"))?;
        let path = self.inside(name)?;
        let fail = |error: std::io::Error| format!("{name}: {error}");
        let file = fs::File::open(path).map_err(fail)?;
        // A pipe or a device would block, or never end.
        let length = file
            .metadata()
            .map_err(fail)
            .and_then(|data| match data.is_file() {
                true => Ok(data.len()),
                false => Err(format!("{name} is not a file")),
            })?;
        let offset = input.get("offset").and_then(Value::as_u64).unwrap_or(0);
        let mut bytes = Vec::new();
        std::io::Seek::seek(&mut &file, std::io::SeekFrom::Start(offset)).map_err(fail)?;
        (&file)
            .take(MAX_TEXT as u64)
            .read_to_end(&mut bytes)
            .map_err(fail)?;
        let read = offset + bytes.len() as u64;
        let mut text = as_text(bytes).ok_or_else(|| format!("{name} is not a text file"))?;
        if read < length {
            let next = offset + text.len() as u64;
            text.push_str(&format!(
                "\n[{} of {length} bytes; go on with offset {next}]",
                next
            ));
        }
        if text.is_empty() {
            text.push_str("[the file is empty]");
        }
        Ok(text)
    }

    fn write(&self, input: &Value) -> Result<String, String> {
        let name = text(input, "path").or_else(|_| text(input, "file_path"))?;
        let content = text(input, "content")?;
        let path = self.inside(name)?;
        let fail = |error: std::io::Error| format!("{name}: {error}");
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(fail)?;
        }
        if path.exists() && !path.is_file() {
            return Err(format!("{name} is not a file"));
        }
        fs::write(&path, content).map_err(fail)?;
        // The same for a new and a replaced file: the call may run again after
        // a stop, and must then give the same text.
        Ok(format!("Wrote {} bytes to {name}", content.len()))
    }

    fn list(&self, input: &Value) -> Result<String, String> {
        let name = text(input, "path").unwrap_or(".");
        let fail = |error: std::io::Error| format!("{name}: {error}");
        let mut names = Vec::new();
        for entry in fs::read_dir(self.inside(name)?).map_err(fail)? {
            let entry = entry.map_err(fail)?;
            let slash = if entry.file_type().map_err(fail)?.is_dir() {
                "/"
            } else {
                ""
            };
            names.push(format!("{}{slash}", entry.file_name().to_string_lossy()));
        }
        names.sort();
        let more = names.len().saturating_sub(MAX_ENTRIES);
        names.truncate(MAX_ENTRIES);
        if more > 0 {
            names.push(format!("[and {more} more]"));
        }
        if names.is_empty() {
            names.push("[the folder is empty]".to_owned());
        }
        Ok(names.join("\n"))
    }

    /// The place of a name inside the working folder. Links are followed as
    /// far as the path exists, so that none leads outside.
    fn inside(&self, name: &str) -> Result<PathBuf, String> {
        let outside = || format!("{name} is outside the working folder");
        let relative = Path::new(name)
            .strip_prefix(&self.root)
            .unwrap_or(Path::new(name));
        let mut place = self.root.clone();
        for component in relative.components() {
            match component {
                Component::CurDir => continue,
                Component::Normal(part) => place.push(part),
                _ => return Err(outside()),
            }
            // Also for a link that leads nowhere: writing would create its target.
            if place.symlink_metadata().is_ok() {
                place = place
                    .canonicalize()
                    .map_err(|error| format!("{name}: {error}"))?;
            }
            if !place.starts_with(&self.root) {
                return Err(outside());
            }
        }
        if self.is_history(&place) {
            return Err(format!("{name} belongs to the host"));
        }
        Ok(place)
    }

    /// Whether a place is a file of the histories: a model must not rewrite
    /// what it said.
    fn is_history(&self, place: &Path) -> bool {
        let ours = |extension| {
            ["jsonl", "torn", "draft"]
                .iter()
                .any(|known| extension == *known)
        };
        place.parent() == self.histories.as_deref() && place.extension().is_some_and(ours)
    }
}

fn schema(fields: &[(&str, &str, &str)]) -> Value {
    let properties: serde_json::Map<String, Value> = fields
        .iter()
        .map(|(name, kind, description)| {
            (
                (*name).to_owned(),
                json!({"type": kind, "description": description}),
            )
        })
        .collect();
    let required: Vec<&str> = fields.iter().map(|(name, ..)| *name).collect();
    json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
}

fn text<'a>(input: &'a Value, field: &str) -> Result<&'a str, String> {
    let found = input
        .get(field)
        .ok_or_else(|| format!("the field \"{field}\" is missing"))?;
    found
        .as_str()
        .ok_or_else(|| format!("\"{field}\": expected a string, found {found}"))
}

/// Bytes as text; a character that the end cuts off is left for the next piece.
fn as_text(mut bytes: Vec<u8>) -> Option<String> {
    if let Err(error) = std::str::from_utf8(&bytes) {
        let cut_off = error.error_len().is_none() && error.valid_up_to() > 0;
        if !cut_off {
            return None;
        }
        bytes.truncate(error.valid_up_to());
    }
    String::from_utf8(bytes).ok()
}
