//! The Python package, with the component of this commit: its own tests and
//! checks, in a virtual environment of pinned versions.

#![allow(clippy::expect_used)]

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use agent_todo_host::COMPONENT;

/// A virtual environment in the target folder, kept from run to run.
struct Environment {
    folder: PathBuf,
    component: PathBuf,
}

impl Environment {
    /// Makes the environment anew when the pinned versions are others than those
    /// that it was made with.
    fn of(package: &Path) -> Self {
        let target = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let environment = Self {
            folder: target.join("python"),
            component: target.join("agent-todo-python.wasm"),
        };
        fs::write(&environment.component, COMPONENT).expect("the target folder can be written");

        let pins = fs::read(package.join("requirements-dev.txt")).expect("the pins can be read");
        let made_with = environment.folder.join("made-with.txt");
        if fs::read(&made_with).ok().as_ref() != Some(&pins) {
            let python = env::var_os("PYTHON").unwrap_or_else(|| "python3".into());
            let folder = environment.folder.as_os_str();
            let mut command = Command::new(python);
            run(command.args(["-m", "venv", "--clear"]).arg(folder));
            environment.python(package, "pip install --quiet -r requirements-dev.txt");
            fs::write(made_with, pins).expect("the environment can be written");
        }
        environment
    }

    /// Runs a module of the environment's Python in the package's folder.
    fn python(&self, package: &Path, module: &str) {
        let programs = if cfg!(windows) { "Scripts" } else { "bin" };
        let mut command = Command::new(self.folder.join(programs).join("python"));
        command
            .arg("-m")
            .args(module.split(' '))
            .current_dir(package)
            .env("AGENT_TODO_COMPONENT", &self.component)
            .env("PIP_DISABLE_PIP_VERSION_CHECK", "1");
        run(&mut command);
    }
}

fn run(command: &mut Command) {
    let status = command
        .status()
        .expect("Python 3.10 or later is on the path, or PYTHON names it");
    assert!(status.success(), "{command:?}: {status}");
}

#[test]
#[ignore = "needs Python 3.10 or later (python3, or the one that PYTHON names) and its packages"]
fn the_python_package_passes_its_tests_and_checks() {
    let package = Path::new(env!("CARGO_MANIFEST_DIR")).join("python");
    let environment = Environment::of(&package);
    for module in [
        "pip install --quiet --no-deps --no-build-isolation --force-reinstall .",
        "ruff check .",
        "ruff format --check .",
        "mypy",
        "pytest -q",
    ] {
        environment.python(&package, module);
    }
}
