"""The middleware: four hooks and the tools."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Any, Literal

from langchain.agents.middleware import AgentMiddleware, AgentState
from langchain.tools import ToolRuntime  # noqa: TC002 read from the tools' signatures
from langchain_core.messages import (
    AnyMessage,
    HumanMessage,
    SystemMessage,
    ToolMessage,
    messages_to_dict,
)
from langchain_core.tools import BaseTool, StructuredTool
from typing_extensions import override

from agent_todo.langchain import thread
from agent_todo.langchain.thread import TodoState
from agent_todo.plugin import TodoPlugin, shared_plugin
from agent_todo.policy import Policy

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from langchain.agents.middleware import ModelRequest, ModelResponse
    from langgraph.runtime import Runtime

    from agent_todo.results import HistoryItem, ToolDefinition


State = AgentState[Any]


class _TodoTool(StructuredTool):
    """A structured tool whose arguments may have any name, ``self`` and ``config`` too."""

    def _run(self, /, **arguments: Any) -> Any:  # type: ignore[override]  # noqa: ANN401
        return self.func and self.func(**arguments)

    async def _arun(self, /, **arguments: Any) -> Any:  # type: ignore[override]  # noqa: ANN401
        return self.coroutine and await self.coroutine(**arguments)


class TodoMiddleware(AgentMiddleware[State, Any, Any]):
    """Gives an agent the todo tools, reminds it, and survives restarts and summaries.

    ``policy`` says how sessions behave. With ``Policy(adopt_snapshot=True)`` the list
    stays filled over a summary; without it the model is told what was open and writes
    what still applies. ``plugin`` is one of the host's own, with other limits.
    ``reminder_role`` is who reminders speak as: a user message is what every provider
    takes in the middle of a history; ``"system"`` is for models that take that too.

    Raises `TodoError` ``invalid-policy`` for a policy out of range.
    """

    state_schema: type[State] = TodoState
    tools: Sequence[BaseTool]

    def __init__(
        self,
        policy: Policy | None = None,
        *,
        plugin: TodoPlugin | None = None,
        reminder_role: Literal["user", "system"] = "user",
    ) -> None:
        super().__init__()
        self._policy = policy or Policy()
        self._plugin = plugin or shared_plugin()
        self._message = HumanMessage if reminder_role == "user" else SystemMessage
        with self._plugin.session(self._policy) as session:
            self._instructions = session.instructions()
            definitions = session.tools()
        self._names = {definition.name for definition in definitions}
        self.tools = [self._tool(definition) for definition in definitions]

    @override
    def before_agent(self, state: State, runtime: Runtime[Any]) -> dict[str, Any] | None:
        """Read the list from the thread's messages, whoever wrote them."""
        messages = thread.history(state)
        if thread.shortened(messages, thread.mark_of(state)):
            return None  # what was cut off is still known, and `before_model` appends it
        with thread.read(self._plugin, self._policy, messages) as session:
            return {**thread.marked(session, messages, []), **thread.show(state, session)}

    @override
    def before_model(self, state: State, runtime: Runtime[Any]) -> dict[str, Any] | None:
        """Count the requests, and append what is due: a carry-over or a reminder."""
        messages, mark = thread.history(state), thread.mark_of(state)
        session, changed = thread.follow(self._plugin, self._policy, messages, mark)
        with session:
            if item := thread.carry_over(self._plugin, messages, mark, session):
                appends = [self._append(item)]
                session.restore(messages_to_dict(appends))
            else:
                appends = [self._append(item) for item in session.pending_history_appends()]
            shown = thread.show(state, session) if changed else {}
            return {**thread.marked(session, messages, appends), **shown}

    @override
    def wrap_model_call(
        self,
        request: ModelRequest[Any],
        handler: Callable[[ModelRequest[Any]], ModelResponse[Any]],
    ) -> ModelResponse[Any]:
        """Add the instructions to the system prompt."""
        return handler(self._instruct(request))

    @override
    async def abefore_agent(self, state: State, runtime: Runtime[Any]) -> dict[str, Any] | None:
        """Do the same as `before_agent`."""
        return self.before_agent(state, runtime)

    @override
    async def abefore_model(self, state: State, runtime: Runtime[Any]) -> dict[str, Any] | None:
        """Do the same as `before_model`."""
        return self.before_model(state, runtime)

    @override
    async def awrap_model_call(
        self,
        request: ModelRequest[Any],
        handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]],
    ) -> ModelResponse[Any]:
        """Do the same as `wrap_model_call`."""
        return await handler(self._instruct(request))

    def _append(self, item: HistoryItem) -> AnyMessage:
        return self._message(
            item.text, id=str(uuid.uuid4()), additional_kwargs={"lc_source": "agent_todo"}
        )

    def _instruct(self, request: ModelRequest[Any]) -> ModelRequest[Any]:
        given = request.system_message
        if given is None:
            return request.override(system_message=SystemMessage(self._instructions))
        content: list[Any] = [
            *given.content_blocks,
            {"type": "text", "text": f"\n\n{self._instructions}"},
        ]
        return request.override(system_message=SystemMessage(content=content))

    def _tool(self, definition: ToolDefinition) -> StructuredTool:
        def run(runtime: ToolRuntime[Any, State], **arguments: object) -> ToolMessage:
            return self._call(definition.name, arguments, runtime)

        async def arun(runtime: ToolRuntime[Any, State], **arguments: object) -> ToolMessage:
            return run(runtime, **arguments)

        return _TodoTool(
            name=definition.name,
            description=definition.description,
            args_schema=definition.input_schema,
            func=run,
            coroutine=arun,
        )

    def _call(
        self, name: str, arguments: dict[str, object], runtime: ToolRuntime[Any, State]
    ) -> ToolMessage:
        """Answer a call as if those before it in the same response had been made.

        LangChain runs the calls of one response side by side, in any order; a later
        run reads them in the order of the response.
        """
        messages, call_id = thread.history(runtime.state), runtime.tool_call_id
        at = thread.index_of_call(messages, call_id)
        mark = thread.mark_of(runtime.state)
        session, _ = thread.follow(self._plugin, self._policy, messages[:at], mark)
        with session:
            for call in thread.calls_before(messages[at:], call_id):
                if call["name"] in self._names:
                    session.call_tool(call["name"], call["args"])
            output = session.call_tool(name, arguments)
        return ToolMessage(
            output.text,
            name=name,
            tool_call_id=call_id,
            status="error" if output.is_error else "success",
        )
