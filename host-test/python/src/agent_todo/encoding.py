"""Texts that the component can take: well-formed Unicode, JSON for everything else."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from agent_todo.errors import TodoError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

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
    """Give a text as it is and anything else as JSON.

    Objects that JSON doesn't know are written as their ``str``: a history may
    hold them in places that don't matter here.
    """
    if isinstance(value, str):
        return well_formed(value)
    try:
        return well_formed(json.dumps(value, ensure_ascii=False, default=str))
    except RecursionError:
        raise TodoError(code, "Error: the value is nested too deep to be read") from None
    except (TypeError, ValueError) as error:
        raise TodoError(code, f"Error: the value can't be written as JSON: {error}") from None
