// Reads logs and replays policies off the page's thread. It keeps the last
// session that it read.

import { loadTodo } from 'agent-todo';
import { replay, type Reminder, type ReminderPolicy } from './replay.js';
import { NoHistory, readTimeline, type Timeline } from './timeline.js';

/** What the page asks; the answer carries the same number. */
export type Question = { id: number } & ({ log: Blob } | { policy: ReminderPolicy });

/** What the worker says. */
export type Answer = { id: number } & (
  | { share: number }
  | { timeline: Timeline }
  | { reminders: Reminder[] }
  | { failure: string }
);

const MAX_BYTES = 256 * 1024 * 1024;

const plugin = loadTodo();
let current: Timeline | undefined;

addEventListener('message', async ({ data }: MessageEvent<Question>) => {
  try {
    if ('log' in data) await read(data.id, data.log);
    else if (current !== undefined) say({ id: data.id, reminders: replay(await plugin, current, data.policy) });
  } catch (error) {
    say({ id: data.id, failure: describe(error) });
  }
});

async function read(id: number, log: Blob): Promise<void> {
  if (log.size > MAX_BYTES) throw new NoHistory(`it has ${Math.ceil(log.size / 2 ** 20)} MB; accepted are up to 256 MB`);
  const text = await log.text();
  const timeline = readTimeline(await plugin, text, (share) => say({ id, share }));
  current = timeline;
  say({ id, timeline });
}

function describe(error: unknown): string {
  if (error instanceof NoHistory) return error.message;
  return `it could not be read to its end (${error instanceof Error ? error.message : String(error)})`;
}

function say(answer: Answer): void {
  postMessage(answer);
}
