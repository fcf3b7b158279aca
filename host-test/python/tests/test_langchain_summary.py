"""A summary of a LangChain thread takes no open item away."""

from __future__ import annotations

from typing import Any

from langchain.agents.middleware import AgentState, SummarizationMiddleware, before_model
from langchain_core.messages import RemoveMessage
from scripted import READ, WRITE, Scripted, agent, contents, says, turn, writes

from agent_todo import Policy
from agent_todo.langchain import TodoMiddleware


def summarised(middleware: TodoMiddleware, keep: int = 1, *, first: bool = False) -> Any:
    """Give an agent that summarises before the request of its third turn."""
    model = Scripted.of(
        writes(("0", "Plan", "completed"), READ, WRITE), *map(says, ["One.", "Two.", "Three.", "!"])
    )
    summary = SummarizationMiddleware(
        Scripted.of(says("SUMMARY")), trigger=("messages", 7), keep=("messages", keep)
    )
    chain: list[Any] = [middleware, summary] if first else [summary, middleware]
    graph = agent(model, *chain)
    turn(graph)
    turn(graph)
    return graph, model


def test_a_summary_is_followed_by_what_was_open_in_the_same_step() -> None:
    graph, model = summarised(TodoMiddleware())
    assert contents(turn(graph)) == []
    summary, human, carry_over = model.asked[-1][1:]
    assert "SUMMARY" in summary.text
    assert human.text == "Go on."
    assert carry_over.text.startswith("<system-reminder>\nThese todo items were open")
    assert "[in_progress] 1. Read\n[pending] 2. Write" in carry_over.text
    assert "Plan" not in carry_over.text
    turn(graph)
    assert len([m for m in model.asked[-1] if "<system-reminder>" in m.text]) == 1


def test_an_adopted_list_stays_filled_over_a_summary() -> None:
    graph, model = summarised(TodoMiddleware(Policy(adopt_snapshot=True)))
    assert contents(turn(graph)) == ["Read", "Write"]
    assert "The list still holds them." in model.asked[-1][-1].text
    assert contents(turn(graph)) == ["Read", "Write"]


def test_a_summary_that_keeps_the_write_needs_no_carry_over() -> None:
    graph, model = summarised(TodoMiddleware(), keep=6)
    assert contents(turn(graph)) == ["Plan", "Read", "Write"]
    assert "SUMMARY" in model.asked[-1][1].text
    assert not [m for m in model.asked[-1] if "<system-reminder>" in m.text]


def test_before_the_summariser_the_carry_over_comes_a_request_later() -> None:
    graph, model = summarised(TodoMiddleware(), first=True)
    turn(graph)
    assert "SUMMARY" in model.asked[-1][1].text
    assert not [m for m in model.asked[-1] if "<system-reminder>" in m.text]
    turn(graph)
    assert [m for m in model.asked[-1] if "These todo items were open" in m.text]


def test_a_thread_that_is_cut_without_a_summary_is_followed_by_what_was_open() -> None:
    @before_model
    def cut(state: AgentState[Any], _: Any) -> dict[str, Any]:
        return {"messages": [RemoveMessage(id=str(m.id)) for m in state["messages"][:-3]]}

    model = Scripted.of(writes(READ, WRITE), *map(says, "1234"))
    graph = agent(model, cut, TodoMiddleware(Policy(adopt_snapshot=True)))
    for _ in range(4):
        result = turn(graph)
        assert contents(result) == ["Read", "Write"]
    carried = [[m for m in asked if "were open when" in m.text] for asked in model.asked]
    assert [len(messages) for messages in carried] == [0, 0, 1, 1, 1]
