"""Puts the component into the wheel.

A clone holds no built component: it is built from the sources beside it. A
source distribution holds it, so that installing one needs no Rust.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PACKAGED = "src/agent_todo/agent_todo.wasm"


class ComponentHook(BuildHookInterface[Any]):
    """Finds the component, or builds it, and adds it and its interface to the package."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Run by hatchling before each build."""
        root = Path(self.root)
        component, interface = find_component(root), find_interface(root)
        if self.target_name == "sdist":
            build_data["force_include"][str(component)] = PACKAGED
            build_data["force_include"][str(interface)] = "src/agent_todo/agent-todo.wit"
        elif version == "editable":
            # An editable install is the source folder itself.
            if component != root / PACKAGED:
                shutil.copyfile(component, root / PACKAGED)
        else:
            build_data["force_include"][str(component)] = "agent_todo/agent_todo.wasm"
            build_data["force_include"][str(interface)] = "agent_todo/agent-todo.wit"


def find_component(root: Path) -> Path:
    """Give the component's file: a given one, a fresh build, or the one that the source holds."""
    if given := os.environ.get("AGENT_TODO_COMPONENT"):
        if not Path(given).is_file():
            raise SystemExit(f"AGENT_TODO_COMPONENT: no file {given}; give the built component")
        return Path(given).resolve()
    repository = root.parent.parent
    in_repository = (repository / "wit" / "agent-todo.wit").is_file()
    if in_repository and shutil.which("cargo"):
        return build(repository, root / PACKAGED)
    if (root / PACKAGED).is_file():
        return root / PACKAGED
    raise SystemExit(
        "no component to put into the wheel: install Rust (cargo) and use a clone of the whole "
        "repository, or set AGENT_TODO_COMPONENT to a built agent-todo.wasm"
    )


def build(repository: Path, out: Path) -> Path:
    """Build the component from the repository, quickly where it is up to date."""
    command = ["cargo", "run", "--quiet", "--locked", "--package", "agent-todo-host", "--"]
    arguments = ["component", "--out", str(out)]
    done = subprocess.run([*command, *arguments], cwd=repository, check=False)  # noqa: S603
    if done.returncode != 0:
        raise SystemExit(f"the component does not build: {' '.join(command)} component failed")
    return out


def find_interface(root: Path) -> Path:
    """Give the WIT file, which documents the component."""
    beside = root / "src" / "agent_todo" / "agent-todo.wit"
    found = root.parent.parent / "wit" / "agent-todo.wit"
    return found if found.is_file() else beside
