// Items as bars: which item of one list is which of the next, and how long each
// one stood where.

import type { Status, Todo } from 'agent-todo';
import type { Timeline } from './timeline.js';

/** A stretch of requests in which an item stood the same. */
export interface Segment {
  status: Status;
  /** The request in which it began. */
  from: number;
  /** The request in which it ended; the last request of the session if it did not. */
  to: number;
}

/** One item from its first appearance to its last. */
export interface Bar {
  id: string;
  /** As it read last. */
  content: string;
  segments: Segment[];
  /** The request in which it left the list, if it did. */
  gone?: number;
}

/** The bars of a session, in order of first appearance. */
export function bars(timeline: Timeline): Bar[] {
  const all: Bar[] = [];
  let open: Bar[] = [];
  for (const { request, todos } of timeline.steps) {
    const left = new Set(open);
    open = todos.map((todo) => {
      const bar = match(todo, left) ?? start(all);
      left.delete(bar);
      extend(bar, todo, request);
      return bar;
    });
    for (const bar of left) end(bar, request);
  }
  for (const bar of open) close(bar, timeline.requests);
  return all;
}

/** The same text is the same item; so is the same id, unless the old item was finished and its id used again. */
function match(todo: Todo, candidates: Set<Bar>): Bar | undefined {
  const list = [...candidates];
  return list.find(({ id, content }) => id === todo.id && content === todo.content)
    ?? list.find(({ content }) => content === todo.content)
    ?? list.find(({ id, segments }) => id === todo.id && segments.at(-1)?.status !== 'completed');
}

function start(all: Bar[]): Bar {
  const bar: Bar = { id: '', content: '', segments: [] };
  all.push(bar);
  return bar;
}

function extend(bar: Bar, { id, content, status }: Todo, request: number): void {
  bar.id = id;
  bar.content = content;
  const last = bar.segments.at(-1);
  if (last?.status === status) return;
  if (last !== undefined) last.to = request;
  bar.segments.push({ status, from: request, to: request });
}

function end(bar: Bar, request: number): void {
  close(bar, request);
  bar.gone = request;
}

function close(bar: Bar, request: number): void {
  const last = bar.segments.at(-1);
  if (last !== undefined) last.to = request;
}
