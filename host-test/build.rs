//! Builds the component: the guest library for WebAssembly, by a cargo inside
//! this cargo, encoded as a component.
//!
//! The same commit gives the same bytes in every folder and for every user:
//! the guest is built by the pinned toolchain in a profile of its own
//! (`guest`, in the workspace's `Cargo.toml`), whatever profile, flags and
//! wrappers the outer build has, and no path of the machine gets into it.

use std::env;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use wit_component::{ComponentEncoder, DecodedWasm};

const TARGET: &str = "wasm32-unknown-unknown";

/// A panic inside the guest has 64 KiB of stack; the linker's default of 1 MiB
/// would be 16 pages of memory in every session.
const STACK: &str = "-Clink-arg=-zstack-size=65536";

/// Three pages to begin with: stack, data, and room for a session's list, so
/// that few sessions ever grow their memory.
const MEMORY: &str = "-Clink-arg=--initial-memory=196608";

fn main() -> ExitCode {
    match build() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            println!("cargo::error={error}");
            ExitCode::FAILURE
        }
    }
}

fn build() -> Result<(), Box<dyn Error>> {
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let host = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    let workspace = host.parent().ok_or("host-test has no parent folder")?;
    for input in ["guest", "wit", "Cargo.toml", "Cargo.lock"] {
        println!(
            "cargo::rerun-if-changed={}",
            workspace.join(input).display()
        );
    }
    println!("cargo::rerun-if-changed=build.rs");

    let rustc = env::var("RUSTC")?;
    install_target(&rustc)?;
    let module = build_guest(workspace, &out.join("guest"), &rustc)?;
    fs::write(out.join("agent-todo.wasm"), encode(&fs::read(module)?)?)?;
    Ok(())
}

/// Installs the standard library for WebAssembly where it is missing.
fn install_target(rustc: &str) -> Result<(), Box<dyn Error>> {
    let library =
        stdout(Command::new(rustc).args(["--print", "target-libdir", "--target", TARGET]))?;
    if Path::new(&library).is_dir() {
        return Ok(());
    }
    let installed = Command::new("rustup")
        .args(["target", "add", TARGET])
        .status();
    match installed {
        Ok(status) if status.success() => Ok(()),
        _ => Err(format!(
            "the Rust target {TARGET} is missing; install it with: rustup target add {TARGET}"
        )
        .into()),
    }
}

/// Builds the core module in a target folder of its own, since the outer cargo
/// holds the lock of the usual one. Gives the module's path.
fn build_guest(workspace: &Path, target: &Path, rustc: &str) -> Result<PathBuf, Box<dyn Error>> {
    let mut cargo = Command::new(env::var("CARGO")?);
    cargo
        .args([
            "rustc",
            "--package",
            "agent-todo",
            "--lib",
            "--crate-type",
            "cdylib",
        ])
        .args([
            "--target",
            TARGET,
            "--profile",
            "guest",
            "--locked",
            "--target-dir",
        ])
        .arg(target)
        .current_dir(workspace);
    for (name, _) in env::vars_os() {
        if name.to_str().is_some_and(leaks) {
            cargo.env_remove(name);
        }
    }
    let flags = guest_flags(workspace, target, rustc)?;
    let status = cargo.env("CARGO_ENCODED_RUSTFLAGS", flags).status()?;
    if !status.success() {
        return Err(
            format!("the guest does not build for {TARGET}; see the compiler's messages").into(),
        );
    }
    Ok(target.join(TARGET).join("guest").join("agent_todo.wasm"))
}

/// Whether a variable of the outer build would change the inner one: its
/// profile, flags and wrappers (clippy and coverage tools set some). Where
/// crates come from stays as it is, and so does the job server.
fn leaks(name: &str) -> bool {
    const KEPT: [&str; 8] = [
        "CARGO_HOME",
        "CARGO_MAKEFLAGS",
        "CARGO_NET_",
        "CARGO_HTTP_",
        "CARGO_REGISTR",
        "CARGO_SOURCE_",
        "CARGO_TERM_",
        "RUSTUP_",
    ];
    (name.starts_with("CARGO")
        || name.starts_with("RUST")
        || name == "__CARGO_DEFAULT_LIB_METADATA")
        && !KEPT.iter().any(|kept| name.starts_with(kept))
}

/// The compiler flags, in cargo's encoding. Panic texts name source files:
/// every folder of this machine is replaced by a name that is the same on all.
fn guest_flags(workspace: &Path, target: &Path, rustc: &str) -> Result<String, Box<dyn Error>> {
    let sysroot = stdout(Command::new(rustc).args(["--print", "sysroot"]))?;
    let version = stdout(Command::new(rustc).arg("-vV"))?;
    let commit = version
        .lines()
        .find_map(|line| line.strip_prefix("commit-hash: "))
        .unwrap_or("unknown");
    let library = Path::new(&sysroot).join("lib/rustlib/src/rust");

    // Where several prefixes fit, the last one wins.
    let cargo_home = cargo_home()?;
    let mut folders = vec![
        (workspace.to_owned(), ".".to_owned()),
        (target.to_owned(), "/target".to_owned()),
        (cargo_home.clone(), "/cargo".to_owned()),
        (PathBuf::from(&sysroot), "/sysroot".to_owned()),
        (library, format!("/rustc/{commit}")),
    ];
    // Crates lie in a folder for each registry, which a mirror names otherwise.
    for registry in fs::read_dir(cargo_home.join("registry/src"))
        .into_iter()
        .flatten()
    {
        folders.push((registry?.path(), "/crates".to_owned()));
    }
    let remaps = folders
        .iter()
        .map(|(folder, name)| format!("--remap-path-prefix={}={name}", folder.display()));
    let fixed = [STACK, MEMORY, "-Ctarget-feature=+simd128"].map(str::to_owned);
    let flags: Vec<String> = fixed.into_iter().chain(remaps).collect();
    Ok(flags.join("\u{1f}"))
}

fn cargo_home() -> Result<PathBuf, Box<dyn Error>> {
    match env::var_os("CARGO_HOME") {
        Some(folder) => Ok(PathBuf::from(folder)),
        None => Ok(env::home_dir()
            .ok_or("no home folder: set CARGO_HOME")?
            .join(".cargo")),
    }
}

/// Encodes the core module as a component; wit-bindgen has put the interface
/// into it. A component that imports anything is none that every host can run.
fn encode(module: &[u8]) -> Result<Vec<u8>, Box<dyn Error>> {
    let component = ComponentEncoder::default()
        .validate(true)
        .module(module)
        .and_then(|mut encoder| encoder.encode())
        .map_err(|error| format!("the guest can't be encoded as a component: {error:#}"))?;
    let DecodedWasm::Component(resolve, world) = wit_component::decode(&component)? else {
        return Err("the encoder gave no component".into());
    };
    let imports = resolve.worlds.get(world).map(|world| world.imports.len());
    match imports {
        Some(0) => Ok(component),
        _ => Err("the component has imports; a host gives it none".into()),
    }
}

/// What a command prints, without the line break at its end.
fn stdout(command: &mut Command) -> Result<String, Box<dyn Error>> {
    let output = command.output()?;
    if !output.status.success() {
        return Err(format!(
            "{command:?} failed: {}",
            String::from_utf8_lossy(&output.stderr)
        )
        .into());
    }
    Ok(String::from_utf8(output.stdout)?.trim_end().to_owned())
}
