"""The examples of the README, to be run as they stand there."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path
from typing import Any

README = (Path(__file__).parents[1] / "README.md").read_text("utf-8")


def code(heading: str) -> list[str]:
    """Give the Python examples under a heading."""
    section = README.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    return re.findall(r"^```python\n(.*?)^```", section, re.DOTALL | re.MULTILINE)


def run(source: str, **names: Any) -> tuple[str, dict[str, Any]]:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(source, "README.md", "exec"), names)  # noqa: S102
    return printed.getvalue(), names
