"""What a session answers, as plain values."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, cast

if TYPE_CHECKING:
    from agent_todo.errors import ErrorCode

Status = Literal["pending", "in_progress", "completed"]
"""Where an item stands."""


@dataclass(frozen=True, slots=True)
class Todo:
    """One item of the list, as the model wrote it: a user interface escapes it."""

    id: str
    content: str
    status: Status
    description: str | None = None
    """The longer text that a task tool gave."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How many items stand where."""

    pending: int
    in_progress: int
    completed: int


@dataclass(frozen=True, slots=True)
class ToolOutput:
    """The result of a tool call. ``text`` goes back to the model in every case."""

    text: str
    """The tool result for the model; begins with ``Error: `` exactly when it was refused."""

    changed: bool
    """Whether the list is another than before the call."""

    progress: Progress | None
    """The list after the call, counted; ``None`` when the call was refused."""

    code: ErrorCode | None = None
    """Why the call was refused, for programs; ``None`` when it was carried out."""

    @property
    def is_error(self) -> bool:
        """Whether the call was refused, for the error flag of a tool result."""
        return self.code is not None


@dataclass(frozen=True, slots=True)
class ToolDefinition:
    """A tool for the request to the model."""

    name: str
    description: str
    schema_text: str
    """The JSON Schema of the input, as the component wrote it."""

    @property
    def input_schema(self) -> dict[str, Any]:
        """The JSON Schema of the input, a new value each time."""
        return cast("dict[str, Any]", json.loads(self.schema_text))


@dataclass(frozen=True, slots=True)
class HistoryItem:
    """One message for the host's history, appended as one text of its own.

    A host whose model takes no system message inside a history sends it as a
    user message at the tail.
    """

    role: Literal["system", "user"]
    text: str


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What compaction needs."""

    context: str
    """Every item with its status and id, for whoever writes the summary."""

    carry_over: HistoryItem | None
    """The message for the compacted history: the items that are not completed, if any."""


@dataclass(frozen=True, slots=True)
class RestoreReport:
    """What one call of ``restore`` read."""

    format: str
    """The shape that was recognised, such as ``openai-chat`` or ``langchain``."""

    requests: int
    """Assistant messages, each one request."""

    applied: int
    """Todo calls that were applied."""

    refused: int
    """Todo calls that reached the component and were refused, then or now."""

    skipped: int
    """Todo calls that never reached it, or have no result."""

    reminders: int
    """Reminders of this component found in the history."""


@dataclass(frozen=True, slots=True)
class Counters:
    """The counters that decide when a reminder is due."""

    requests_since_write: int
    requests_since_reminder: int | None
    """``None`` before the first reminder."""
