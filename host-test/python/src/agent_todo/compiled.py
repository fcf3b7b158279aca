"""The compiled component, kept in the user's cache folder.

Compiling takes about 100 ms, loading what was compiled less than one. The
cached file is machine code, so it is only ever read from a folder that nobody
else can write.
"""

from __future__ import annotations

import hashlib
import logging
import os
import platform
import stat
import tempfile
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

import platformdirs
from wasmtime import WasmtimeError
from wasmtime.component import Component

if TYPE_CHECKING:
    from wasmtime import Engine

log = logging.getLogger("agent_todo")


def load(engine: Engine, wasm: bytes, settings: str, folder: Path | None) -> Component:
    """Give the compiled component: from the cache, or compiled and then cached.

    A cache that can't be read, written or trusted costs time, never more.
    """
    if folder is None:
        return Component(engine, wasm)
    file = folder / _name(wasm, settings)
    with suppress(OSError, WasmtimeError, ValueError):
        return Component.deserialize(engine, _read(file))
    component = Component(engine, wasm)
    try:
        _write(file, bytes(component.serialize()))
    except OSError as error:
        log.info("%s: %s; compiling at every start, about 100 ms", folder, error.strerror)
    return component


def default_folder() -> Path:
    """The user's cache folder for this package."""
    return Path(platformdirs.user_cache_path("agent-todo", appauthor=False))


def _name(wasm: bytes, settings: str) -> str:
    """Name what the compiled code depends on; wasmtime checks the processor's features."""
    parts = (version("wasmtime"), platform.system(), platform.machine(), settings)
    digest = hashlib.sha256("\0".join(parts).encode() + b"\0" + wasm)
    return digest.hexdigest()[:32] + ".cwasm"


def _read(file: Path) -> bytes:
    """Read a cached file. Raises `ValueError` for a damaged one, `OSError` for a foreign one."""
    descriptor = os.open(file, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
    with os.fdopen(descriptor, "rb") as opened:
        for status in (os.fstat(descriptor), file.parent.stat()):
            if not _private(status):
                raise PermissionError(0, "others can write to the cache", str(file))
        digest, code = opened.read(32), opened.read()
    if hashlib.sha256(code).digest() != digest:
        raise ValueError(file)
    return code


def _write(file: Path, code: bytes) -> None:
    """Write a file that is whole whenever it is there, and private."""
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(dir=file.parent, prefix=".")
    try:
        with os.fdopen(descriptor, "wb") as opened:
            opened.write(hashlib.sha256(code).digest() + code)
        Path(name).replace(file)
    except OSError:
        with suppress(OSError):
            Path(name).unlink()
        raise


def _private(status: os.stat_result) -> bool:
    if os.name != "posix":
        return True
    return status.st_uid == os.geteuid() and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
