"""One session of one agent: a component instance in a store of its own."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

from wasmtime import Trap, WasmtimeError
from wasmtime.component import Variant

from agent_todo.encoding import json_text, well_formed
from agent_todo.errors import SessionDead, TodoError
from agent_todo.policy import Policy, lower
from agent_todo.results import (
    Counters,
    HistoryItem,
    Progress,
    RestoreReport,
    Snapshot,
    Todo,
    ToolDefinition,
    ToolOutput,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from typing_extensions import Self
    from wasmtime import Store
    from wasmtime.component import ExportIndex, Func, Instance


class TodoSession:
    """The todo list of one agent's session. Made by `TodoPlugin.session`.

    The loop of a host: append `pending_history_appends` to the history, call
    `on_request`, send the request, give each tool call to `call_tool` in the order of
    the response, and its text back to the model; repeat.

    Threads: a session may be used from any thread. Calls run one after another, each
    whole; the order of calls from several threads is theirs to keep.
    """

    def __init__(
        self,
        store: Store,
        instance: Instance,
        exports: Mapping[str, ExportIndex],
        fuel: int | None,
    ) -> None:
        self._store = store
        self._instance = instance
        self._exports = exports
        self._fuel = fuel
        self._lock = threading.Lock()
        self._functions: dict[str, Func] = {}
        self._dead: str | None = None

    def configure(self, policy: Policy) -> None:
        """Set the whole policy; may be called at any time and leaves the list as it is.

        Raises `TodoError` ``invalid-policy`` for a value out of its range.
        """
        _raise_refusal(self._call("configure", lower(policy)))

    def instructions(self) -> str:
        """Give a short paragraph for the system prompt, at most 600 characters."""
        return str(self._call("instructions"))

    def tools(self) -> list[ToolDefinition]:
        """Give the tools that are on, for the request to the model."""
        return [
            ToolDefinition(tool.name, tool.description, getattr(tool, "input-schema"))
            for tool in self._call("tools")
        ]

    def call_tool(self, name: str, arguments: str | Mapping[str, object]) -> ToolOutput:
        """Run a tool on what the model sent: JSON text, or the parsed value.

        A refusal is a result too: its ``text`` tells the model what would be accepted.
        """
        return self._run_tool("call-tool", arguments, well_formed(name))

    def todo_write(self, arguments: str | Mapping[str, object]) -> ToolOutput:
        """Do the same as ``call_tool("todo_write", arguments)``."""
        return self._run_tool("todo-write", arguments)

    def _run_tool(
        self, function: str, arguments: str | Mapping[str, object], *name: str
    ) -> ToolOutput:
        try:
            text = json_text(arguments, "invalid-input")
        except TodoError as error:
            return ToolOutput(str(error), changed=False, progress=None, code=error.code)
        return _tool_output(self._call(function, *name, text))

    def on_request(self) -> None:
        """Count one request: called when the host sends one to the model."""
        self._call("on-request")

    def pending_history_appends(self) -> list[HistoryItem]:
        """Give what the host appends durably to its history before the next request.

        Nothing, or one reminder; handing one out counts as delivered.
        """
        return [_history_item(item) for item in self._call("pending-history-appends")]

    def compact_snapshot(self) -> Snapshot | None:
        """Give what compaction needs; ``None`` when the list is empty. Changes nothing."""
        snapshot = self._call("compact-snapshot")
        if snapshot is None:
            return None
        carry_over = getattr(snapshot, "carry-over")
        return Snapshot(snapshot.context, carry_over and _history_item(carry_over))

    def restore(self, history: str | Sequence[object] | Mapping[str, object]) -> RestoreReport:
        """Rebuild list and counters from a recorded history; adds to what is there.

        JSON text (an array, an object, JSON Lines) or the messages themselves: dicts, and
        the objects of LangChain, pydantic-ai and the SDKs of OpenAI and Anthropic.

        Raises `TodoError` ``invalid-history`` for text that is not JSON.
        """
        report = self._call("restore", json_text(history, "invalid-history"))
        report = _raise_refusal(report)
        return RestoreReport(
            report.format,
            report.requests,
            report.applied,
            report.refused,
            report.skipped,
            report.reminders,
        )

    def save_state(self) -> str:
        """Give everything that the session holds, as one line of text."""
        return str(self._call("save-state"))

    def load_state(self, state: str) -> None:
        """Take back what `save_state` gave, in place of everything that is there.

        Raises `TodoError` ``invalid-state`` for any other text.
        """
        _raise_refusal(self._call("load-state", well_formed(state)))

    def todos(self) -> list[Todo]:
        """Give the list as it stands, for a user interface; about 1 ms for 20 items."""
        return [
            Todo(todo.id, todo.content, todo.status.replace("-", "_"), todo.description)
            for todo in self._call("todos")
        ]

    def counters(self) -> Counters:
        """Give the counters that decide when a reminder is due."""
        counters = self._call("counters")
        return Counters(
            getattr(counters, "requests-since-write"), getattr(counters, "requests-since-reminder")
        )

    def close(self) -> None:
        """Free the session's memory now, rather than when nothing refers to it any more."""
        with self._lock:
            self._dead = self._dead or "it was closed"
            self._functions.clear()
            self._store.close()

    def __enter__(self) -> Self:
        """Give the session, to be closed at the end of the block."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the session."""
        self.close()

    def _call(self, name: str, *arguments: object) -> Any:  # noqa: ANN401
        with self._lock:
            if self._dead is not None:
                raise _dead(self._dead)
            function = self._functions.get(name) or self._find(name)
            try:
                if self._fuel is not None:
                    self._store.set_fuel(self._fuel)
                return function(self._store, *arguments)
            except (WasmtimeError, Trap) as error:
                self._dead = f"{name} died of: {_reason(error)}"
                raise _dead(self._dead) from error

    def _find(self, name: str) -> Func:
        function = self._instance.get_func(self._store, self._exports[name])
        if function is None:
            raise TypeError(f"the component's {name} is no function")
        self._functions[name] = function
        return function


def _dead(why: str) -> SessionDead:
    return SessionDead(
        "session-dead",
        f"the session is gone, {why}; go on with plugin.session(policy, history=...) "
        "or plugin.session(state=...)",
    )


def _reason(error: Exception) -> str:
    """Give the cause without the backtrace that wasmtime puts around it."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[-1] if lines else "an unknown trap"


def _raise_refusal(result: Any) -> Any:  # noqa: ANN401
    """Give what a ``result`` holds. wasmtime tags its cases only where their classes collide."""
    if isinstance(result, Variant):
        if result.tag == "err":
            refusal: Any = result.payload
            raise TodoError(refusal.code, refusal.message)
        return result.payload
    if hasattr(result, "code"):
        raise TodoError(result.code, result.message)
    return result


def _tool_output(result: Any) -> ToolOutput:  # noqa: ANN401
    answer = result.payload
    if result.tag == "err":
        return ToolOutput(answer.message, changed=False, progress=None, code=answer.code)
    counts = answer.progress
    progress = Progress(counts.pending, getattr(counts, "in-progress"), counts.completed)
    return ToolOutput(answer.text, answer.changed, progress)


def _history_item(item: Any) -> HistoryItem:  # noqa: ANN401
    return HistoryItem(item.role, item.text)
