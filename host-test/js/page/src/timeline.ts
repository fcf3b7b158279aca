// What a session was, request by request. All of it comes from the component,
// which reads the log piece by piece: the page knows no shape of history.

import { TodoError, type RestoreReport, type Todo, type TodoPlugin, type TodoSession } from 'agent-todo';
import { lastBranch } from './branch.js';
import { isCompaction } from './compaction.js';
import { growing } from './growing.js';
import { pieces } from './pieces.js';

/** The list after a request in which the model wrote. */
export interface Step {
  /** The request, from 1; 0 is before the first. */
  request: number;
  /** The list after it. */
  todos: Todo[];
  /** Whether a call of the request was refused. */
  refused: boolean;
}

/** A whole session. */
export interface Timeline {
  /** The shape of the log, as the component names it. */
  format: string;
  /** How many requests there were. */
  requests: number;
  /** The requests in which the model wrote, in order. */
  steps: Step[];
  /** The requests that a recorded reminder went with. */
  reminders: number[];
  /** The requests before which the history was compacted. */
  compactions: number[];
}

/** A file that is no session log; the message is for a person. */
export class NoHistory extends Error {}

const POLICY = { toolSet: 'both', maxTodos: 1000, maxContent: 10_000, inProgressLimit: 'allow' } as const;

/** Reads a log. `progress` hears now and then which share is read. */
export function readTimeline(plugin: TodoPlugin, text: string, progress: (share: number) => void): Timeline {
  const reader = new Reader(plugin.session(POLICY));
  let read = 0;
  let due = 0;
  for (const piece of lastBranch(text, pieces(text))) {
    reader.read(piece);
    read += piece.length;
    if (read < due) continue;
    progress(Math.min(read / text.length, 1));
    due = read + text.length / 50;
  }
  return reader.end();
}

/**
 * Reads on in one open history. Asking for the list would end it, so a fork is
 * asked, and only where the present request has made a todo call.
 */
class Reader {
  readonly #session: TodoSession;
  readonly #timeline: Timeline = { format: '', requests: 0, steps: [], reminders: [], compactions: [] };
  #touched = false;
  #refused = false;
  #failure = 'it is empty';

  constructor(session: TodoSession) {
    this.#session = session;
  }

  read(piece: string): void {
    const parts = growing(piece);
    const before = this.#touched || parts.length > 0 ? this.#session.fork() : undefined;
    const report = this.#restore(this.#session, piece);
    if (report === undefined) return;
    if (isCompaction(piece)) this.#timeline.compactions.push(this.#timeline.requests + 1);
    if (before !== undefined && report.requests > 1 && parts.length > 0) this.#readTurn(before, [...parts, piece]);
    else this.#advance(report, before);
  }

  end(): Timeline {
    if (this.#touched) this.#settle(this.#session);
    if (this.#timeline.format === '') throw new NoHistory(this.#failure);
    return this.#timeline;
  }

  #restore(session: TodoSession, piece: string): RestoreReport | undefined {
    try {
      const report = session.restore(piece);
      this.#failure = 'it is JSON, but holds no messages of a known shape';
      if (report.format !== 'unknown' && report.format !== 'empty') this.#timeline.format = report.format;
      return report;
    } catch (error) {
      if (!(error instanceof TodoError) || error.code === 'dead') throw error;
      if (this.#timeline.format === '') this.#failure = error.message.replace(/^Error: /, '');
      return undefined;
    }
  }

  /** Reads a message that holds several requests as it grew, part by part. */
  #readTurn(before: TodoSession, states: string[]): void {
    let previous = before;
    let counted: RestoreReport | undefined;
    for (const state of states) {
      const session = before.fork();
      const report = this.#restore(session, state);
      if (report === undefined) continue;
      this.#advance(less(report, counted), previous);
      [previous, counted] = [session, report];
    }
  }

  /** Counts what a piece brought; `before` is the session without it. */
  #advance(report: RestoreReport, before: TodoSession | undefined): void {
    if (report.requests > 0 && this.#touched && before !== undefined) this.#settle(before.fork());
    this.#timeline.requests += report.requests;
    for (let n = 0; n < report.reminders; n += 1) this.#timeline.reminders.push(this.#timeline.requests + 1);
    this.#touched ||= report.applied + report.refused + report.skipped > 0;
    this.#refused ||= report.refused > 0;
  }

  /** Notes the list at the end of a request, if the model wrote in it. */
  #settle(session: TodoSession): void {
    const request = this.#timeline.requests - session.counters().requestsSinceWrite;
    if (request !== (this.#timeline.steps.at(-1)?.request ?? 0)) {
      this.#timeline.steps.push({ request, todos: session.todos(), refused: this.#refused });
    }
    this.#touched = false;
    this.#refused = false;
  }
}

function less(report: RestoreReport, counted: RestoreReport | undefined): RestoreReport {
  if (counted === undefined) return report;
  return {
    format: report.format,
    requests: report.requests - counted.requests,
    applied: report.applied - counted.applied,
    refused: report.refused - counted.refused,
    skipped: report.skipped - counted.skipped,
    reminders: report.reminders - counted.reminders,
  };
}
