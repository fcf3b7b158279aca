"""The one kind of exception, and its case for a dead session."""

from __future__ import annotations

from typing import Literal

ErrorCode = Literal[
    "invalid-input",
    "too-many",
    "too-large",
    "not-found",
    "unknown-tool",
    "invalid-policy",
    "invalid-state",
    "invalid-history",
    "session-dead",
]
"""Why something was refused, for programs. All but the last are the component's own."""


class TodoError(Exception):
    """A refusal: nothing has changed.

    ``code`` is for programs; the text is one line for a person. The refusal of a
    model's tool call is no exception but a :class:`~agent_todo.ToolOutput`, since
    its text has to reach the model.
    """

    code: ErrorCode

    def __init__(self, code: ErrorCode, message: str) -> None:
        super().__init__(message)
        self.code = code

    def __reduce__(self) -> tuple[type[TodoError], tuple[ErrorCode, str]]:
        """Keep the code when the exception crosses a process border."""
        return type(self), (self.code, str(self))


class SessionDead(TodoError):  # noqa: N818
    """The session is gone: its component trapped on a limit, or it was closed.

    Make a new one from what the host has: ``plugin.session(policy, history=messages)``,
    or ``plugin.session(state=saved)`` with the text of an earlier ``save_state()``. The
    call that died changed nothing that the host has seen.
    """
