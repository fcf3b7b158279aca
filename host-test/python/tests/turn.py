"""One turn of an agent in a process of its own: `python turn.py DATABASE TEXT`.

The model plans when it is asked to, and otherwise says how many items are open.
"""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

from langchain.agents import create_agent
from langchain_core.messages import HumanMessage, ToolMessage
from langgraph.checkpoint.sqlite import SqliteSaver
from scripted import READ, THREAD, WRITE, Scripted, says, writes
from typing_extensions import override

from agent_todo import Policy
from agent_todo.langchain import TodoMiddleware

if TYPE_CHECKING:
    from langchain_core.messages import AIMessage, BaseMessage
    from langchain_core.outputs import ChatResult


class Planner(Scripted):
    """Answers to what stands last, in any thread."""

    @override
    def _generate(self, messages: list[BaseMessage], *args: Any, **options: Any) -> ChatResult:
        self.messages = iter([self.reply(messages)])
        return super()._generate(messages, *args, **options)

    def reply(self, messages: list[BaseMessage]) -> AIMessage:
        if isinstance(messages[-1], HumanMessage) and messages[-1].text == "Plan.":
            return writes(READ, WRITE)
        return says("Planned." if isinstance(messages[-1], ToolMessage) else "Going on.")


def main(database: str, text: str) -> None:
    middleware = TodoMiddleware(Policy(remind_after=2, remind_cooldown=10))
    with SqliteSaver.from_conn_string(database) as saver:
        graph: Any = create_agent(Planner.of(), middleware=[middleware], checkpointer=saver)
        result = graph.invoke({"messages": [HumanMessage(text)]}, THREAD)
    reminders = [m for m in result["messages"] if m.text.startswith("<system-reminder>")]
    json.dump({"todos": result["todos"], "reminders": len(reminders)}, sys.stdout)


if __name__ == "__main__":
    main(*sys.argv[1:])
