"""A capability for pydantic-ai agents.

::

    agent = Agent(model, capabilities=[TodoCapability()])
    result = await agent.run("Add the flag", message_history=messages)

The list is read from the message history before each request, so one capability
serves any number of runs at once, and a history that was stored, cut or forked has
the list it had there. A capability that summarises the history stands before it, so
that the items that are open come back in the same step.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.exceptions import ToolFailed
from pydantic_ai.messages import ModelMessagesTypeAdapter, UserPromptPart
from pydantic_ai.tools import AgentDepsT, RunContext, ToolDefinition
from pydantic_ai.toolsets import AbstractToolset, ToolsetTool
from typing_extensions import override

from agent_todo.plugin import TodoPlugin, shared_plugin
from agent_todo.policy import Policy

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pydantic_ai.messages import ModelMessage
    from pydantic_ai.models import ModelRequestContext

    from agent_todo.session import TodoSession


class _AsSent:
    """Leaves the check of arguments to the component.

    It understands more than the schema asks for, and says what is legal where it
    does not. Text that is no JSON object stays text.
    """

    def validate_json(self, input: str | bytes | bytearray, **_: Any) -> Any:  # noqa: A002, ANN401
        text = input if isinstance(input, str) else input.decode(errors="replace")
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            return text
        return value if isinstance(value, dict) else text

    def validate_python(self, input: Any, **_: Any) -> Any:  # noqa: A002, ANN401
        return input


@dataclass
class TodoCapability(AbstractCapability[AgentDepsT]):
    """Gives an agent the todo tools, reminds it, and survives restarts and summaries.

    ``policy`` says how sessions behave; ``plugin`` is one of the host's own, with
    other limits. Raises `TodoError` ``invalid-policy`` for a policy out of range.
    """

    policy: Policy = field(default_factory=Policy)
    plugin: TodoPlugin = field(default_factory=shared_plugin, repr=False)
    session: TodoSession = field(init=False, repr=False)
    """The list of the run."""

    _requests: int = field(default=0, init=False, repr=False)

    def __post_init__(self) -> None:
        """Begin empty."""
        self.session = self.plugin.session(self.policy)

    @override
    async def for_run(self, ctx: RunContext[AgentDepsT]) -> TodoCapability[AgentDepsT]:
        """Give each run a list of its own, read from the history it starts with."""
        run = replace(self)
        run.read(ctx.messages)
        return run

    @override
    def get_instructions(self) -> str:
        """Say when to plan, as part of the system prompt."""
        return self.session.instructions()

    @override
    def get_toolset(self) -> AbstractToolset[AgentDepsT]:
        """Give the tools that the policy turns on."""
        return _TodoTools(self)

    @override
    async def before_model_request(
        self, ctx: RunContext[AgentDepsT], request_context: ModelRequestContext
    ) -> ModelRequestContext:
        """Count the requests, and append what is due: a carry-over or a reminder."""
        before, requests = self.session, self._requests
        self.read(ctx.messages)
        # A history that was not cut has a response more than at the last request.
        was_cut = self._requests <= requests
        if was_cut and before.todos() != self.session.todos():
            snapshot = before.compact_snapshot()
            items = [snapshot.carry_over] if snapshot and snapshot.carry_over else []
        else:
            items = self.session.pending_history_appends()
        for item in items:
            ctx.enqueue(UserPromptPart(item.text))
        return request_context

    def read(self, messages: Sequence[ModelMessage]) -> None:
        """Take the list from a history."""
        session = self.plugin.session(self.policy)
        report = session.restore(ModelMessagesTypeAdapter.dump_json(list(messages)).decode())
        self.session, self._requests = session, report.requests


class _TodoTools(AbstractToolset[AgentDepsT]):
    """The tools of one run, over the list that it has at the time of a call."""

    def __init__(self, capability: TodoCapability[AgentDepsT]) -> None:
        self._capability = capability
        # One call after another, as a later run reads them from the history.
        self._definitions = [
            ToolDefinition(
                name=tool.name,
                description=tool.description,
                parameters_json_schema=tool.input_schema,
                sequential=True,
            )
            for tool in capability.session.tools()
        ]

    @property
    @override
    def id(self) -> str:
        return "agent_todo"

    @override
    async def get_tools(self, ctx: RunContext[AgentDepsT]) -> dict[str, ToolsetTool[AgentDepsT]]:
        return {
            definition.name: ToolsetTool(
                toolset=self, tool_def=definition, max_retries=0, args_validator=_AsSent()
            )
            for definition in self._definitions
        }

    @override
    async def call_tool(
        self,
        name: str,
        tool_args: dict[str, Any],
        ctx: RunContext[AgentDepsT],
        tool: ToolsetTool[AgentDepsT],
    ) -> str:
        output = self._capability.session.call_tool(name, tool_args)
        if output.is_error:
            raise ToolFailed(output.text)
        return output.text
