"""The middleware works in deepagents: beside its tools, its summaries and its sub-agents."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("deepagents", reason="deepagents needs Python 3.11 or later")

from deepagents import create_deep_agent
from deepagents.backends import StateBackend
from deepagents.middleware.summarization import SummarizationMiddleware
from langgraph.checkpoint.memory import InMemorySaver
from scripted import READ, WRITE, Scripted, calls, contents, says, turn, writes

from agent_todo import Policy
from agent_todo.langchain import TodoMiddleware


def test_a_deep_agent_keeps_a_list() -> None:
    model = Scripted.of(writes(READ, WRITE), says("Done."), says("Yes."))
    graph = create_deep_agent(
        model, middleware=[TodoMiddleware(Policy(remind_after=1))], checkpointer=InMemorySaver()
    )
    assert contents(turn(graph)) == ["Read", "Write"]
    result = turn(graph)
    assert contents(result) == ["Read", "Write"]
    assert model.asked[-1][-1].text.startswith("<system-reminder>")


def test_a_sub_agent_has_a_list_of_its_own() -> None:
    helper = Scripted.of(writes(("1", "Help", "in_progress")), says("Helped."))
    model = Scripted.of(
        writes(READ),
        calls(("task", {"description": "Help.", "subagent_type": "helper"})),
        writes(READ, WRITE),
        says("Done."),
    )
    todo = TodoMiddleware()
    sub_agent: Any = {
        "name": "helper",
        "description": "Helps.",
        "system_prompt": "Help.",
        "model": helper,
        "middleware": [todo],
    }
    graph = create_deep_agent(
        model, middleware=[todo], subagents=[sub_agent], checkpointer=InMemorySaver()
    )
    result = turn(graph)
    assert contents(result) == ["Read", "Write"]
    assert "Note: " not in result["messages"][-2].text
    assert helper.asked[1][-1].text == "[>] 1. Help\n\n(0/1 completed)"


def test_a_summary_is_followed_by_what_was_open_with_the_next_request() -> None:
    model = Scripted.of(writes(READ, WRITE), *map(says, ["1", "2", "3", "4"]))
    summary = SummarizationMiddleware(
        Scripted.of(says("SUMMARY")),
        backend=StateBackend(),
        trigger=("messages", 7),
        keep=("messages", 1),
    )
    graph = create_deep_agent(
        model, middleware=[summary, TodoMiddleware()], checkpointer=InMemorySaver()
    )
    for _ in range(3):
        turn(graph)
    assert "SUMMARY" in "".join(message.text for message in model.asked[-1])
    result = turn(graph)
    assert contents(result) == []
    assert "1. Read\n[pending] 2. Write" in model.asked[-1][-1].text
