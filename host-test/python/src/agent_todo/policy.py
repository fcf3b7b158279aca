"""How a session behaves."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Literal

from wasmtime.component import Record

from agent_todo.errors import TodoError

_U32_MAX = 2**32 - 1
_ENUMS = {"tool_set": ("todo", "task", "both"), "in_progress_limit": ("allow", "note", "refuse")}
_FLAGS = ("remind", "remind_once", "adopt_snapshot")


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """How a session behaves. ``None`` is the default of a field."""

    tool_set: Literal["todo", "task", "both"] | None = None
    """Which tools are on: ``todo_write`` (default), the four task tools, or all five."""

    remind: bool | None = None
    """Whether reminders are handed out at all. Default ``True``."""

    remind_after: int | None = None
    """Requests without a write before a reminder is due: 0 to 1,000,000, default 8."""

    remind_cooldown: int | None = None
    """Requests between two reminders, at the least: 0 to 1,000,000, default 8."""

    remind_once: bool | None = None
    """One reminder, then none until the model writes. Default ``False``."""

    in_progress_limit: Literal["allow", "note", "refuse"] | None = None
    """What more than one item in progress gets. Default ``note``."""

    max_todos: int | None = None
    """Items in the list: 1 to 1,000, default 100."""

    max_content: int | None = None
    """Characters of a content or description: 1 to 10,000, default 2,000. A longer one is cut."""

    max_input: int | None = None
    """Bytes of a tool call's input: 1,024 to 16,777,216, default 1,048,576."""

    adopt_snapshot: bool | None = None
    """Whether ``restore`` takes the list from a carry-over message. Default ``False``: after a
    compaction the list is empty, and the model writes what still applies."""


def lower(policy: Policy) -> Record:
    """Give the component's record, refusing what has no place in one.

    The component refuses what is out of range; wasmtime would wrap a number that
    is no ``u32`` silently.
    """
    record = Record()
    for field in fields(policy):
        value = getattr(policy, field.name)
        if value is not None:
            _check(field.name, value)
        setattr(record, field.name.replace("_", "-"), value)
    return record


def _check(name: str, value: object) -> None:
    legal = "a whole number from 0 to 4294967295"
    if name in _ENUMS:
        ok, legal = value in _ENUMS[name], ", ".join(_ENUMS[name])
    elif name in _FLAGS:
        ok, legal = isinstance(value, bool), "True, False"
    else:
        ok = isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _U32_MAX
    if not ok:
        raise TodoError("invalid-policy", f"Error: policy, {name}: found {value!r}; legal: {legal}")
