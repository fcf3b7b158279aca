"""One middleware object serves many threads at once, and a thread outlives its process."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from langchain.agents import create_agent
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langgraph.checkpoint.memory import InMemorySaver
from scripted import todos, writes
from typing_extensions import Self, override

from agent_todo import Policy
from agent_todo.langchain import TodoMiddleware

THREADS, TURNS = 50, 3


class Echo(GenericFakeChatModel):
    """Plans what the user says, twice in one response, and is done after that."""

    @override
    def bind_tools(self, *_: Any, **__: Any) -> Self:
        return self

    @override
    def _generate(self, messages: list[BaseMessage], *_: Any, **__: Any) -> ChatResult:
        said = [m for m in messages if not m.text.startswith("<system-reminder>")]
        humans = [m for m in said if isinstance(m, HumanMessage)]
        reply = AIMessage("Done.")
        if said[-1] is humans[-1]:
            plan = writes(("1", humans[-1].text, "pending"))
            again = writes(("1", humans[-1].text, "in_progress"), ("2", "More", "pending"))
            reply = AIMessage("", tool_calls=[*plan.tool_calls, *again.tool_calls])
        return ChatResult(generations=[ChatGeneration(message=reply)])


def echo() -> Any:
    """Give one agent for all threads, with one middleware object."""
    middleware = TodoMiddleware(Policy(remind_after=0, remind_cooldown=2))
    return create_agent(
        Echo(messages=iter(())), middleware=[middleware], checkpointer=InMemorySaver()
    )


def check(number: int, states: list[dict[str, Any]]) -> None:
    for turn, state in enumerate(states):
        wanted = ("1", f"{number} in {turn}", "in_progress"), ("2", "More", "pending")
        assert state["todos"] == todos(*wanted)["todos"]
    texts = [m.text for m in states[-1]["messages"] if isinstance(m, ToolMessage)]
    assert len(texts) == 2 * TURNS
    assert all(f"1. {number} in " in text for text in texts)
    assert [text.split("]")[0] for text in texts] == ["[ ", "[>"] * TURNS
    reminders = [m.text for m in states[-1]["messages"] if m.text.startswith("<system-reminder>")]
    assert len(reminders) == TURNS
    assert all(f"1. {number} in " in text for text in reminders)


def test_fifty_threads_in_parallel_keep_their_lists_apart() -> None:
    graph, start = echo(), threading.Barrier(THREADS)

    def run(number: int) -> list[dict[str, Any]]:
        start.wait()
        return [graph.invoke(*given(number, turn)) for turn in range(TURNS)]

    with ThreadPoolExecutor(THREADS) as pool:
        for number, states in enumerate(pool.map(run, range(THREADS))):
            check(number, states)


def test_fifty_tasks_of_one_loop_keep_their_lists_apart() -> None:
    graph = echo()

    async def run(number: int) -> list[dict[str, Any]]:
        return [await graph.ainvoke(*given(number, turn)) for turn in range(TURNS)]

    async def run_all() -> list[list[dict[str, Any]]]:
        return await asyncio.gather(*(run(number) for number in range(THREADS)))

    for number, states in enumerate(asyncio.run(run_all())):
        check(number, states)


def given(number: int, turn: int) -> tuple[dict[str, Any], dict[str, Any]]:
    message = HumanMessage(f"{number} in {turn}")
    return {"messages": [message]}, {"configurable": {"thread_id": str(number)}}


def test_a_thread_goes_on_in_a_new_process(tmp_path: Path) -> None:
    def turn(text: str) -> dict[str, Any]:
        program = Path(__file__).with_name("turn.py")
        command = [sys.executable, str(program), str(tmp_path / "threads.db"), text]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
        state: dict[str, Any] = json.loads(done.stdout)
        return state

    planned = turn("Plan.")
    assert [todo["content"] for todo in planned["todos"]] == ["Read", "Write"]
    turns = [turn("Go on.") for _ in range(2)]
    assert all(state["todos"] == planned["todos"] for state in turns)
    assert [state["reminders"] for state in turns] == [0, 1]
