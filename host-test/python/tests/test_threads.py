"""One plugin and its sessions serve many threads at once."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest
from scripted import todos

from agent_todo import Policy, TodoPlugin

if TYPE_CHECKING:
    from collections.abc import Callable

THREADS = 50


def together(work: Callable[[int], str]) -> list[str]:
    """Run the work in many threads that begin at the same time."""
    start = threading.Barrier(THREADS)

    def begin(number: int) -> str:
        start.wait()
        return work(number)

    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(begin, range(THREADS)))


def test_sessions_made_in_parallel_keep_their_lists_apart(plugin: TodoPlugin) -> None:
    def work(number: int) -> str:
        session = plugin.session(Policy(max_todos=number + 1))
        for turn in range(20):
            session.call_tool("todo_write", todos(("1", f"{number} in {turn}", "pending")))
            session = plugin.session(state=session.save_state())
        return session.todos()[0].content

    assert together(work) == [f"{number} in 19" for number in range(THREADS)]


def test_a_plugin_is_loaded_in_parallel() -> None:
    assert set(together(lambda _: TodoPlugin().session().todo_write("[]").text)) == {
        "(0/0 completed)"
    }


def test_calls_of_one_session_run_one_after_another(plugin: TodoPlugin) -> None:
    session = plugin.session(Policy(tool_set="task", max_todos=1000))

    def work(number: int) -> str:
        for turn in range(10):
            session.on_request()
            session.call_tool("TaskCreate", json.dumps({"subject": f"{number} in {turn}"}))
        return ""

    together(work)
    items = session.todos()
    assert [int(item.id) for item in items] == list(range(1, THREADS * 10 + 1))
    assert len({item.content for item in items}) == THREADS * 10
    for number in range(THREADS):
        own = [item.content for item in items if item.content.startswith(f"{number} in ")]
        assert own == [f"{number} in {turn}" for turn in range(10)]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
def test_a_forked_process_uses_the_plugin_of_its_parent() -> None:
    program = (
        "import os, sys\n"
        "from agent_todo import TodoPlugin\n"
        "plugin = TodoPlugin()\n"
        "session = plugin.session()\n"
        "session.call_tool('todo_write', '[\"Read\"]')\n"
        "if child := os.fork():\n"
        "    sys.exit(os.waitpid(child, 0)[1])\n"
        "print(session.todos()[0].content, len(plugin.session().todos()))\n"
    )
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, timeout=60)
    assert done.stdout == "Read 0\n"
