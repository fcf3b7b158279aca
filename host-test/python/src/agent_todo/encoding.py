"""Texts that the component can take: well-formed Unicode, JSON for everything else."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING

from agent_todo.errors import TodoError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agent_todo.errors import ErrorCode


def well_formed(text: str) -> str:
    """Replace lone surrogates by U+FFFD.

    A Python string may hold them (JSON escapes, undecodable file names); UTF-8
    can't.
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def json_text(value: str | Mapping[str, object] | Sequence[object], code: ErrorCode) -> str:
    """Give a text as it is and anything else as JSON."""
    if isinstance(value, str):
        return well_formed(value)
    try:
        return well_formed(json.dumps(value, ensure_ascii=False, default=_plain))
    except RecursionError:
        raise TodoError(code, "Error: the value is nested too deep to be read") from None
    except (TypeError, ValueError) as error:
        raise TodoError(code, f"Error: the value can't be written as JSON: {error}") from None


def _plain(value: object) -> object:
    """Give what JSON doesn't know as something that it does.

    Messages of LangChain and of the SDKs of OpenAI and Anthropic are pydantic
    models, those of pydantic-ai data classes. Whatever else a history holds, such
    as dates and bytes, doesn't matter here.
    """
    if isinstance(value, Mapping):
        return dict(value)
    if callable(dump := getattr(value, "model_dump", None)):
        return dump()
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return dataclasses.asdict(value)
    return str(value)
