//! The JavaScript package, with the component of this commit: its own tests, in
//! Node and in Chromium.

#![allow(clippy::expect_used)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use agent_todo_host::COMPONENT;

fn package() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("js")
}

/// Whether the installed packages are older than the lock file.
fn is_stale(package: &Path) -> bool {
    let modified = |name: &str| fs::metadata(package.join(name)).and_then(|file| file.modified());
    match (
        modified("node_modules/.package-lock.json"),
        modified("package-lock.json"),
    ) {
        (Ok(installed), Ok(locked)) => installed < locked,
        _ => true,
    }
}

fn npm(arguments: &[&str], component: &Path) {
    let status = Command::new("npm")
        .args(arguments)
        .current_dir(package())
        .env("AGENT_TODO_COMPONENT", component)
        .status()
        .expect("npm is on the path");
    assert!(
        status.success(),
        "`npm {}` in host-test/js: {status}",
        arguments.join(" ")
    );
}

#[test]
#[ignore = "needs Node 20, npm, and Chromium (Debian's package, or the one that CHROMIUM names)"]
fn the_javascript_package_passes_its_tests_in_node_and_in_chromium() {
    let component = Path::new(env!("CARGO_TARGET_TMPDIR")).join("agent-todo.wasm");
    fs::write(&component, COMPONENT).expect("the target folder can be written");
    if is_stale(&package()) {
        npm(&["ci"], &component);
    }
    npm(&["test"], &component);
}
