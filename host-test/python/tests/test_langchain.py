"""The middleware keeps a list in a LangChain agent, turn for turn."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain.agents.middleware import (
    HumanInTheLoopMiddleware,
    TodoListMiddleware,
)
from langchain_core.messages import (
    AIMessage,
    AnyMessage,
    HumanMessage,
    RemoveMessage,
    SystemMessage,
    ToolMessage,
    messages_to_dict,
)
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command
from scripted import (
    READ,
    THREAD,
    WRITE,
    Scripted,
    agent,
    calls,
    contents,
    says,
    todos,
    turn,
    writes,
)

from agent_todo import Policy, TodoError, TodoPlugin
from agent_todo.langchain import TodoMiddleware


def results(messages: list[AnyMessage]) -> list[ToolMessage]:
    return [message for message in messages if isinstance(message, ToolMessage)]


def test_the_model_gets_the_tools_and_the_instructions() -> None:
    model = Scripted.of(says("Hello."), says("Hello."))
    turn(create_agent(model, middleware=[TodoMiddleware()], system_prompt="You fix bugs."))
    session = TodoPlugin().session()
    (definition,) = session.tools()
    (bound,) = model.bound
    assert bound.args_schema == definition.input_schema
    assert bound.description == definition.description
    assert model.asked[0][0].text == f"You fix bugs.\n\n{session.instructions()}"
    turn(create_agent(model, middleware=[TodoMiddleware(Policy(tool_set="task"))]))
    assert [tool.name for tool in model.bound] == [
        "TaskCreate",
        "TaskUpdate",
        "TaskGet",
        "TaskList",
    ]
    assert "TaskCreate" in model.asked[1][0].text


def test_a_list_is_written_shown_and_kept_over_turns() -> None:
    model = Scripted.of(writes(READ, WRITE), says("Done."), says("Yes."), writes(WRITE), says("!"))
    graph = agent(model)
    first = turn(graph)
    (answer,) = results(first["messages"])
    assert answer.text == "[>] 1. Read\n[ ] 2. Write\n\n(0/2 completed)"
    assert answer.status == "success"
    assert first["todos"] == todos(READ, WRITE)["todos"]
    assert turn(graph)["todos"] == first["todos"]
    last = turn(graph)
    assert contents(last) == ["Write"]
    assert results(last["messages"])[-1].text.count("1. Read") == 1
    assert "agent_todo" not in last


def test_a_refusal_goes_back_to_the_model_as_an_error() -> None:
    model = Scripted.of(writes(READ), writes(("1", "Read", "almost")), says("Sorry."))
    result = turn(agent(model))
    _, refused = results(result["messages"])
    assert refused.status == "error"
    assert refused.text.startswith('Error: item 1, "status": found "almost"')
    assert contents(result) == ["Read"]


def test_calls_of_one_response_are_answered_in_their_order() -> None:
    tasks = [("TaskCreate", {"subject": f"Task {number}"}) for number in range(1, 11)]
    update = ("TaskUpdate", {"taskId": "10", "status": "in_progress"})
    model = Scripted.of(calls(*tasks, update), says("Done."))
    result = turn(agent(model, TodoMiddleware(Policy(tool_set="task"))))
    texts = [answer.text for answer in results(result["messages"])]
    assert texts[:10] == [f"Task #{number} created: Task {number}" for number in range(1, 11)]
    assert texts[10].endswith("[>] 10. Task 10")
    assert [todo["id"] for todo in result["todos"]] == [str(number) for number in range(1, 11)]


def test_arguments_may_have_any_name() -> None:
    names = dict.fromkeys(["self", "config", "run_manager", "callbacks", "runtime", "args"], 1)
    model = Scripted.of(calls(("todo_write", {**todos(READ), **names})), says("Done."))
    assert contents(turn(agent(model))) == ["Read"]


def test_a_reminder_is_appended_once_and_stays() -> None:
    model = Scripted.of(writes(READ), *(says(f"Turn {number}.") for number in range(5)))
    graph = agent(model, TodoMiddleware(Policy(remind_after=2, remind_cooldown=50)))
    for _ in range(5):
        result = turn(graph)
    reminders = [m for m in result["messages"] if m.text.startswith("<system-reminder>")]
    (reminder,) = reminders
    assert isinstance(reminder, HumanMessage)
    assert model.asked[3][-1] == model.asked[4][-3] == reminder
    assert isinstance(model.asked[3][-2], HumanMessage)


def test_a_reminder_speaks_as_the_system_where_the_host_says_so() -> None:
    model = Scripted.of(writes(READ), says("Done."))
    policy = Policy(remind_after=0, remind_cooldown=0)
    result = turn(agent(model, TodoMiddleware(policy, reminder_role="system")))
    assert isinstance(result["messages"][-2], SystemMessage)


def test_what_a_thread_recorded_restores_to_what_it_had() -> None:
    policy = Policy(remind_after=1, remind_cooldown=2)
    model = Scripted.of(
        writes(READ),
        says("1"),
        writes(("1", "", "pending")),
        writes(READ, WRITE),
        *map(says, "2345"),
    )
    graph = agent(model, TodoMiddleware(policy))
    for _ in range(5):
        result = turn(graph)
        plugin = TodoPlugin()
        messages = messages_to_dict(graph.get_state(THREAD).values["messages"])
        fresh = plugin.session(policy, history=messages)
        mark = graph.get_state(THREAD).values["agent_todo"]
        live = plugin.session(state=mark["saved"])
        live.restore(messages[mark["count"] :])
        assert live.save_state() == fresh.save_state()
        assert [todo.content for todo in fresh.todos()] == contents(result)


def test_a_thread_that_was_rewound_has_the_list_it_had_there() -> None:
    model = Scripted.of(writes(READ), says("1"), writes(WRITE), says("2"), says("3"))
    graph = agent(model)
    turn(graph)
    after = turn(graph)
    assert contents(after) == ["Write"]
    undone = [RemoveMessage(id=message.id) for message in after["messages"][4:]]
    graph.update_state(THREAD, {"messages": undone})
    assert contents(turn(graph)) == ["Read"]


def test_a_call_that_a_person_denied_did_not_happen() -> None:
    first, second = todos(READ), todos(READ, WRITE)
    model = Scripted.of(
        calls(("todo_write", first), ("todo_write", second)), says("As you like."), says("!")
    )
    ask = HumanInTheLoopMiddleware(interrupt_on={"todo_write": True})
    graph = agent(model, ask, TodoMiddleware())
    turn(graph)
    decisions = [{"type": "reject", "message": "No."}, {"type": "approve"}]
    result = graph.invoke(Command(resume={"decisions": decisions}), THREAD)
    assert contents(result) == ["Read", "Write"]
    denied, answered = results(result["messages"])
    assert denied.status == "error"
    assert answered.text == "[>] 1. Read\n[ ] 2. Write\n\n(0/2 completed)"
    assert contents(turn(graph)) == ["Read", "Write"]


def test_a_thread_of_langchains_own_list_moves_here() -> None:
    plain = [{"content": "Read", "status": "in_progress"}]
    model = Scripted.of(calls(("write_todos", {"todos": plain})), says("1"), says("2"))
    saver = InMemorySaver()
    turn(create_agent(model, middleware=[TodoListMiddleware()], checkpointer=saver))
    result = turn(create_agent(model, middleware=[TodoMiddleware()], checkpointer=saver))
    assert result["todos"] == [{"id": "1", "content": "Read", "status": "in_progress"}]


def test_an_agent_may_run_asynchronously() -> None:
    model = Scripted.of(writes(READ, WRITE), says("1"), says("2"), says("3"))
    graph = agent(model, TodoMiddleware(Policy(remind_after=2)))

    async def run() -> Any:
        for _ in range(3):
            result = await graph.ainvoke({"messages": [HumanMessage("Go on.")]}, THREAD)
        return result

    result = asyncio.run(run())
    assert contents(result) == ["Read", "Write"]
    assert results(result["messages"])[0].text.endswith("(0/2 completed)")
    assert "todo_write has not been called" in result["messages"][-2].text
    assert "todo_write" in model.asked[0][0].text


def test_a_policy_out_of_range_is_refused_when_the_middleware_is_made() -> None:
    with pytest.raises(TodoError, match="max-todos"):
        TodoMiddleware(Policy(max_todos=0))


def test_a_model_that_fails_counts_no_request() -> None:
    model = Scripted.of(writes(READ), says("1"))
    graph = agent(model, TodoMiddleware(Policy(remind_after=1)))
    turn(graph)
    for _ in range(3):  # the script has ended
        with pytest.raises((RuntimeError, StopIteration)):
            turn(graph)
    messages = graph.get_state(THREAD).values["messages"]
    assert len([m for m in messages if isinstance(m, AIMessage)]) == 2
    assert len([m for m in messages if "<system-reminder>" in m.text]) == 1
