"""A thread of LangGraph: its messages, and how far a saved session has read them."""

from __future__ import annotations

import hashlib
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any, cast

from langchain.agents.middleware import AgentState
from langchain.agents.middleware.types import OmitFromInput, PrivateStateAttr
from langchain_core.messages import AIMessage, AnyMessage, ToolCall, ToolMessage, messages_to_dict
from typing_extensions import NotRequired, TypedDict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agent_todo.plugin import TodoPlugin
    from agent_todo.policy import Policy
    from agent_todo.results import HistoryItem
    from agent_todo.session import TodoSession


class Mark(TypedDict):
    """A saved session, and the messages that it has seen."""

    saved: str
    """What ``save_state`` gave after these messages."""

    count: int
    """How many there were."""

    digest: str
    """All their ids, hashed: other messages are read from the start."""

    last: str
    """The id of the last one; empty if there was none."""

    summary: str | None
    """The id of the newest summary among them."""


class TodoState(AgentState[Any]):
    """What the middleware keeps in a thread's state."""

    agent_todo: NotRequired[Annotated[Mark, PrivateStateAttr]]
    """The middleware's own."""

    todos: NotRequired[Annotated[list[dict[str, Any]], OmitFromInput]]
    """The list for a user interface: dicts of ``id``, ``content`` and ``status``."""


def mark_of(state: AgentState[Any]) -> Mark | None:
    """Give what the middleware left in the thread's state."""
    return cast("TodoState", state).get("agent_todo")


def history(state: AgentState[Any]) -> list[AnyMessage]:
    """Give the messages as the model gets them.

    deepagents leaves those that it has summarised in the state, and keeps the cut
    and the summary beside them.
    """
    messages: list[AnyMessage] = state["messages"]
    event = cast("dict[str, Any] | None", state.get("_summarization_event"))
    if not event:
        return messages
    return [event["summary_message"], *messages[event["cutoff_index"] :]]


def read(plugin: TodoPlugin, policy: Policy, messages: Sequence[AnyMessage]) -> TodoSession:
    """Give the session after these messages, read from the first."""
    return plugin.session(policy, history=messages_to_dict(messages) or None)


def follow(
    plugin: TodoPlugin, policy: Policy, messages: Sequence[AnyMessage], mark: Mark | None
) -> tuple[TodoSession, bool]:
    """Give the session after these messages, and whether its list may be another than before.

    Reads only the messages that are new, where that is possible.
    """
    if mark is None or _digest(messages[: mark["count"]]) != mark["digest"]:
        return read(plugin, policy, messages), True
    session = plugin.session(state=mark["saved"])
    new = messages[mark["count"] :]
    changed = bool(new) and session.restore(messages_to_dict(new)).applied > 0
    return session, changed


def shortened(messages: Sequence[AnyMessage], mark: Mark | None) -> bool:
    """Whether messages that the saved session has seen were summarised or cut off in front.

    A thread that was rewound has lost the last one, and has no new summary.
    """
    if mark is None or _digest(messages[: mark["count"]]) == mark["digest"]:
        return False
    return mark["last"] in _ids(messages) or _summary(messages) not in {None, mark["summary"]}


def carry_over(
    plugin: TodoPlugin,
    messages: Sequence[AnyMessage],
    mark: Mark | None,
    session: TodoSession,
) -> HistoryItem | None:
    """Give the carry-over, if a summary or a cut took the list out of the messages."""
    if mark is None or not shortened(messages, mark):
        return None
    ids = _ids(messages)
    seen = ids.index(mark["last"]) + 1 if mark["last"] in ids else 0
    with plugin.session(state=mark["saved"]) as before:
        before.restore(messages_to_dict(messages[seen:]))
        if before.todos() == session.todos():
            return None
        snapshot = before.compact_snapshot()
    return snapshot.carry_over if snapshot else None


def marked(
    session: TodoSession, messages: Sequence[AnyMessage], appends: Sequence[AnyMessage]
) -> dict[str, Any]:
    """Give the change of the thread's state that says what the session has seen."""
    seen = [*messages, *appends]
    mark = Mark(
        saved=session.save_state(),
        count=len(seen),
        digest=_digest(seen),
        last=_ids(seen[-1:])[0] if seen else "",
        summary=_summary(seen),
    )
    return {"agent_todo": mark, **({"messages": list(appends)} if appends else {})}


def show(state: AgentState[Any], session: TodoSession) -> dict[str, Any]:
    """Give the change of the thread's state that shows the list, if it is another."""
    todos = [
        {field: value for field, value in asdict(todo).items() if value is not None}
        for todo in session.todos()
    ]
    return {"todos": todos} if todos != cast("TodoState", state).get("todos", []) else {}


def index_of_call(messages: Sequence[AnyMessage], call_id: str | None) -> int:
    """Give the index of the message that made a call; the number of messages if none did."""
    for index in range(len(messages) - 1, -1, -1):
        message = messages[index]
        if isinstance(message, AIMessage) and call_id in {
            call["id"] for call in message.tool_calls
        }:
            return index
    return len(messages)


def calls_before(messages: Sequence[AnyMessage], call_id: str | None) -> list[ToolCall]:
    """Give the calls of the first message before this one.

    Without those that already have an answer, such as calls that a person denied.
    """
    if not messages or not isinstance(messages[0], AIMessage):
        return []
    answered = {message.tool_call_id for message in messages if isinstance(message, ToolMessage)}
    calls: list[ToolCall] = []
    for call in messages[0].tool_calls:
        if call["id"] == call_id:
            break
        if call["id"] not in answered:
            calls.append(call)
    return calls


def _ids(messages: Sequence[AnyMessage]) -> list[str]:
    return [message.id or "" for message in messages]


def _digest(messages: Sequence[AnyMessage]) -> str:
    return hashlib.sha256("\n".join(_ids(messages)).encode()).hexdigest()


def _summary(messages: Sequence[AnyMessage]) -> str | None:
    """Give the id of the newest summary, as LangChain and deepagents mark it."""
    for message in reversed(messages):
        if message.additional_kwargs.get("lc_source") == "summarization":
            return message.id or message.text
    return None
