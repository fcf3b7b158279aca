"""Times a write of 20 items beside what a Python host would use instead, in one run.

Each is called the way an agent calls it, from parsed arguments to the text for the model.
Processor time is counted, so that a busy machine changes little.
"""

from __future__ import annotations

import statistics
import time
from typing import TYPE_CHECKING, Any

from langchain.agents import create_agent
from langchain.agents.middleware import TodoListMiddleware
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, HumanMessage
from langgraph.prebuilt import ToolRuntime
from typing_extensions import Self

from agent_todo import TodoPlugin
from agent_todo.langchain import TodoMiddleware

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from langchain_core.tools import BaseTool

ITEMS = [
    {"id": str(number), "content": f"{number}. " + "x" * 47, "status": "pending"}
    for number in range(1, 21)
]
ROUNDS, CALLS = 15, 100


class ByHand:
    """What a host author writes in half an hour: checks, a list, its text."""

    def __init__(self) -> None:
        self.todos: list[dict[str, str]] = []

    def write(self, todos: list[dict[str, str]]) -> str:
        """Take the list, and give its text or an error's."""
        seen: set[str] = set()
        for number, todo in enumerate(todos, 1):
            if not todo.get("content", "").strip():
                return f"Error: item {number} has no content"
            if todo.get("status") not in {"pending", "in_progress", "completed"}:
                return f"Error: item {number} has an unknown status"
            if todo["id"] in seen:
                return f"Error: item {number} has the id of another"
            seen.add(todo["id"])
        self.todos = [dict(todo) for todo in todos]
        marks = {"pending": " ", "in_progress": ">", "completed": "x"}
        lines = [f"[{marks[todo['status']]}] {todo['id']}. {todo['content']}" for todo in todos]
        done = sum(todo["status"] == "completed" for todo in todos)
        return "\n".join(lines) + f"\n\n({done}/{len(todos)} completed)"


class Fake(GenericFakeChatModel):
    """LangChain's fake model, which takes tools here."""

    def bind_tools(self, *_: Any, **__: Any) -> Self:  # noqa: ANN401
        """Take the tools, and do nothing with them."""
        return self


def langchain_tool(tool: BaseTool, items: list[dict[str, str]]) -> Callable[[], object]:
    """Call a tool as LangChain's tool node does."""
    runtime: ToolRuntime[Any, Any] = ToolRuntime(
        state={"messages": []},
        context=None,
        config={},
        stream_writer=lambda _: None,
        tool_call_id="1",
        store=None,
    )
    call = {"name": tool.name, "args": {"todos": items, "runtime": runtime}, "id": "1"}
    return lambda: tool.invoke({**call, "type": "tool_call"})


def langchain_turn(middleware: Any, name: str, items: list[dict[str, str]]) -> Callable[[], object]:  # noqa: ANN401
    """Run a turn of an agent: a request, one write, another request."""

    def script() -> Iterator[AIMessage]:
        call = {"name": name, "args": {"todos": items}, "id": "1", "type": "tool_call"}
        while True:
            yield AIMessage("", tool_calls=[call])
            yield AIMessage("Done.")

    agent = create_agent(Fake(messages=script()), middleware=[middleware])
    return lambda: agent.invoke({"messages": [HumanMessage("Go on.")]})


def main() -> None:
    """Print the medians, and their ratios to the component."""
    plain = [{"content": todo["content"], "status": todo["status"]} for todo in ITEMS]
    session, hand = TodoPlugin().session(), ByHand()
    theirs, ours = TodoListMiddleware(), TodoMiddleware()
    print(f"A write of {len(ITEMS)} items, processor time, median of {ROUNDS} rounds:")
    report(
        {
            "agent_todo, TodoSession.call_tool": lambda: session.call_tool(
                "todo_write", {"todos": ITEMS}
            ),
            "a Python class written by hand": lambda: hand.write(ITEMS),
            "LangChain's write_todos": langchain_tool(theirs.tools[0], plain),
            "agent_todo.langchain's todo_write": langchain_tool(ours.tools[0], ITEMS),
        },
        CALLS,
    )
    print("The same inside a turn of a LangChain agent with a fake model, two requests:")
    report(
        {
            "TodoMiddleware": langchain_turn(ours, "todo_write", ITEMS),
            "TodoListMiddleware": langchain_turn(theirs, "write_todos", plain),
        },
        10,
    )


def report(cases: dict[str, Callable[[], object]], calls: int) -> None:
    """Time the cases in turn, round by round, so that a busy machine meets all of them."""
    times: dict[str, list[float]] = {name: [] for name in cases}
    for case in cases.values():
        case()
    for _ in range(ROUNDS):
        for name, case in cases.items():
            start = time.process_time()
            for _ in range(calls):
                case()
            times[name].append((time.process_time() - start) / calls)
    first = statistics.median(next(iter(times.values())))
    for name, rounds in times.items():
        median = statistics.median(rounds)
        print(f"  {name:36} {median * 1e6:8.0f} µs  {median / first:6.2f}")


if __name__ == "__main__":
    main()
