import type { Core, Exports } from './core.js';
import { TodoError } from './error.js';
import { checkPolicy } from './policy.js';
import type {
  Counters,
  HistoryItem,
  Policy,
  RestoreReport,
  Snapshot,
  Status,
  Todo,
  ToolDefinition,
  ToolResult,
} from './types.js';

/**
 * One session of one agent: an instance of the component of its own.
 *
 * Every method throws a `TodoError` with the code `dead` once a call has
 * trapped. There is nothing to close: a session that nobody holds is collected.
 */
export class TodoSession {
  readonly #core: Core;

  /** @internal Sessions come from `plugin.session()`. */
  constructor(core: Core) {
    this.#core = core;
  }

  /** Whether a call has trapped. A dead session never answers again; its list is lost with it. */
  get dead(): boolean {
    return this.#core.dead;
  }

  /**
   * Sets the whole policy: what `policy` leaves out goes back to its default.
   * List and counters stay. Throws a `TodoError` with the code `invalid-policy`;
   * nothing has changed then.
   */
  configure(policy: Policy): void {
    const checked = checkPolicy(policy);
    this.#core.call((session) => session.configure(checked));
  }

  /** A short paragraph for the system prompt. Changes only with the policy. */
  instructions(): string {
    return this.#core.call((session) => session.instructions());
  }

  /** The tools that are on. Changes only with the policy. */
  tools(): ToolDefinition[] {
    return this.#core.call((session) => session.tools()).map((tool) => ({
      ...tool,
      inputSchema: JSON.parse(tool.inputSchema) as Record<string, unknown>,
    }));
  }

  /**
   * Runs a tool on what the model sent: the JSON text as it came, or the parsed
   * value. Forward every call of one of `tools()`, whatever its input looks
   * like, and give `text` back to the model, also when `isError` says that the
   * call was refused. Nothing that a model can send makes it throw.
   */
  callTool(name: string, input: unknown): ToolResult {
    const text = asText(input);
    return this.#result((session) => session.callTool(String(name), text));
  }

  /** The same as `callTool('todo_write', input)`. */
  todoWrite(input: unknown): ToolResult {
    const text = asText(input);
    return this.#result((session) => session.todoWrite(text));
  }

  /** Counts one request to the model. Call it right before sending. */
  onRequest(): void {
    this.#core.call((session) => session.onRequest());
  }

  /**
   * What belongs at the end of the history, for good, before the next request:
   * nothing, or one reminder. Handing it out counts as delivered.
   */
  pendingHistoryAppends(): HistoryItem[] {
    return this.#core.call((session) => session.pendingHistoryAppends());
  }

  /** What compaction needs; `undefined` when the list is empty. Changes nothing. */
  compactSnapshot(): Snapshot | undefined {
    const snapshot = this.#core.call((session) => session.compactSnapshot());
    if (snapshot === undefined) return undefined;
    const { context, carryOver } = snapshot;
    return carryOver === undefined ? { context } : { context, carryOver };
  }

  /**
   * Rebuilds list and counters from a recorded history: its text (JSON, or JSON
   * Lines), or the messages themselves. Adds to what is there; a long history
   * may come in pieces, one after the other, and any other call ends it.
   * Throws a `TodoError` with the code `invalid-history`; nothing has changed then.
   */
  restore(history: string | object): RestoreReport {
    const text = asText(history);
    return this.#core.call((session) => session.restore(text));
  }

  /** Everything that the session holds, as one line of JSON for `loadState`. */
  saveState(): string {
    return this.#core.call((session) => session.saveState());
  }

  /**
   * Goes on where `saveState` stood, policy included. Throws a `TodoError` with
   * the code `invalid-state` for any other text; nothing has changed then.
   */
  loadState(state: string): void {
    this.#core.call((session) => session.loadState(String(state)));
  }

  /** The list as it stands, for a user interface. */
  todos(): Todo[] {
    return this.#core.call((session) => session.todos()).map(({ id, content, status, description }) => {
      const todo: Todo = { id, content, status: status.replace('-', '_') as Status };
      if (description !== undefined) todo.description = description;
      return todo;
    });
  }

  /** The counters, for people who ask why a reminder came. */
  counters(): Counters {
    const { requestsSinceWrite, requestsSinceReminder } = this.#core.call((session) => session.counters());
    return requestsSinceReminder === undefined ? { requestsSinceWrite } : { requestsSinceWrite, requestsSinceReminder };
  }

  /**
   * A second session that stands where this one stands, also in the middle of a
   * history that comes in pieces; from here on they know nothing of each other.
   * For a conversation that branches, and for asking what would be.
   */
  fork(): TodoSession {
    return new TodoSession(this.#core.fork());
  }

  #result(run: (session: Exports) => ReturnType<Exports['callTool']>): ToolResult {
    try {
      return { isError: false, ...this.#core.call(run) };
    } catch (error) {
      if (!(error instanceof TodoError) || error.code === 'dead') throw error;
      return { isError: true, text: error.message, code: error.code, changed: false };
    }
  }
}

/** A text as it is; nothing as the empty text; any other value as its JSON. */
function asText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === undefined) return '';
  return JSON.stringify(value) ?? String(value);
}
