"""The component, loaded once for all sessions of a process."""

from __future__ import annotations

import functools
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wasmtime import Config, Engine, Store, WasmtimeError
from wasmtime.component import Linker

from agent_todo import compiled
from agent_todo.errors import SessionDead
from agent_todo.policy import Policy
from agent_todo.session import TodoSession

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wasmtime.component import Component, ExportIndex


INTERFACE = "agent:todo/session@0.1.0"
FUNCTIONS = (
    "configure",
    "instructions",
    "tools",
    "call-tool",
    "todo-write",
    "on-request",
    "pending-history-appends",
    "compact-snapshot",
    "restore",
    "save-state",
    "load-state",
    "todos",
    "counters",
)
MEBIBYTE = 1 << 20


class TodoPlugin:
    """The component, compiled and ready: make one for a process, and a session for each agent.

    Loading takes about 100 ms the first time and 2 ms after that, when the compiled
    component comes from the user's cache folder; a session takes about 30 µs and 40 KB.

    ``component`` is another file or its bytes, instead of the one in this package.
    ``cache`` is the folder for the compiled component, ``False`` for none; a folder
    that can't be written costs the compilation at each start and nothing else.
    ``memory_limit`` (bytes, default 256 MiB) bounds each session: 1 MiB is enough for an
    ordinary one, and restoring takes the length of the history besides. ``fuel`` bounds
    each call, in wasmtime's units: an ordinary call takes less than 1,000,000, restoring
    about 150 for each byte of a history full of todo calls. ``None``, the default, is no
    bound and about a quarter faster. A session that meets a bound is dead, see
    `SessionDead`.

    Threads: all methods may be called from all threads at once.
    """

    def __init__(
        self,
        component: bytes | str | Path | None = None,
        *,
        cache: bool | str | Path = True,
        memory_limit: int = 256 * MEBIBYTE,
        fuel: int | None = None,
    ) -> None:
        config = Config()
        config.consume_fuel = fuel is not None
        self._engine = Engine(config)
        self._memory_limit = memory_limit
        self._fuel = fuel
        folder = compiled.default_folder() if cache is True else Path(cache) if cache else None
        self._component = compiled.load(
            self._engine, _component_bytes(component), f"fuel={fuel is not None}", folder
        )
        self._functions = _exports(self._component)
        self._linker = Linker(self._engine)

    def session(
        self,
        policy: Policy | None = None,
        *,
        history: str | Sequence[object] | Mapping[str, object] | None = None,
        state: str | None = None,
    ) -> TodoSession:
        """Make a session: empty, or one that goes on.

        ``history`` is what the host recorded, in any of the shapes of the common agent
        hosts: messages as dicts or objects, or JSON text. ``state`` is what ``save_state`` gave; it
        brings its own policy, which ``policy`` replaces.

        Raises `TodoError` for what the component refuses.
        """
        store = Store(self._engine)
        store.set_limits(memory_size=self._memory_limit)
        if self._fuel is not None:
            store.set_fuel(self._fuel)
        try:
            instance = self._linker.instantiate(store, self._component)
        except WasmtimeError as error:
            raise SessionDead("session-dead", f"no session can be made: {error}") from error
        session = TodoSession(store, instance, self._functions, self._fuel)
        if state is not None:
            session.load_state(state)
        if policy is not None and (state is not None or policy != Policy()):
            session.configure(policy)
        if history is not None:
            session.restore(history)
        return session


@functools.cache
def shared_plugin() -> TodoPlugin:
    """The plugin that the integrations share, made when it is first asked for."""
    return TodoPlugin()


def _exports(component: Component) -> dict[str, ExportIndex]:
    """Look the functions up once, rather than for each session."""
    interface = component.get_export_index(INTERFACE)
    found = {name: component.get_export_index(name, interface) for name in FUNCTIONS}
    exports = {name: index for name, index in found.items() if index is not None}
    if interface is None or len(exports) < len(FUNCTIONS):
        missing = ", ".join(name for name in FUNCTIONS if name not in exports)
        raise ValueError(f"the component does not export {INTERFACE} with {missing}")
    return exports


def _component_bytes(component: bytes | str | Path | None) -> bytes:
    if isinstance(component, bytes):
        return component
    if component is not None:
        return Path(component).read_bytes()
    packaged: Any = files("agent_todo").joinpath("agent_todo.wasm")
    if not packaged.is_file():
        raise FileNotFoundError(
            "the package holds no agent_todo.wasm: install it with pip, or pass component="
        )
    data: bytes = packaged.read_bytes()
    return data
