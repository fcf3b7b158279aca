//! The history file: append-only JSON Lines, one file a session.
//!
//! The first line is the [`Head`]; every other line is an [`Item`]. A line is
//! on the disk before the model sees it. One process at a time writes: the
//! open file is locked, and the lock goes with the process, however it ends.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::item::Item;
use crate::{Error, Policy};

/// Version of the file format.
const VERSION: u32 = 1;

/// What a session was begun with. It never changes: together with the items
/// it is all that a request is made of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Head {
    /// Version of the format, 1.
    pub version: u32,
    /// The name of the session, also of its file.
    pub id: String,
    /// The session whose compaction began this one.
    pub parent: Option<String>,
    /// How many compactions lie before it.
    pub generation: usize,
    /// Responses of the model in the sessions before it, summaries aside.
    pub responses_before: usize,
    /// The working folder.
    pub workdir: PathBuf,
    /// The system prompt.
    pub system: String,
    /// The tools that the model may call.
    pub tools: Vec<Tool>,
    /// The plugin's policy.
    pub policy: Policy,
}

/// A tool as the model is told of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tool {
    /// The name that the model calls.
    pub name: String,
    /// What it does.
    pub description: String,
    /// JSON Schema of its input.
    pub input_schema: Value,
}

impl Head {
    /// The head of a session that has no parent.
    #[must_use]
    pub fn new(id: &str, workdir: &Path, system: String, tools: Vec<Tool>, policy: Policy) -> Self {
        Self {
            version: VERSION,
            id: id.to_owned(),
            parent: None,
            generation: 0,
            responses_before: 0,
            workdir: workdir.to_owned(),
            system,
            tools,
            policy,
        }
    }
}

/// The head's line. Its only key is one that no history shape uses, so
/// `restore` skips it.
#[derive(Serialize, Deserialize)]
struct HeadLine<H> {
    session: H,
}

/// An open history, and all that it holds.
#[derive(Debug)]
pub struct History {
    file: File,
    /// Bytes of complete lines.
    length: u64,
    path: PathBuf,
    head: Head,
    items: Vec<Item>,
}

impl History {
    /// Begins a file with its head and first items: all of them or, if the
    /// process stops, no file.
    ///
    /// # Errors
    ///
    /// When the file exists or can't be written.
    pub fn create(path: &Path, head: Head, items: Vec<Item>) -> Result<Self, Error> {
        let fail = |what| move |error| failed(path, what, &error);
        if path.exists() {
            return Err(Error::history(
                path,
                "there is a session of this name already",
            ));
        }
        let folder = path.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(folder).map_err(fail("create its folder"))?;
        let draft = path.with_extension(format!("{}.draft", std::process::id()));
        let mut file = private_file()
            .create(true)
            .truncate(true)
            .open(&draft)
            .map_err(fail("create"))?;
        lock(&file, path)?;
        let mut text = line(&HeadLine { session: &head })?;
        text.push_str(&lines(&items)?);
        file.write_all(text.as_bytes())
            .and_then(|()| file.sync_all())
            .map_err(fail("write"))?;
        fs::rename(&draft, path).map_err(fail("name"))?;
        sync_folder(folder).map_err(fail("write the folder of"))?;
        Ok(Self {
            file,
            length: text.len() as u64,
            path: path.to_owned(),
            head,
            items,
        })
    }

    /// Opens a file to go on with it. A last line that was cut off is taken
    /// out and kept beside the file, in `….torn`; the second value says so.
    ///
    /// # Errors
    ///
    /// When another process has it open, when it can't be read, and when a
    /// line other than the last is not one of a history.
    pub fn open(path: &Path) -> Result<(Self, Option<String>), Error> {
        let fail = |what| move |error| failed(path, what, &error);
        let mut file = private_file().read(true).open(path).map_err(fail("open"))?;
        lock(&file, path)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(fail("read"))?;
        let (mut whole, torn) = split_torn(&bytes);
        let mut message = None;
        if torn.is_empty() {
            // Nothing to repair.
        } else if serde_json::from_slice::<Item>(torn).is_ok() {
            // Only the line break is missing.
            whole = &bytes;
            file.seek(SeekFrom::End(0))
                .and_then(|_| file.write_all(b"\n"))
                .map_err(fail("repair"))?;
        } else {
            let kept = path.with_extension("torn");
            let mut keep = private_file()
                .append(true)
                .create(true)
                .open(&kept)
                .map_err(fail("repair"))?;
            keep.write_all(torn)
                .and_then(|()| keep.sync_data())
                .map_err(fail("repair"))?;
            file.set_len(whole.len() as u64)
                .and_then(|()| file.sync_data())
                .map_err(fail("repair"))?;
            message = Some(format!(
                "{}: the last line was cut off; its {} bytes are kept in {}, and the session goes on before it",
                path.display(),
                torn.len(),
                kept.display()
            ));
        }
        let length = file.seek(SeekFrom::End(0)).map_err(fail("read"))?;
        let (head, items) = parse(path, whole)?;
        Ok((
            Self {
                file,
                length,
                path: path.to_owned(),
                head,
                items,
            },
            message,
        ))
    }

