"""A session carries the component's answers over as Python values, and dies cleanly."""

from __future__ import annotations

import gc
import json
import pickle
import weakref
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import pytest
from langchain_core.messages import HumanMessage, ToolMessage
from scripted import todos, writes

from agent_todo import (
    Counters,
    Policy,
    Progress,
    SessionDead,
    Todo,
    TodoError,
    TodoPlugin,
    TodoSession,
)

if TYPE_CHECKING:
    from collections.abc import Callable

PLAN = todos(("1", "Read", "completed"), ("2", "Write", "in_progress"), ("3", "Test", "pending"))


@pytest.fixture
def session(plugin: TodoPlugin) -> TodoSession:
    return plugin.session()


def test_a_call_answers_with_text_and_progress(session: TodoSession) -> None:
    output = session.call_tool("todo_write", PLAN)
    assert output.text == "[x] 1. Read\n[>] 2. Write\n[ ] 3. Test\n\n(1/3 completed)"
    assert output.progress == Progress(pending=1, in_progress=1, completed=1)
    assert (output.changed, output.is_error, output.code) == (True, False, None)
    assert not session.todo_write(PLAN).changed
    assert session.todos()[1] == Todo("2", "Write", "in_progress")


def test_arguments_are_the_same_as_text_and_as_values(plugin: TodoPlugin) -> None:
    for arguments in (PLAN, json.dumps(PLAN), json.dumps(PLAN, ensure_ascii=True, indent=2)):
        session = plugin.session()
        session.call_tool("todo_write", arguments)
        assert [todo.content for todo in session.todos()] == ["Read", "Write", "Test"]


def test_a_refusal_is_a_result_for_the_model(session: TodoSession) -> None:
    session.call_tool("todo_write", PLAN)
    refused = session.call_tool("todo_write", {"todos": [{"content": "x", "status": "almost"}]})
    assert refused.is_error
    assert refused.code == "invalid-input"
    assert refused.text.startswith('Error: item 1, "status": found "almost"; legal: pending, ')
    assert (refused.changed, refused.progress) == (False, None)
    assert session.call_tool("TaskList", {}).code == "unknown-tool"
    assert len(session.todos()) == 3


def test_lone_surrogates_become_the_replacement_character(session: TodoSession) -> None:
    lone = todos(("1", "a\ud800b 😀", "pending"))
    for arguments in (lone, json.dumps(lone), json.dumps(lone, ensure_ascii=False)):
        assert session.call_tool("todo_write", arguments).text.startswith("[ ] 1. a\ufffdb 😀\n")
    assert session.call_tool("\udfff", "{}").code == "unknown-tool"
    session.restore([{"role": "user", "content": "\ud83d"}])
    with pytest.raises(TodoError, match=r"^Error: "):
        session.load_state("\ud800")


def test_values_that_json_cannot_hold_are_refused_not_raised(session: TodoSession) -> None:
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    assert session.call_tool("todo_write", {"todos": deep}).code == "invalid-input"
    assert session.call_tool("todo_write", {"todos": [float("inf")]}).code == "invalid-input"
    circle: dict[str, Any] = {}
    circle["todos"] = circle
    assert session.call_tool("todo_write", circle).text.startswith("Error: ")
    with pytest.raises(TodoError) as caught:
        session.restore(circle)
    assert caught.value.code == "invalid-history"


def test_a_history_may_hold_objects_that_json_does_not_know(session: TodoSession) -> None:
    report = session.restore(
        [MappingProxyType({"role": "assistant", "content": "x", "at": object()})]
    )
    assert (report.format, report.requests) == ("openai-chat", 1)


def test_messages_of_langchain_are_read_as_they_are(session: TodoSession) -> None:
    write = writes(("1", "Read", "in_progress"))
    answer = ToolMessage("ok", tool_call_id=write.tool_calls[0]["id"])
    report = session.restore([HumanMessage("Go on."), write, answer])
    assert (report.format, report.applied) == ("langchain", 1)
    assert [todo.content for todo in session.todos()] == ["Read"]


def test_errors_have_a_code_and_one_line(plugin: TodoPlugin, session: TodoSession) -> None:
    cases: list[tuple[Callable[[], object], str]] = [
        (lambda: session.configure(Policy(max_todos=0)), "invalid-policy"),
        (lambda: plugin.session(Policy(remind_after=2_000_000)), "invalid-policy"),
        (lambda: session.load_state("{}"), "invalid-state"),
        (lambda: session.restore("not JSON"), "invalid-history"),
    ]
    for call, code in cases:
        with pytest.raises(TodoError) as caught:
            call()
        assert caught.value.code == code
        assert str(caught.value).startswith("Error: ")
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "policy",
    [
        {"remind_after": -1},
        {"remind_after": 2**32},
        {"remind_after": 8.0},
        {"max_todos": True},
        {"remind": 1},
        {"tool_set": "tasks"},
        {"in_progress_limit": "deny"},
    ],
)
def test_a_policy_that_the_interface_cannot_carry_is_refused(
    session: TodoSession, policy: dict[str, Any]
) -> None:
    with pytest.raises(TodoError) as caught:
        session.configure(Policy(**policy))
    assert caught.value.code == "invalid-policy"
    assert str(caught.value).startswith(f"Error: policy, {next(iter(policy))}: found ")


