"""Every conformance vector of the repository gives the same bytes here."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from expectations import Outcome, only, text_of

from agent_todo import Policy, TodoError, TodoPlugin, TodoSession

if TYPE_CHECKING:
    from collections.abc import Callable

FOLDER = Path(__file__).parents[2] / "vectors"
FILES = sorted(FOLDER.glob("*.json"))
VECTORS = [
    pytest.param(vector, id=f"{file.stem}: {vector['name']}")
    for file in FILES
    for vector in only(json.loads(file.read_text("utf-8")), "theme", "about", "vectors")["vectors"]
]
RAN: list[str] = []


class Run:
    """One vector: its session, and the calls that its steps make."""

    def __init__(self, plugin: TodoPlugin, vector: dict[str, Any]) -> None:
        self.plugin = plugin
        self.policy = vector.get("policy")
        self.saved: str | None = None
        self.session = self.new_session(self.policy)

    def new_session(self, policy: dict[str, Any] | None) -> TodoSession:
        return self.plugin.session(None if policy is None else Policy(**policy))

    def step(self, step: dict[str, Any]) -> None:
        expected = step.get("expect")
        if expected == {} or (expected is None and step["do"] != "on-request"):
            raise ValueError("the step expects nothing")
        saved = self.saved
        given = {key: value for key, value in step.items() if key not in {"do", "expect"}}
        try:
            value, error = self.call(step["do"], given), None
        except TodoError as refusal:
            value, error = None, refusal
        Outcome(self.session, value, error, saved).check(expected or {})

    def call(self, do: str, given: dict[str, Any]) -> Any:
        """Make the call of a step. A key that it doesn't have is a `TypeError`."""
        calls: dict[str, Callable[..., Any]] = {
            "configure": lambda policy: self.session.configure(Policy(**policy)),
            "instructions": self.session.instructions,
            "tools": self.session.tools,
            "pending-history-appends": self.session.pending_history_appends,
            "compact-snapshot": self.session.compact_snapshot,
            "call-tool": lambda name, input: self.session.call_tool(text_of(name), text_of(input)),  # noqa: A006
            "todo-write": lambda input: self.session.todo_write(text_of(input)),  # noqa: A006
            "on-request": self.on_request,
            "restore": lambda history: self.session.restore(text_of(history)),
            "save-state": self.save_state,
            "load-state": lambda state=None: self.session.load_state(
                (self.saved or "") if state is None else text_of(state)
            ),
            "save-load": self.save_load,
            "new-session": self.replace,
            "todos": lambda: None,
            "counters": lambda: None,
        }
        return calls[do](**given)

    def on_request(self, times: int = 1) -> None:
        for _ in range(times):
            self.session.on_request()

    def save_state(self) -> str:
        self.saved = self.session.save_state()
        return self.saved

    def save_load(self) -> None:
        self.session = self.plugin.session(state=self.session.save_state())

    def replace(self, policy: dict[str, Any] | None = None) -> None:
        self.session = self.new_session(self.policy if policy is None else policy)


@pytest.mark.parametrize("vector", VECTORS)
def test_vector(plugin: TodoPlugin, vector: dict[str, Any]) -> None:
    only(vector, "name", "policy", "steps")
    RAN.append(vector["name"])
    run = Run(plugin, vector)
    for number, step in enumerate(vector["steps"], 1):
        try:
            run.step(step)
        except Exception as error:
            pytest.fail(f"step {number}, {step.get('do')}: {error}", pytrace=False)


def test_as_many_vectors_ran_as_the_files_hold() -> None:
    assert FILES, f"no vectors in {FOLDER}"
    held = sum(file.read_text("utf-8").count('"steps"') for file in FILES)
    assert len(RAN) == len(set(RAN)) == held


def test_a_step_with_an_unknown_key_fails(plugin: TodoPlugin) -> None:
    run = Run(plugin, {"name": "x", "steps": []})
    for step in (
        {"do": "todos", "expect": {"lists": []}},
        {"do": "todos", "inputs": "", "expect": {"list": []}},
        {"do": "todo", "expect": {"list": []}},
        {"do": "todos", "expect": {}},
        {"do": "todos"},
        {"do": "todos", "expect": {"list": [["1", "pending", "x"]]}},
    ):
        with pytest.raises((AssertionError, KeyError, TypeError, ValueError)):
            run.step(step)
