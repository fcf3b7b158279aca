// The session along its requests: lanes of marks, a bar for each item, and the
// lines that cross them.

import { bars, type Bar, type Segment } from './bars.js';
import { byId, html, share, svg } from './svg.js';
import type { Reminder } from './replay.js';
import type { Timeline } from './timeline.js';

const HEIGHT = 20;
const THICKNESS = { pending: 4, in_progress: 12, completed: 4 } as const;
/** So many numbers are read aloud. */
const MOST_SPOKEN = 30;
const SPOKEN = { pending: 'pending', in_progress: 'in progress', completed: 'completed' } as const;

/** Draws a session; `choose` hears which moment a pointer picks. */
export class Chart {
  readonly #timeline: Timeline;
  readonly #overlay = byId<SVGSVGElement>('overlay');
  readonly #cursor = svg('line', { class: 'cursor', y1: 0, y2: '100%' });
  readonly #effect: HTMLElement;

  constructor(timeline: Timeline) {
    this.#timeline = timeline;
    this.#effect = this.#lane('With this policy', []);
    byId('lanes').replaceChildren(
      this.#axis(),
      this.#lane('Reminders in the log', timeline.reminders),
      this.#effect,
    );
    byId('bars').replaceChildren(...bars(timeline).map((bar) => this.#bar(bar)));
    this.#overlay.replaceChildren(
      ...timeline.compactions.map((request) => {
        const x = share(this.#before(request));
        return svg('line', { class: 'compaction', x1: x, x2: x, y1: 0, y2: '100%' });
      }),
      this.#cursor,
    );
  }

  /** Moves the cursor to the moment after a request. */
  moment(request: number): void {
    const x = share(this.#before(request + 1));
    this.#cursor.setAttribute('x1', x);
    this.#cursor.setAttribute('x2', x);
  }

  /** Shows the reminders of a policy. */
  effect(reminders: Reminder[]): void {
    this.#fill(this.#effect, reminders.map(({ request }) => request));
  }

  #axis(): HTMLElement {
    const { requests, steps } = this.#timeline;
    const refused = steps.filter((step) => step.refused).length;
    const lane = this.#row('li', `${count(requests, 'request')}, ${count(steps.length, 'write')}${refused > 0 ? ` (${refused} refused)` : ''}`);
    const drawing = svg('svg', { class: 'axis', height: 34, 'aria-hidden': 'true' });
    for (const tick of ticks(requests)) {
      const label = svg('text', { x: share(this.#at(tick)), y: 10, 'text-anchor': 'middle' });
      label.textContent = String(tick);
      drawing.append(label);
    }
    for (const step of steps) {
      const x = share(this.#at(step.request));
      drawing.append(svg('line', { class: step.refused ? 'write refused' : 'write', x1: x, x2: x, y1: 18, y2: 32 }));
    }
    lane.append(drawing);
    return lane;
  }

  #lane(name: string, requests: number[]): HTMLElement {
    const lane = this.#row('li', name);
    lane.append(html('span', 'spoken'), svg('svg', { height: HEIGHT, 'aria-hidden': 'true' }));
    this.#fill(lane, requests);
    return lane;
  }

  #fill(lane: HTMLElement, requests: number[]): void {
    lane.querySelector('.spoken')?.replaceChildren(speakRequests(requests));
    lane.querySelector('svg')?.replaceChildren(
      ...requests.map((request) =>
        svg('circle', { class: 'reminder', cx: share(this.#before(request)), cy: HEIGHT / 2, r: 5 })),
    );
  }

  #bar(bar: Bar): HTMLElement {
    const row = this.#row('li', bar.content);
    row.title = bar.content;
    row.append(html('span', 'spoken', speak(bar)));
    const drawing = svg('svg', { height: HEIGHT, 'aria-hidden': 'true' });
    for (const segment of bar.segments) drawing.append(this.#segment(segment, segment.to === this.#timeline.requests && bar.gone === undefined));
    const done = bar.segments.find(({ status }) => status === 'completed');
    if (done !== undefined) drawing.append(svg('circle', { class: 'completed', cx: share(this.#at(done.from)), cy: HEIGHT / 2, r: 5 }));
    if (bar.gone !== undefined) drawing.append(svg('circle', { class: 'gone', cx: share(this.#at(bar.gone)), cy: HEIGHT / 2, r: 4 }));
    row.append(drawing);
    return row;
  }

  #segment({ status, from, to }: Segment, lasts: boolean): SVGElement {
    const [start, end] = [this.#at(from), lasts ? 1 : this.#at(to)];
    const height = THICKNESS[status];
    return svg('rect', { class: status, x: share(start), width: share(end - start), y: (HEIGHT - height) / 2, height, rx: 2 });
  }

  #row(name: string, label: string): HTMLElement {
    const row = html(name, 'row');
    const text = html('span', 'name', label);
    text.dir = 'auto';
    row.append(text);
    return row;
  }

  /** Where a request stands: in the middle of its share of the width. */
  #at(request: number): number {
    return (request - 0.5) / Math.max(this.#timeline.requests, 1);
  }

  /** Where a request's share begins: what stands before it is drawn there. */
  #before(request: number): number {
    return Math.min((request - 1) / Math.max(this.#timeline.requests, 1), 1);
  }
}

function speak({ segments, gone }: Bar): string {
  const parts = segments.map(({ status, from }) => `${SPOKEN[status]} from request ${from}`);
  if (gone !== undefined) parts.push(`left the list in request ${gone}`);
  return `: ${parts.join(', ')}`;
}

function speakRequests(requests: number[]): string {
  if (requests.length === 0) return 'none';
  const more = requests.length - MOST_SPOKEN;
  return `before request ${requests.slice(0, MOST_SPOKEN).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** About eight round numbers from 1 to the number of requests. */
function ticks(requests: number): number[] {
  const rough = requests / 8;
  const power = 10 ** Math.floor(Math.log10(Math.max(rough, 1)));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= rough) ?? 1;
  const all = requests > 0 ? [1] : [];
  for (let tick = step === 1 ? 2 : step; tick <= requests; tick += step) all.push(tick);
  return all;
}

/** A number with its noun: `1 write`, `2 writes`. */
export function count(number: number, noun: string): string {
  return `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;
}
