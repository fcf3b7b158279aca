"""The wheel holds everything, and installs where there is no Rust and nothing else."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import zipfile
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from readme import code

PACKAGE = Path(__file__).parents[1]
COMPONENT = files("agent_todo").joinpath("agent_todo.wasm")


def python(*arguments: str, program: Path | None = None, **environment: str) -> str:
    done = subprocess.run(
        [str(program or sys.executable), *arguments],
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return done.stdout


def build(what: str, folder: Path) -> Path:
    """Build with the backend that stands in pyproject.toml, as pip does."""
    python("-m", "hatchling", "build", "-t", what, "-d", str(folder), AGENT_TODO_COMPONENT=given())
    (file,) = folder.iterdir()
    return file


def given() -> str:
    assert COMPONENT.is_file(), "the package is not installed"
    return str(COMPONENT)


@pytest.fixture(autouse=True)
def in_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(PACKAGE)


def test_the_wheel_holds_the_component_its_interface_and_the_types(tmp_path: Path) -> None:
    with zipfile.ZipFile(build("wheel", tmp_path)) as wheel:
        held = set(wheel.namelist())
        assert wheel.read("agent_todo/agent_todo.wasm") == COMPONENT.read_bytes()
        assert b"package agent:todo@0.1.0;" in wheel.read("agent_todo/agent-todo.wit")
    assert {"agent_todo/py.typed", "agent_todo/langchain/middleware.py"} <= held
    assert not [name for name in held if name.startswith("tests")]


def test_in_an_empty_environment_the_wheel_installs_and_the_example_runs(tmp_path: Path) -> None:
    wheel = build("wheel", tmp_path / "wheel")
    python("-m", "venv", str(tmp_path / "empty"))
    programs = tmp_path / "empty" / ("Scripts" if os.name == "nt" else "bin")
    pins = str(PACKAGE / "requirements-dev.txt")
    install = ["-m", "pip", "install", "--quiet", "--constraint", pins, str(wheel)]
    python(*install, program=programs / "python")
    example = tmp_path / "example.py"
    example.write_text(code("Any host")[0], "utf-8")
    cache = str(tmp_path / "cache")
    printed = python(str(example), program=programs / "python", XDG_CACHE_HOME=cache, HOME=cache)
    assert printed == "[>] 1. Read the loader\n\n(0/1 completed)\n"


def test_a_source_distribution_needs_no_rust(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("AGENT_TODO_COMPONENT", raising=False)
    source = build("sdist", tmp_path / "source")
    python("-m", "tarfile", "-e", str(source), str(tmp_path / "unpacked"))
    (root,) = (tmp_path / "unpacked").iterdir()
    found = hook().find_component(root)
    assert found.read_bytes() == COMPONENT.read_bytes()
    assert hook().find_interface(root).is_file()


def test_without_a_component_the_build_says_what_it_needs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("AGENT_TODO_COMPONENT", raising=False)
    with pytest.raises(SystemExit, match=r"^no component to put into the wheel: install Rust"):
        hook().find_component(tmp_path / "a" / "b")
    monkeypatch.setenv("AGENT_TODO_COMPONENT", str(tmp_path / "missing.wasm"))
    with pytest.raises(SystemExit, match=r"^AGENT_TODO_COMPONENT: no file .*missing\.wasm"):
        hook().find_component(PACKAGE)


def hook() -> Any:
    """Give the build hook's module."""
    spec = importlib.util.spec_from_file_location("hook", PACKAGE / "build_component.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
