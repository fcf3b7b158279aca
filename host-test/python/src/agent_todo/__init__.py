"""A todo list that an agent host embeds: the component ``agent:todo`` for Python.

A model that works on a long task forgets its plan. The plugin gives it a todo tool,
reminds it when the list goes stale, rebuilds the list from the history that the host
has anyway, and hands the open items over when that history is compacted::

    from agent_todo import TodoPlugin

    session = TodoPlugin().session()
    answer = session.call_tool("todo_write", {"todos": [
        {"id": "1", "content": "Read the loader", "status": "in_progress"},
    ]})
    print(answer.text)

`agent_todo.langchain` is a middleware for LangChain and deepagents,
`agent_todo.pydantic_ai` a capability for pydantic-ai. The file ``agent-todo.wit`` in
this package documents the component itself.
"""

from agent_todo.errors import ErrorCode, SessionDead, TodoError
from agent_todo.plugin import TodoPlugin
from agent_todo.policy import Policy
from agent_todo.results import (
    Counters,
    HistoryItem,
    Progress,
    RestoreReport,
    Snapshot,
    Status,
    Todo,
    ToolDefinition,
    ToolOutput,
)
from agent_todo.session import TodoSession

__all__ = [
    "Counters",
    "ErrorCode",
    "HistoryItem",
    "Policy",
    "Progress",
    "RestoreReport",
    "SessionDead",
    "Snapshot",
    "Status",
    "Todo",
    "TodoError",
    "TodoPlugin",
    "TodoSession",
    "ToolDefinition",
    "ToolOutput",
]