def test_tools_come_with_their_schemas(plugin: TodoPlugin) -> None:
    session = plugin.session(Policy(tool_set="both", max_todos=7))
    tools = {tool.name: tool for tool in session.tools()}
    assert list(tools) == ["todo_write", "TaskCreate", "TaskUpdate", "TaskGet", "TaskList"]
    assert tools["todo_write"].input_schema["properties"]["todos"]["maxItems"] == 7
    tools["todo_write"].input_schema.clear()
    assert tools["todo_write"].input_schema
    assert "todo_write" in session.instructions()


def test_a_reminder_is_handed_out_once(plugin: TodoPlugin) -> None:
    session = plugin.session(Policy(remind_after=2, remind_cooldown=5))
    session.call_tool("todo_write", PLAN)
    assert session.pending_history_appends() == []
    session.on_request()
    session.on_request()
    assert session.counters().requests_since_reminder is None
    (reminder,) = session.pending_history_appends()
    assert reminder.role == "system"
    assert "[in_progress] 2. Write" in reminder.text
    assert session.pending_history_appends() == []
    assert session.counters() == Counters(requests_since_write=2, requests_since_reminder=0)


def test_a_snapshot_carries_what_is_open(session: TodoSession) -> None:
    assert session.compact_snapshot() is None
    session.call_tool("todo_write", PLAN)
    snapshot = session.compact_snapshot()
    assert snapshot is not None
    assert snapshot.carry_over is not None
    assert "3. Test" in snapshot.carry_over.text
    assert "1. Read" in snapshot.context
    session.call_tool("todo_write", todos(("1", "Read", "completed")))
    done = session.compact_snapshot()
    assert done is not None
    assert done.carry_over is None


def test_a_session_goes_on_from_its_state(plugin: TodoPlugin, session: TodoSession) -> None:
    session.configure(Policy(tool_set="task", remind_after=0))
    session.call_tool("TaskCreate", {"subject": "Read", "description": "All of it"})
    state = session.save_state()
    again = plugin.session(state=state)
    assert again.save_state() == state
    assert again.todos() == [Todo("1", "Read", "pending", "All of it")]
    assert [tool.name for tool in plugin.session(Policy(), state=state).tools()] == ["todo_write"]


def test_a_bound_kills_the_session_and_no_other() -> None:
    plugin = TodoPlugin(fuel=5_000_000, cache=False)
    session, other = plugin.session(), plugin.session()
    session.call_tool("todo_write", PLAN)
    state = session.save_state()
    for _ in range(100):  # fuel is for each call, not for the session
        session.call_tool("todo_write", PLAN)
    with pytest.raises(SessionDead, match="all fuel consumed") as caught:
        session.restore(json.dumps([{"role": "user", "content": "x" * 4_000_000}] * 4))
    assert caught.value.code == "session-dead"
    assert "plugin.session(state=...)" in str(caught.value)
    assert "\n" not in str(caught.value)
    with pytest.raises(SessionDead):
        session.todos()
    assert not other.todos()
    assert plugin.session(state=state).save_state() == state


def test_a_memory_limit_kills_the_session() -> None:
    session = TodoPlugin(memory_limit=1 << 20, cache=False).session()
    assert not session.call_tool("todo_write", PLAN).is_error
    with pytest.raises(SessionDead):
        session.call_tool("todo_write", {"todos": "x" * 2_000_000})
    with pytest.raises(SessionDead, match="no session can be made"):
        TodoPlugin(memory_limit=1, cache=False).session()


def test_a_closed_session_says_so(plugin: TodoPlugin) -> None:
    with plugin.session() as session:
        session.on_request()
    with pytest.raises(SessionDead, match="it was closed"):
        session.on_request()
    session.close()


def test_a_session_that_nothing_refers_to_is_freed(plugin: TodoPlugin) -> None:
    session = plugin.session()
    session.call_tool("todo_write", PLAN)
    gone = weakref.ref(session)
    del session
    gc.collect()
    assert gone() is None


def test_errors_cross_process_borders_with_their_code() -> None:
    error = pickle.loads(pickle.dumps(SessionDead("session-dead", "gone")))  # noqa: S301
    assert (type(error), error.code, str(error)) == (SessionDead, "session-dead", "gone")
