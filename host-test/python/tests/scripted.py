"""LangChain's own fake model, reading from a script."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

from langchain.agents import create_agent
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langgraph.checkpoint.memory import InMemorySaver
from pydantic import Field
from typing_extensions import Self, override

from agent_todo.langchain import TodoMiddleware

if TYPE_CHECKING:
    from langchain.agents.middleware import AgentMiddleware
    from langchain_core.outputs import ChatResult

CALLS = itertools.count(1)
READ = ("1", "Read", "in_progress")
WRITE = ("2", "Write", "pending")
THREAD: Any = {"configurable": {"thread_id": "1"}}


class Scripted(GenericFakeChatModel):
    """Answers from a script, and keeps what it was asked."""

    asked: list[list[BaseMessage]] = Field(default_factory=list)
    bound: list[Any] = Field(default_factory=list)

    @classmethod
    def of(cls, *replies: AIMessage) -> Scripted:
        return cls(messages=iter(replies))

    @override
    def bind_tools(self, tools: Any, **_: Any) -> Self:
        self.bound[:] = tools
        return self

    @override
    def _generate(self, messages: list[BaseMessage], *args: Any, **options: Any) -> ChatResult:
        self.asked.append(list(messages))
        return super()._generate(messages, *args, **options)


def says(text: str) -> AIMessage:
    return AIMessage(text)


def calls(*calls: tuple[str, dict[str, Any]]) -> AIMessage:
    """Give a response that calls tools."""
    return AIMessage(
        "",
        tool_calls=[
            {"name": name, "args": arguments, "id": f"call-{next(CALLS)}", "type": "tool_call"}
            for name, arguments in calls
        ],
    )


def todos(*items: tuple[str, str, str]) -> dict[str, Any]:
    """Give the arguments of a write: ids, contents, statuses."""
    return {
        "todos": [
            {"id": number, "content": content, "status": status}
            for number, content, status in items
        ]
    }


def writes(*items: tuple[str, str, str]) -> AIMessage:
    return calls(("todo_write", todos(*items)))


def agent(model: Scripted, *middleware: AgentMiddleware[Any, Any, Any]) -> Any:
    chain = middleware or (TodoMiddleware(),)
    return create_agent(model, middleware=list(chain), checkpointer=InMemorySaver())


def turn(graph: Any, text: str = "Go on.") -> dict[str, Any]:
    result: dict[str, Any] = graph.invoke({"messages": [HumanMessage(text)]}, THREAD)
    return result


def contents(result: dict[str, Any]) -> list[str]:
    return [todo["content"] for todo in result["todos"]]
