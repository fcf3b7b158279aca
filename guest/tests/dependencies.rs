//! What the project is built from: packages of one registry, pinned by the
//! lock file, under licences that `deny.toml` allows.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)]
#![allow(missing_docs)]

use serde_json::Value;
use std::path::Path;
use std::process::Command;

const REGISTRY: &str = "registry+https://github.com/rust-lang/crates.io-index";

fn workspace() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

/// The packages of the workspace's lock file, as cargo knows them.
fn packages() -> Vec<Value> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--locked", "--format-version", "1"])
        .current_dir(workspace())
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    metadata["packages"].as_array().unwrap().clone()
}

/// The licences that `deny.toml` allows.
fn allowed() -> Vec<String> {
    let config = std::fs::read_to_string(workspace().join("deny.toml")).unwrap();
    let list = config
        .split("allow = [")
        .nth(1)
        .unwrap()
        .split(']')
        .next()
        .unwrap();
    list.split('"')
        .skip(1)
        .step_by(2)
        .map(str::to_owned)
        .collect()
}

/// Whether an expression such as `(MIT OR Apache-2.0) AND Unicode-3.0` can be
/// kept with the allowed licences. No package has an `AND` inside an `OR`.
fn is_allowed(expression: &str, allowed: &[String]) -> bool {
    let expression = expression.replace(" / ", " OR ").replace('/', " OR ");
    expression.split(" AND ").all(|part| {
        let mut choices = part
            .split(" OR ")
            .map(|name| name.trim_matches(['(', ')', ' ']));
        choices.any(|name| allowed.iter().any(|other| other == name))
    })
}

#[test]
fn every_package_comes_from_the_registry_under_an_allowed_licence() {
    let allowed = allowed();
    assert!(allowed.len() > 3, "{allowed:?}");
    for package in packages() {
        let name = &package["name"];
        let source = package["source"].as_str();
        assert!(
            source.is_none_or(|source| source == REGISTRY),
            "{name} comes from {source:?}"
        );
        let licence = package["license"].as_str().unwrap_or_default();
        assert!(is_allowed(licence, &allowed), "{name} is under {licence:?}");
    }
}

#[test]
fn an_expression_needs_each_of_its_parts_and_one_choice_of_each() {
    let allowed = ["MIT".to_owned(), "Unicode-3.0".to_owned()];
    for licence in [
        "MIT",
        "MIT/Apache-2.0",
        "Apache-2.0 OR MIT",
        "(MIT OR X) AND Unicode-3.0",
    ] {
        assert!(is_allowed(licence, &allowed), "{licence}");
    }
    for licence in [
        "",
        "GPL-3.0-only",
        "MIT AND GPL-3.0-only",
        "(GPL-3.0-only OR X) AND MIT",
    ] {
        assert!(!is_allowed(licence, &allowed), "{licence}");
    }
}

#[test]
fn every_locked_package_has_its_checksum() {
    let lock = std::fs::read_to_string(workspace().join("Cargo.lock")).unwrap();
    let mut registry = 0;
    for package in lock.split("[[package]]").skip(1) {
        if package.contains("source = ") {
            registry += 1;
            assert!(
                package.contains(&format!("source = \"{REGISTRY}\"")),
                "{package}"
            );
            assert!(package.contains("checksum = \""), "{package}");
        }
    }
    assert!(registry > 50, "{registry}");
}
