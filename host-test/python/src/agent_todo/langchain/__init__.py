"""A middleware for LangChain 1.x agents, also for deepagents.

::

    agent = create_agent(
        model,
        tools=[...],
        middleware=[SummarizationMiddleware(model, trigger=...), TodoMiddleware()],
    )

It stands after a middleware that summarises, so that the items that are open come
back in the same step. The list is never kept in this process: it is read from the
thread's messages when a run begins, and followed from there in the thread's own state.
One middleware object therefore serves any number of threads and agents at once, in any
number of processes, and a thread that was rewound or forked has the list it had there.
"""

from agent_todo.langchain.middleware import TodoMiddleware
from agent_todo.langchain.thread import TodoState

__all__ = ["TodoMiddleware", "TodoState"]
