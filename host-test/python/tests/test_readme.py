"""The examples of the README run as they stand there."""

from __future__ import annotations

import re
from typing import Any

from readme import README, code, run
from scripted import Scripted, says, writes


def test_the_ten_line_example_prints_what_the_readme_shows() -> None:
    printed, names = run(code("Any host")[0])
    shown = re.findall(r"^```text\n(.*?)^```", README, re.DOTALL | re.MULTILINE)[0]
    assert printed == shown
    assert names["messages"] == []
    assert len([line for line in code("Any host")[0].splitlines() if line.strip()]) <= 11


def test_the_loop_of_a_host_reminds_and_goes_on_from_stored_messages() -> None:
    _, names = run(code("Any host")[1])
    write = '{"todos": [{"id": "1", "content": "Read the loader", "status": "in_progress"}]}'
    seen: list[list[dict[str, Any]]] = []
    replies: list[dict[str, Any]] = [
        {"role": "assistant", "content": None, "tool_calls": [tool_call("todo_write", write)]},
        *({"role": "assistant", "content": f"Turn {turn}."} for turn in range(9)),
    ]

    def complete(messages: list[dict[str, Any]], tools: list[dict[str, Any]]) -> dict[str, Any]:
        assert tools[0]["function"]["name"] == "todo_write"
        seen.append(messages)
        return replies.pop(0)

    messages: list[dict[str, Any]] = []
    while replies:
        messages.append({"role": "user", "content": "Go on."})
        names["run"](messages, complete)

    assert messages[2]["content"] == "[>] 1. Read the loader\n\n(0/1 completed)"
    reminders = [message for message in messages if "<system-reminder>" in str(message["content"])]
    assert [reminder["role"] for reminder in reminders] == ["system"]
    assert seen[-1][-1] == reminders[0]


def tool_call(name: str, arguments: str) -> dict[str, Any]:
    return {"id": "1", "type": "function", "function": {"name": name, "arguments": arguments}}


def test_the_langchain_example_runs() -> None:
    model = Scripted.of(writes(("1", "Read the loader", "in_progress")), says("Done."))
    printed, names = run(code("LangChain and deepagents")[0], model=model)
    assert names["result"]["messages"][-1].text == "Done."
    assert printed == "[{'id': '1', 'content': 'Read the loader', 'status': 'in_progress'}]\n"
