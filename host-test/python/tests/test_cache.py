"""The compiled component is cached where nobody else can write, and never needed."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from wasmtime.component import Component

from agent_todo import TodoPlugin

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def compilations(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Gives the sizes of the components that were compiled."""
    sizes: list[int] = []
    compile_component = Component.__init__

    def counted(self: Component, engine: object, wasm: bytes) -> None:
        sizes.append(len(wasm))
        compile_component(self, engine, wasm)  # type: ignore[arg-type]

    monkeypatch.setattr(Component, "__init__", counted)
    return sizes


def works(plugin: TodoPlugin) -> bool:
    return plugin.session().call_tool("todo_write", {"todos": []}).text == "(0/0 completed)"


def test_the_second_plugin_does_not_compile(tmp_path: Path, compilations: list[int]) -> None:
    assert works(TodoPlugin(cache=tmp_path / "new" / "cache"))
    assert works(TodoPlugin(cache=tmp_path / "new" / "cache"))
    assert len(compilations) == 1
    (file,) = (tmp_path / "new" / "cache").iterdir()
    assert file.stat().st_mode & 0o777 == 0o600
    assert file.parent.stat().st_mode & 0o777 == 0o700


def test_settings_that_change_the_code_have_files_of_their_own(
    tmp_path: Path, compilations: list[int]
) -> None:
    assert works(TodoPlugin(cache=tmp_path))
    assert works(TodoPlugin(cache=tmp_path, fuel=1_000_000))
    assert len(compilations) == len(list(tmp_path.iterdir())) == 2


@pytest.mark.parametrize("damage", ["cut", "empty", "changed", "other"])
def test_a_damaged_file_is_replaced(tmp_path: Path, compilations: list[int], damage: str) -> None:
    TodoPlugin(cache=tmp_path)
    (file,) = tmp_path.iterdir()
    whole = file.read_bytes()
    changed = bytearray(whole)
    changed[len(whole) // 2] ^= 1
    broken = {"cut": whole[:-1], "empty": b"", "changed": bytes(changed), "other": b"#!/bin/sh\n"}
    file.write_bytes(broken[damage])
    assert works(TodoPlugin(cache=tmp_path))
    assert len(compilations) == 2
    assert file.read_bytes()[32:] == whole[32:]


@pytest.mark.parametrize("mode", [0o620, 0o602])
def test_a_file_that_others_could_have_written_is_not_used(
    tmp_path: Path, compilations: list[int], mode: int
) -> None:
    TodoPlugin(cache=tmp_path)
    (file,) = tmp_path.iterdir()
    file.chmod(mode)
    assert works(TodoPlugin(cache=tmp_path))
    assert len(compilations) == 2


def test_a_folder_that_others_can_write_is_not_used(
    tmp_path: Path, compilations: list[int]
) -> None:
    TodoPlugin(cache=tmp_path)
    tmp_path.chmod(0o777)
    assert works(TodoPlugin(cache=tmp_path))
    assert len(compilations) == 2


def test_a_link_is_not_followed(tmp_path: Path, compilations: list[int]) -> None:
    TodoPlugin(cache=tmp_path / "a")
    (file,) = (tmp_path / "a").iterdir()
    moved = file.rename(tmp_path / "moved")
    file.symlink_to(moved)
    assert works(TodoPlugin(cache=tmp_path / "a"))
    assert len(compilations) == 2


def test_a_folder_that_cannot_be_made_costs_the_compilation_only(
    tmp_path: Path, compilations: list[int], caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("")
    caplog.set_level(logging.INFO, "agent_todo")
    assert works(TodoPlugin(cache=tmp_path / "file"))
    assert works(TodoPlugin(cache=tmp_path / "file"))
    assert len(compilations) == 2
    assert "compiling at every start" in caplog.text


def test_without_a_cache_nothing_is_written(tmp_path: Path) -> None:
    environment = {**os.environ, "HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    for argument, made in (("cache=False", False), ("", True)):
        program = f"from agent_todo import TodoPlugin; TodoPlugin({argument})"
        subprocess.run([sys.executable, "-c", program], env=environment, check=True)
        assert (tmp_path / "cache" / "agent-todo").is_dir() == made


def test_what_is_no_component_is_refused_in_one_line() -> None:
    with pytest.raises(ValueError, match=r"^the component does not export agent:todo/session"):
        TodoPlugin(b"\0asm\x0d\0\x01\0", cache=False)