    /// Adds items, on the disk before it returns.
    ///
    /// # Errors
    ///
    /// When the disk refuses. What is in memory is then as before, and what
    /// reached the file is taken back as far as the disk allows.
    pub fn append(&mut self, items: Vec<Item>) -> Result<(), Error> {
        let text = lines(&items)?;
        if let Err(error) = self
            .file
            .write_all(text.as_bytes())
            .and_then(|()| self.file.sync_data())
        {
            // If this fails too, the next open repairs the torn line.
            let _ = self
                .file
                .set_len(self.length)
                .and_then(|()| self.file.seek(SeekFrom::Start(self.length)));
            return Err(failed(&self.path, "write", &error));
        }
        self.length += text.len() as u64;
        self.items.extend(items);
        Ok(())
    }

    /// What the session was begun with.
    #[must_use]
    pub fn head(&self) -> &Head {
        &self.head
    }

    /// Everything that was said.
    #[must_use]
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for History {
    /// Closing would do, but for a child process that is just being started and
    /// holds a copy of the open file for a moment.
    fn drop(&mut self) {
        let _ = self.file.unlock();
    }
}

/// Reads a history without opening it for writing, so that a session that runs
/// can be looked at. A line that is being written is left out.
///
/// # Errors
///
/// When it can't be read, or a complete line is not one of a history.
pub fn read(path: &Path) -> Result<(Head, Vec<Item>), Error> {
    let bytes = fs::read(path).map_err(|error| failed(path, "read", &error))?;
    parse(path, split_torn(&bytes).0)
}

/// Reads what a session was begun with.
///
/// # Errors
///
/// When the file can't be read or is not a history.
pub fn head(path: &Path) -> Result<Head, Error> {
    let mut first = String::new();
    let read = File::open(path).and_then(|file| BufReader::new(file).read_line(&mut first));
    read.map_err(|error| failed(path, "read", &error))?;
    Ok(parse(path, first.as_bytes())?.0)
}

/// Items as the lines of a file.
///
/// # Errors
///
/// When one can't be written as JSON.
pub fn lines(items: &[Item]) -> Result<String, Error> {
    items.iter().map(line).collect()
}

fn line(value: &impl Serialize) -> Result<String, Error> {
    let mut text = serde_json::to_string(value)
        .map_err(|error| Error::Agent(format!("a history line: {error}")))?;
    text.push('\n');
    Ok(text)
}

/// The complete lines, and what stands after the last line break.
fn split_torn(bytes: &[u8]) -> (&[u8], &[u8]) {
    let end = bytes
        .iter()
        .rposition(|&byte| byte == b'\n')
        .map_or(0, |at| at + 1);
    bytes.split_at(end)
}

fn parse(path: &Path, bytes: &[u8]) -> Result<(Head, Vec<Item>), Error> {
    let mut lines = bytes
        .split(|&byte| byte == b'\n')
        .enumerate()
        .filter(|(_, line)| !line.is_empty());
    let at = |number: usize, error: serde_json::Error| {
        Error::history(path, &format!("line {}: {error}", number + 1))
    };
    let Some((number, first)) = lines.next() else {
        return Err(Error::history(
            path,
            "it holds no complete line; expected a session",
        ));
    };
    let head: HeadLine<Head> = serde_json::from_slice(first).map_err(|error| at(number, error))?;
    if head.session.version != VERSION {
        let found = head.session.version;
        return Err(Error::history(
            path,
            &format!("format version {found}; this host reads {VERSION}"),
        ));
    }
    let items =
        lines.map(|(number, line)| serde_json::from_slice(line).map_err(|error| at(number, error)));
    Ok((head.session, items.collect::<Result<_, _>>()?))
}

fn lock(file: &File, path: &Path) -> Result<(), Error> {
    file.try_lock().map_err(|error| match error {
        TryLockError::WouldBlock => Error::history(path, "another process is writing this session"),
        TryLockError::Error(error) => failed(path, "lock", &error),
    })
}

/// A history holds whatever the model read: only its owner may look.
fn private_file() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// A new name lasts only when its folder is on the disk.
fn sync_folder(folder: &Path) -> std::io::Result<()> {
    if cfg!(unix) {
        File::open(folder)?.sync_all()
    } else {
        Ok(())
    }
}

fn failed(path: &Path, what: &str, error: &std::io::Error) -> Error {
    Error::history(path, &format!("can't {what} the session file: {error}"))
}
