//! The shell: one command, bounded in time and output.

use std::io::{PipeReader, Read};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// The longest that a command may run.
const MAX_TIME: Duration = Duration::from_secs(120);
/// The longest output that is kept, in bytes.
const MAX_OUTPUT: u64 = 64 * 1024;

/// Runs a command with `sh` in a folder. Its output and error output come as
/// one text; the keys of model endpoints are not in its environment.
///
/// # Errors
///
/// What the model should know when the command failed or ran for too long.
pub fn run(command: &str, folder: &Path) -> Result<String, String> {
    let fail = |error: std::io::Error| format!("sh: {error}");
    let (output, input) = std::io::pipe().map_err(fail)?;
    let mut sh = Command::new("sh");
    sh.arg("-c").arg(command).current_dir(folder);
    sh.env_remove("OPENAI_API_KEY")
        .env_remove("ANTHROPIC_API_KEY");
    sh.stdin(Stdio::null())
        .stdout(input.try_clone().map_err(fail)?)
        .stderr(input);
    let mut child = sh.spawn().map_err(fail)?;
    // It holds the writing ends of the pipe, whose closing ends the reading.
    drop(sh);

    let (sender, read) = mpsc::channel();
    std::thread::spawn(move || sender.send(drain(output)));
    let status = wait(&mut child).map_err(fail)?;
    if status.is_none() {
        // What it began itself goes on: it shares the group of the host, so
        // that an interrupt from the keyboard reaches both.
        child.kill().and_then(|()| child.wait()).map_err(fail)?;
    }
    // A process in the background may hold the pipe open.
    let text = read
        .recv_timeout(Duration::from_secs(2))
        .unwrap_or_else(|_| "[output is still open]".to_owned());
    match status {
        Some(status) if status.success() => Ok(if text.is_empty() {
            "[no output]".to_owned()
        } else {
            text
        }),
        Some(status) => Err(format!("{text}\n[{status}]")),
        None => Err(format!("{text}\n[stopped after {} s]", MAX_TIME.as_secs())),
    }
}

/// Waits for the end; `None` when the time is over.
fn wait(child: &mut Child) -> std::io::Result<Option<ExitStatus>> {
    let end = Instant::now() + MAX_TIME;
    while Instant::now() < end {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    Ok(None)
}

/// The first bytes of the output; the rest is read and dropped, so that the
/// command does not wait for a reader.
fn drain(mut output: PipeReader) -> String {
    let mut kept = Vec::new();
    let _ = output.by_ref().take(MAX_OUTPUT).read_to_end(&mut kept);
    let dropped = std::io::copy(&mut output, &mut std::io::sink()).unwrap_or(0);
    let mut text = String::from_utf8_lossy(&kept).trim_end().to_owned();
    if dropped > 0 {
        text.push_str(&format!("\n[{dropped} more bytes]"));
    }
    text
}
