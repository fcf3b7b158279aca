"""What several tests share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from agent_todo.plugin import shared_plugin

if TYPE_CHECKING:
    from agent_todo import TodoPlugin


@pytest.fixture(scope="session")
def plugin() -> TodoPlugin:
    return shared_plugin()
