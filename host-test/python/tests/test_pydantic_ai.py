"""The capability keeps a list in a pydantic-ai agent, run for run."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("pydantic_ai", reason="pydantic-ai needs Python 3.11 or later")

from pydantic_ai import Agent, ModelMessagesTypeAdapter
from pydantic_ai.capabilities import ProcessHistory
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models.function import AgentInfo, FunctionModel
from readme import code
from readme import run as run_example
from scripted import READ, WRITE, todos

from agent_todo import Policy, TodoError, TodoPlugin
from agent_todo.pydantic_ai import TodoCapability

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelRequestPart

PLAN = todos(READ, WRITE)


class Script:
    """Answers from a script, and keeps what the model was asked."""

    def __init__(self, *replies: str | list[dict[str, Any] | str]) -> None:
        self.replies = list(replies)
        self.asked: list[list[ModelMessage]] = []
        self.infos: list[AgentInfo] = []

    def __call__(self, messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        self.asked.append(messages)
        self.infos.append(info)
        reply = self.replies.pop(0)
        if isinstance(reply, str):
            return ModelResponse([TextPart(reply)])
        return ModelResponse([ToolCallPart("todo_write", arguments) for arguments in reply])

    def agent(self, policy: Policy | None = None, *before: Any) -> Agent[None, str]:
        capability = TodoCapability[None](policy or Policy())
        return Agent(FunctionModel(self), capabilities=[*before, capability])


def parts(messages: list[ModelMessage]) -> list[ModelRequestPart]:
    return [part for m in messages if isinstance(m, ModelRequest) for part in m.parts]


def answers(messages: list[ModelMessage]) -> list[str]:
    return [str(part.content) for part in parts(messages) if isinstance(part, ToolReturnPart)]


def reminders(messages: list[ModelMessage]) -> list[str]:
    prompts = [part.content for part in parts(messages) if isinstance(part, UserPromptPart)]
    return [text for text in prompts if isinstance(text, str) and "<system-reminder>" in text]


def runs(agent: Agent[None, str], number: int) -> list[ModelMessage]:
    """Run the agent so often, each time with the history of the last."""
    history: list[ModelMessage] = []
    for _ in range(number):
        history = agent.run_sync("Go on.", message_history=history).all_messages()
    return history


def test_the_model_gets_the_tools_and_the_instructions() -> None:
    script = Script("Hello.")
    runs(script.agent(), 1)
    session = TodoPlugin().session()
    (tool,) = script.infos[0].function_tools
    (definition,) = session.tools()
    assert tool.parameters_json_schema == definition.input_schema
    assert (tool.name, tool.description) == (definition.name, definition.description)
    assert script.infos[0].instructions == session.instructions()


def test_a_list_is_kept_over_runs() -> None:
    history = runs(Script([PLAN], "Done.", [todos(WRITE)], "Done.").agent(), 2)
    first, second = answers(history)
    assert first == "[>] 1. Read\n[ ] 2. Write\n\n(0/2 completed)"
    assert "Note: " in second
    assert "1. Read" in second


def test_calls_of_one_response_are_answered_in_their_order() -> None:
    history = runs(Script([todos(READ), PLAN, todos(WRITE)], "Done.").agent(), 1)
    assert [text.splitlines()[0] for text in answers(history)] == [
        "[>] 1. Read",
        "[>] 1. Read",
        "[ ] 2. Write",
    ]


@pytest.mark.parametrize("sent", ['{"todos": [', '[{"id": "1"}]', "null", '{"todos": 5}', "7"])
def test_what_the_model_got_wrong_goes_back_to_it(sent: str) -> None:
    history = runs(Script([PLAN], [sent], "Sorry.").agent(), 1)
    _, refused = answers(history)
    assert refused.startswith("Error: ")
    outcomes = [part.outcome for part in parts(history) if isinstance(part, ToolReturnPart)]
    assert outcomes == ["success", "failed"]


def test_what_can_be_understood_is() -> None:
    history = runs(Script(['["Read", "Write"]'], "Done.").agent(), 1)
    assert answers(history)[0] == "[ ] 1. Read\n[ ] 2. Write\n\n(0/2 completed)"


def test_a_reminder_is_appended_once_and_stays() -> None:
    script = Script([PLAN], *map(str, range(5)))
    history = runs(script.agent(Policy(remind_after=2, remind_cooldown=50)), 5)
    (reminder,) = reminders(history)
    assert "[in_progress] 1. Read" in reminder
    assert [len(reminders(asked)) for asked in script.asked] == [0, 0, 0, 1, 1, 1]


def test_what_a_history_recorded_restores_to_what_it_had() -> None:
    policy = Policy(remind_after=1, remind_cooldown=2)
    script = Script([PLAN], "1", ['{"todos": [{}]}'], [todos(WRITE)], "2", "3", "4")
    history = runs(script.agent(policy), 4)
    session = TodoPlugin().session(
        policy, history=ModelMessagesTypeAdapter.dump_json(history).decode()
    )
    assert [todo.content for todo in session.todos()] == ["Write"]
    assert session.counters().requests_since_write == 3
    assert session.restore("[]").reminders == 0
    assert len(reminders(history)) == 2


def test_messages_of_pydantic_ai_are_read_as_they_are() -> None:
    session = TodoPlugin().session(history=runs(Script([PLAN], "Done.").agent(), 1))
    assert [todo.content for todo in session.todos()] == ["Read", "Write"]


@pytest.mark.parametrize("adopt", [False, True])
def test_a_shortened_history_is_followed_by_what_was_open(adopt: bool) -> None:
    def cut(messages: list[ModelMessage]) -> list[ModelMessage]:
        return messages if len(messages) < 6 else messages[-1:]

    script = Script([PLAN], "1", "2", "3")
    agent = script.agent(Policy(adopt_snapshot=adopt), ProcessHistory[None](cut))
    history = runs(agent, 3)
    (carry_over,) = reminders(script.asked[-1])
    assert "These todo items were open" in carry_over
    assert "[in_progress] 1. Read\n[pending] 2. Write" in carry_over
    session = TodoPlugin().session(
        Policy(adopt_snapshot=adopt), history=ModelMessagesTypeAdapter.dump_json(history).decode()
    )
    assert len(session.todos()) == (2 if adopt else 0)


def test_a_window_over_the_history_loses_no_open_item() -> None:
    script = Script([PLAN], *map(str, range(4)))
    window = ProcessHistory[None](lambda messages: messages[-4:])
    runs(script.agent(Policy(adopt_snapshot=True), window), 4)
    seen = [[str(p) for p in parts(asked) if "were open" in str(p)] for asked in script.asked]
    assert [len(carried) for carried in seen] == [0, 0, 0, 1, 1]


def test_fifty_runs_at_once_keep_their_lists_apart() -> None:
    def reply(messages: list[ModelMessage], _: AgentInfo) -> ModelResponse:
        if isinstance(parts(messages)[-1], ToolReturnPart):
            return ModelResponse([TextPart("Done.")])
        name = next(str(p.content) for p in parts(messages) if isinstance(p, UserPromptPart))
        return ModelResponse([ToolCallPart("todo_write", todos(("1", name, "pending")))])

    agent = Agent(FunctionModel(reply), capabilities=[TodoCapability[None]()])

    async def run() -> list[Any]:
        return await asyncio.gather(*(agent.run(f"Run {number}") for number in range(50)))

    for number, result in enumerate(asyncio.run(run())):
        (answer,) = answers(result.all_messages())
        assert answer == f"[ ] 1. Run {number}\n\n(0/1 completed)"


def test_a_run_goes_on_in_a_new_process(tmp_path: Path) -> None:
    stored = tmp_path / "history.json"
    stored.write_bytes(ModelMessagesTypeAdapter.dump_json(runs(Script([PLAN], "1").agent(), 1)))
    program = (
        "import sys, pathlib\n"
        "from pydantic_ai import ModelMessagesTypeAdapter\n"
        "from test_pydantic_ai import Script, answers\n"
        "history = ModelMessagesTypeAdapter.validate_json(pathlib.Path(sys.argv[1]).read_bytes())\n"
        "agent = Script([{'todos': []}], 'Done.').agent()\n"
        "result = agent.run_sync('Clear it.', message_history=history)\n"
        "print(answers(result.new_messages())[0])\n"
    )
    command = [sys.executable, "-c", program, str(stored)]
    done = subprocess.run(
        command, cwd=Path(__file__).parent, stdout=subprocess.PIPE, text=True, check=True
    )
    assert "1. Read" in done.stdout
    assert "2. Write" in done.stdout


def test_a_policy_out_of_range_is_refused_when_the_capability_is_made() -> None:
    with pytest.raises(TodoError, match="max-todos"):
        TodoCapability[None](Policy(max_todos=0))


def test_the_example_of_the_readme_runs() -> None:
    script = Script([PLAN], "Done.", "Done again.")
    _, names = run_example(code("pydantic-ai")[0], model=FunctionModel(script))
    assert names["second"].output == "Done again."
    assert len(answers(names["second"].all_messages())) == 1
