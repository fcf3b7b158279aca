//! The host's own tools stay inside their folder.

use std::fs;

use agent_todo_host::agent::base_tools::BaseTools;
use agent_todo_host::agent::item::ToolCall;
use serde_json::{Value, json};
use tempfile::TempDir;

struct Place {
    folder: TempDir,
    tools: BaseTools,
}

impl Place {
    /// A working folder `work` beside a folder `secret`.
    fn new(shell: bool) -> Self {
        let folder = TempDir::new().unwrap();
        let (work, secret) = (folder.path().join("work"), folder.path().join("secret"));
        fs::create_dir(&work).unwrap();
        fs::create_dir(&secret).unwrap();
        fs::write(secret.join("key"), "secret").unwrap();
        let tools = BaseTools::new(&work, None, shell).unwrap();
        Self { folder, tools }
    }

    fn call(&self, name: &str, input: Value) -> Result<String, String> {
        self.tools
            .call(&ToolCall {
                id: "a".into(),
                name: name.into(),
                input,
            })
            .unwrap()
    }

    fn write(&self, path: &str, content: &str) -> Result<String, String> {
        self.call("write_file", json!({"path": path, "content": content}))
    }

    fn read(&self, path: &str) -> Result<String, String> {
        self.call("read_file", json!({"path": path}))
    }
}

#[test]
fn a_file_that_was_written_can_be_read_and_is_listed() {
    let place = Place::new(false);
    assert_eq!(
        place.write("src/a.txt", "héllo"),
        Ok("Wrote 6 bytes to src/a.txt".into())
    );
    assert_eq!(place.read("./src/a.txt"), Ok("héllo".into()));
    assert_eq!(
        place.call("list_files", json!({"path": "."})),
        Ok("src/".into())
    );
    assert_eq!(
        place.call("list_files", json!({"path": "src"})),
        Ok("a.txt".into())
    );
    let absolute = place.tools.root().join("src/a.txt");
    assert_eq!(place.read(absolute.to_str().unwrap()), Ok("héllo".into()));
}

#[test]
fn writing_again_gives_the_same_answer() {
    let place = Place::new(false);
    assert_eq!(place.write("a", "x"), place.write("a", "x"));
}

#[test]
fn no_path_leads_out_of_the_folder() {
    let place = Place::new(false);
    let secret = place.folder.path().join("secret/key");
    for path in [
        "../secret/key",
        "a/../../secret/key",
        secret.to_str().unwrap(),
        "/etc/passwd",
        "..",
    ] {
        assert_eq!(
            place.read(path),
            Err(format!("{path} is outside the working folder"))
        );
        assert_eq!(
            place.write(path, "x"),
            Err(format!("{path} is outside the working folder"))
        );
    }
    assert_eq!(fs::read_to_string(secret).unwrap(), "secret");
}

#[cfg(unix)]
#[test]
fn no_link_leads_out_of_the_folder() {
    use std::os::unix::fs::symlink;
    let place = Place::new(false);
    let work = place.tools.root();
    symlink(place.folder.path().join("secret"), work.join("folder")).unwrap();
    symlink(
        place.folder.path().join("secret/new"),
        work.join("dangling"),
    )
    .unwrap();
    symlink("real", work.join("inner")).unwrap();
    fs::write(work.join("real"), "mine").unwrap();
    assert!(place.read("folder/key").is_err());
    assert!(place.write("folder/new", "x").is_err());
    assert!(place.write("dangling", "x").is_err());
    assert!(place.call("list_files", json!({"path": "folder"})).is_err());
    assert!(!place.folder.path().join("secret/new").exists());
    assert_eq!(place.read("inner"), Ok("mine".into()));
}

#[test]
fn the_histories_are_off_limits_also_inside_the_folder() {
    let place = Place::new(false);
    let sessions = place.tools.root().join("sessions");
    fs::create_dir(&sessions).unwrap();
    let tools = BaseTools::new(place.tools.root(), Some(&sessions), false).unwrap();
    let input = json!({"path": "sessions/s.jsonl", "content": "x"});
    let call = ToolCall {
        id: "a".into(),
        name: "write_file".into(),
        input,
    };
    assert_eq!(
        tools.call(&call),
        Some(Err("sessions/s.jsonl belongs to the host".into()))
    );
}

#[test]
fn a_long_file_comes_in_pieces_that_end_at_characters() {
    let place = Place::new(false);
    let text = "a".to_owned() + &"é".repeat(50_000);
    place.write("long", &text).unwrap();
    let first = place.read("long").unwrap();
    let (piece, rest) = first.split_once("\n[").unwrap();
    let offset: u64 = rest
        .rsplit(' ')
        .next()
        .unwrap()
        .trim_end_matches(']')
        .parse()
        .unwrap();
    let second = place
        .call("read_file", json!({"path": "long", "offset": offset}))
        .unwrap();
    assert_eq!(piece.to_owned() + &second, text);
}

#[test]
fn what_is_no_text_file_is_refused() {
    let place = Place::new(false);
    fs::write(place.tools.root().join("image"), [0x89, b'P', 0xff, 0xfe]).unwrap();
    fs::create_dir(place.tools.root().join("folder")).unwrap();
    assert_eq!(place.read("image"), Err("image is not a text file".into()));
    assert_eq!(place.read("folder"), Err("folder is not a file".into()));
    assert_eq!(
        place.write("folder", "x"),
        Err("folder is not a file".into())
    );
    assert!(place.read("missing").unwrap_err().starts_with("missing: "));
}

#[test]
fn an_input_that_lacks_a_field_says_which() {
    let place = Place::new(false);
    assert_eq!(
        place.call("write_file", json!({"path": "a"})),
        Err("the field \"content\" is missing".into())
    );
    assert_eq!(
        place.call("write_file", json!({"path": "a", "content": 1})),
        Err("\"content\": expected a string, found 1".into())
    );
    assert!(place.call("read_file", json!("{\"path\":")).is_err());
}

#[test]
fn the_shell_is_there_only_when_it_was_asked_for() {
    let off = Place::new(false);
    assert!(off.tools.tools().iter().all(|tool| tool.name != "shell"));
    assert_eq!(
        off.call("shell", json!({"command": "touch made"})),
        Err("The shell is off in this run.".into())
    );
    assert!(!off.tools.root().join("made").exists());
    let on = Place::new(true);
    assert!(on.tools.tools().iter().any(|tool| tool.name == "shell"));
}

#[cfg(unix)]
#[test]
fn a_command_gives_its_output_and_how_it_failed() {
    let place = Place::new(true);
    assert_eq!(
        place.call("shell", json!({"command": "pwd"})),
        Ok(place.tools.root().display().to_string())
    );
    assert_eq!(
        place.call("shell", json!({"command": "true"})),
        Ok("[no output]".into())
    );
    let failed = place.call(
        "shell",
        json!({"command": "echo out; echo err >&2; exit 3"}),
    );
    assert_eq!(failed, Err("out\nerr\n[exit status: 3]".into()));
    let long = place
        .call(
            "shell",
            json!({"command": "head -c 100000 /dev/zero | tr '\\0' a"}),
        )
        .unwrap();
    assert!(long.ends_with("\n[34464 more bytes]"), "{}", long.len());
}
