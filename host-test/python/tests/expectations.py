"""What the steps of conformance vectors expect; their README describes each key."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from agent_todo import ToolOutput

if TYPE_CHECKING:
    from agent_todo import TodoError, TodoSession


def only(value: dict[str, Any], *allowed: str) -> dict[str, Any]:
    """Give the value, if it has no other keys."""
    if unknown := value.keys() - set(allowed):
        raise ValueError(f"unknown key {sorted(unknown)}; legal: {sorted(allowed)}")
    return value


def text_of(notation: Any) -> str:
    """Give the text that a vector writes in one of the notations."""
    if isinstance(notation, str):
        return notation
    if isinstance(notation, list):
        return "".join(text_of(part) for part in notation)
    if "repeat" in notation:
        only(notation, "repeat", "times", "between", "number")
        one, mark = text_of(notation["repeat"]), text_of(notation.get("number", ""))
        numbers = range(1, notation["times"] + 1)
        copies = [one.replace(mark, str(number)) if mark else one for number in numbers]
        return text_of(notation.get("between", "")).join(copies)
    if "json" in notation:
        return compact(only(notation, "json")["json"])
    return "".join(compact(value) + "\n" for value in only(notation, "lines")["lines"])


def compact(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def equal(found: object, wanted: object) -> None:
    assert found == wanted, f"found {found!r}; expected {wanted!r}"


class Outcome:
    """What a step gave. Each method ``expect_KEY`` checks one key of an expectation."""

    def __init__(
        self, session: TodoSession, value: Any, error: TodoError | None, saved: str | None
    ) -> None:
        self.session = session
        self.value = value
        self.code = error.code if error else getattr(value, "code", None)
        self.message = str(error) if error else None
        self.saved = saved

    def check(self, expected: dict[str, Any]) -> None:
        refusal = self.text() if self.code else ""
        wanted = expected.get("error")
        assert self.code == wanted, f"found {self.code} {refusal}; expected {wanted}"
        legal = [name.removeprefix("expect_") for name in dir(self) if name.startswith("expect_")]
        for key, value in only(expected, *legal).items():
            try:
                getattr(self, f"expect_{key}")(value)
            except Exception as error:
                raise AssertionError(f"{key}: {error}") from error

    def text(self) -> str:
        value = self.value
        if self.message is not None:
            return self.message
        if isinstance(value, ToolOutput):
            return value.text
        if isinstance(value, list) and hasattr(value[0], "schema_text"):
            return "\n".join(tool.description for tool in value)
        if isinstance(value, list):
            (item,) = value
            return str(item.text)
        if hasattr(value, "context"):
            return str(value.context)
        assert isinstance(value, str), f"the step answers no text but {value!r}"
        return value

    def expect_ok(self, wanted: Any) -> None:
        equal(wanted, True)

    def expect_error(self, wanted: Any) -> None:
        equal(self.code, wanted)

    def expect_text(self, wanted: Any) -> None:
        equal(self.text(), text_of(wanted))

    def expect_starts_with(self, wanted: Any) -> None:
        equal(self.text()[: len(text_of(wanted))], text_of(wanted))

    def expect_contains(self, wanted: Any) -> None:
        for part in map(text_of, wanted):
            assert part in self.text(), f"no {part!r} in {self.text()!r}"

    def expect_not_contains(self, wanted: Any) -> None:
        for part in map(text_of, wanted):
            assert part not in self.text(), f"{part!r} in {self.text()!r}"

    def expect_same(self, wanted: Any) -> None:
        equal(self.text() == self.saved, wanted)

    def expect_max_chars(self, wanted: Any) -> None:
        assert len(self.text()) <= wanted, f"found {len(self.text())}"

    def expect_max_bytes(self, wanted: Any) -> None:
        assert len(self.text().encode()) <= wanted, f"found {len(self.text().encode())}"

    def expect_is_json(self, wanted: Any) -> None:
        json.loads(self.text())
        equal(wanted, True)

    def expect_changed(self, wanted: Any) -> None:
        equal(self.value.changed, wanted)

    def expect_progress(self, wanted: Any) -> None:
        progress = self.value.progress
        equal([progress.pending, progress.in_progress, progress.completed], wanted)

    def expect_appends(self, wanted: Any) -> None:
        equal(len(self.value), wanted)

    def expect_role(self, wanted: Any) -> None:
        item = self.value[0] if isinstance(self.value, list) else self.value.carry_over
        equal(item.role, wanted)

    def expect_snapshot(self, wanted: Any) -> None:
        equal(self.value is not None, wanted)

    def expect_carry_over(self, wanted: Any) -> None:
        item = self.value.carry_over
        equal(item and item.text, None if wanted is None else text_of(wanted))

    def expect_tools(self, wanted: Any) -> None:
        equal([tool.name for tool in self.value], [tool["name"] for tool in wanted])
        for found, tool in zip(self.value, wanted, strict=True):
            for place in only(tool, "name", "schema").get("schema", []):
                check_place(found.input_schema, only(place, "at", "is", "keys"))

    def expect_report(self, wanted: Any) -> None:
        report = asdict(self.value)
        equal({key: report[key] for key in only(wanted, *report)}, wanted)

    def expect_list(self, wanted: Any) -> None:
        found = []
        for todo in self.session.todos():
            described = [] if todo.description is None else [todo.description]
            found.append([todo.id, todo.status, todo.content, *described])
        equal(found, [[text_of(part) for part in item] for item in wanted])

    def expect_counters(self, wanted: Any) -> None:
        counters = self.session.counters()
        found = {
            "since_write": counters.requests_since_write,
            "since_reminder": counters.requests_since_reminder,
        }
        equal({key: found[key] for key in only(wanted, *found)}, wanted)


def check_place(value: Any, place: dict[str, Any]) -> None:
    """Check one place of a schema, given as a JSON Pointer."""
    for part in place["at"].split("/")[1:]:
        key = part.replace("~1", "/").replace("~0", "~")
        value = value[int(key)] if isinstance(value, list) else value[key]
    if not place.keys() & {"is", "keys"}:
        raise ValueError(f"{place}: nothing is expected there")
    if "is" in place:
        equal(value, place["is"])
    if "keys" in place:
        equal(sorted(value), place["keys"])
