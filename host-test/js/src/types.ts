// What goes in and comes out of a session. `wit/agent-todo.wit` says what each
// thing promises; here stands what a JavaScript host sees of it.

/** Where an item stands, spelled as in the tools and in all texts. */
export type Status = 'pending' | 'in_progress' | 'completed';

/** One item of the list. */
export interface Todo {
  /** Unique in the list, at most 64 characters, never blank. */
  id: string;
  /** One line, as the model wrote it otherwise: escape it before it becomes markup. */
  content: string;
  /** Where it stands. */
  status: Status;
  /** The longer text that a task tool gave; absent when there is none. */
  description?: string;
}

/** How many items stand where. */
export interface Progress {
  pending: number;
  inProgress: number;
  completed: number;
}

/** Why something was refused; `dead` is a session whose instance is lost. */
export type ErrorCode =
  | 'invalid-input'
  | 'too-many'
  | 'too-large'
  | 'not-found'
  | 'unknown-tool'
  | 'invalid-policy'
  | 'invalid-state'
  | 'invalid-history'
  | 'dead';

/** A tool call that was carried out. */
export interface ToolOutput {
  isError: false;
  /** The tool result for the model. Never empty, and never begins with `Error: `. */
  text: string;
  /** Whether the list is another than before the call. */
  changed: boolean;
  /** The list after the call, counted. */
  progress: Progress;
}

/** A tool call that was refused; the list is as it was. */
export interface ToolRefusal {
  isError: true;
  /** The tool result for the model: begins with `Error: ` and says what would be accepted. */
  text: string;
  /** The kind, for programs. */
  code: Exclude<ErrorCode, 'dead'>;
  changed: false;
}

/** What a tool call gives: `text` goes back to the model either way. */
export type ToolResult = ToolOutput | ToolRefusal;

/** One message for the host's history. */
export interface HistoryItem {
  /**
   * Who it speaks as. Where the model takes no system message inside a
   * history, send it as a user message: the text reads well either way.
   */
  role: 'system' | 'user';
  /** The whole message; keep it as one text part of its own, so that `restore` knows it again. */
  text: string;
}

/** A tool for the request to the model. */
export interface ToolDefinition {
  /** What the model calls, and what `callTool` takes. */
  name: string;
  /** What the model reads about it. */
  description: string;
  /** JSON Schema of the input, parsed. */
  inputSchema: Record<string, unknown>;
}

/** What compaction needs. */
export interface Snapshot {
  /** Every item with its status and id, for whoever writes the summary. */
  context: string;
  /** The first message of the compacted history: the open items. Absent when none is open. */
  carryOver?: HistoryItem;
}

/** What one call of `restore` read. */
export interface RestoreReport {
  /** The shape that was recognised, such as `anthropic` or `claude-code`; `empty`, or `unknown`. */
  format: string;
  /** Assistant messages, each one request. */
  requests: number;
  /** Todo calls that were applied. */
  applied: number;
  /** Todo calls that reached the component and were refused, then or now. */
  refused: number;
  /** Todo calls that were denied, failed before, or have no result. */
  skipped: number;
  /** Reminders of this component found in the history. */
  reminders: number;
}

/** The counters that decide when a reminder is due, in requests. */
export interface Counters {
  /** Since the last call of `todo_write`, `TaskCreate` or `TaskUpdate`, or since the session began. */
  requestsSinceWrite: number;
  /** Since the last reminder; absent before the first. */
  requestsSinceReminder?: number;
}

/** How a session behaves. What is absent or `undefined` has its default. */
export interface Policy {
  /** Which tools are on. Default `todo`: the whole list in one call; `task`: one task a call. */
  toolSet?: 'todo' | 'task' | 'both' | undefined;
  /** Whether there are reminders. Default true. */
  remind?: boolean | undefined;
  /** Requests without a write before a reminder is due: 0 to 1,000,000. Default 8. */
  remindAfter?: number | undefined;
  /** Requests between two reminders, at the least: 0 to 1,000,000. Default 8. */
  remindCooldown?: number | undefined;
  /** One reminder, then none until the model writes, whatever the cooldown. Default false. */
  remindOnce?: boolean | undefined;
  /** More than one item in progress: allowed, noted in the answer, refused. Default `note`. */
  inProgressLimit?: 'allow' | 'note' | 'refuse' | undefined;
  /** Items in the list: 1 to 1,000. Default 100. */
  maxTodos?: number | undefined;
  /** Characters of a content or description: 1 to 10,000; longer ones are cut. Default 2,000. */
  maxContent?: number | undefined;
  /** Bytes of a tool call's input: 1,024 to 16,777,216. Default 1,048,576. */
  maxInput?: number | undefined;
  /** Whether `restore` takes the list from a carry-over message. Default false. */
  adoptSnapshot?: boolean | undefined;
}
