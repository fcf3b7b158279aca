// The worker as the page sees it: questions with answers.

import type { Answer, Question } from './worker.js';
import type { Reminder, ReminderPolicy } from './replay.js';
import type { Timeline } from './timeline.js';
import ReaderWorker from './worker.js?worker&inline';

/** Reads logs and answers what a policy would have done, in a worker. */
export class Reader {
  readonly #worker = new ReaderWorker({ name: 'reader' });
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #count = 0;

  constructor() {
    this.#worker.addEventListener('message', ({ data }: MessageEvent<Answer>) => this.#waiting.get(data.id)?.(data));
    this.#worker.addEventListener('error', ({ message }) => {
      for (const [id, answer] of this.#waiting) answer({ id, failure: `its reader stopped (${message})` });
    });
  }

  /** Reads a log; a file that is none is an `Error` whose message is for a person. */
  read(log: Blob, progress: (share: number) => void): Promise<Timeline> {
    return this.#ask({ log }, (answer) => {
      if ('share' in answer) progress(answer.share);
      return 'timeline' in answer ? answer.timeline : undefined;
    });
  }

  /** The reminders of the last log under a policy. */
  replay(policy: ReminderPolicy): Promise<Reminder[]> {
    return this.#ask({ policy }, (answer) => ('reminders' in answer ? answer.reminders : undefined));
  }

  #ask<T>(question: { log: Blob } | { policy: ReminderPolicy }, take: (answer: Answer) => T | undefined): Promise<T> {
    const id = (this.#count += 1);
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, (answer) => {
        const taken = take(answer);
        if (taken === undefined && !('failure' in answer)) return;
        this.#waiting.delete(id);
        if (taken === undefined) reject(new Error('failure' in answer ? answer.failure : ''));
        else resolve(taken);
      });
      this.#worker.postMessage({ id, ...question } satisfies Question);
    });
  }
}
