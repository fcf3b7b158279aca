// The list at one moment of the session.

import { count } from './chart.js';
import { byId, html } from './svg.js';
import type { Step, Timeline } from './timeline.js';

const SIGNS = { pending: '○', in_progress: '◐', completed: '●' } as const;
const SPOKEN = { pending: 'pending: ', in_progress: 'in progress: ', completed: 'completed: ' } as const;

/** Shows the list after a request. */
export function showMoment(timeline: Timeline, request: number): void {
  const step = timeline.steps.findLast((candidate) => candidate.request <= request);
  byId('when').textContent = describe(timeline, step, request);
  const todos = step?.todos ?? [];
  byId('list').replaceChildren(
    ...todos.map(({ content, status, description }) => {
      const item = html('li', status);
      const sign = html('span', 'sign', SIGNS[status]);
      sign.setAttribute('aria-hidden', 'true');
      const text = html('span', 'content', content);
      text.dir = 'auto';
      item.append(sign, html('span', 'spoken', SPOKEN[status]), text);
      if (description !== undefined) {
        const more = html('span', 'description', description);
        more.dir = 'auto';
        more.title = description;
        item.append(more);
      }
      return item;
    }),
  );
}

function describe({ requests }: Timeline, step: Step | undefined, request: number): string {
  const where = request === 0 ? 'Before the first request' : `After request ${request} of ${requests}`;
  if (step === undefined) return `${where}: nothing is written yet.`;
  const done = step.todos.filter(({ status }) => status === 'completed').length;
  const since = request - step.request;
  const written = since === 0 ? 'written in this request' : `written ${count(since, 'request')} before`;
  if (step.todos.length === 0) return `${where}: the list is empty, ${written}.`;
  return `${where}: ${done} of ${step.todos.length} completed, ${written}.`;
}
