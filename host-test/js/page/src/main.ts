// The page: takes a log, asks the worker what it was, and shows it.

import { Chart, count } from './chart.js';
import { showMoment } from './moment.js';
import { policy, watchPolicy } from './policy.js';
import { Reader } from './reader.js';
import { byId } from './svg.js';
import type { Reminder } from './replay.js';
import type { Timeline } from './timeline.js';

const reader = new Reader();
const moment = byId<HTMLInputElement>('moment');
let shown: { timeline: Timeline; chart: Chart; reminders: Reminder[] } | undefined;
let opened = 0;
let asked = 0;

async function open(name: string, log: Blob): Promise<void> {
  const turn = (opened += 1);
  const progress = byId<HTMLProgressElement>('progress');
  byId('failure').hidden = true;
  byId('reading').hidden = false;
  progress.value = 0;
  try {
    const timeline = await reader.read(log, (share) => {
      progress.value = share;
    });
    if (turn === opened) await show(name, timeline);
  } catch (error) {
    if (turn === opened) fail(`${name} can't be shown: ${error instanceof Error ? error.message : String(error)}. `
      + 'Accepted is the log or saved history of an agent session, as JSON or JSON Lines.');
  } finally {
    if (turn === opened) byId('reading').hidden = true;
  }
}

async function show(name: string, timeline: Timeline): Promise<void> {
  shown = { timeline, chart: new Chart(timeline), reminders: [] };
  byId('welcome').hidden = true;
  byId('session').hidden = false;
  byId('summary').textContent = summary(name, timeline);
  moment.max = String(timeline.requests);
  choose(timeline.requests);
  await applyPolicy();
  byId('session').focus({ preventScroll: true });
}

function summary(name: string, { format, requests, steps, reminders, compactions }: Timeline): string {
  const marks = [count(reminders.length, 'reminder'), count(compactions.length, 'compaction')];
  const nothing = steps.length === 0 ? ' The model never wrote a todo list in it.' : '';
  return `${name} (${format}): ${count(requests, 'request')}, ${count(steps.length, 'write')}, ${marks.join(', ')}.${nothing}`;
}

function choose(request: number): void {
  if (shown === undefined) return;
  const { timeline, chart } = shown;
  const legal = Math.min(Math.max(request, 0), timeline.requests);
  moment.value = String(legal);
  chart.moment(legal);
  showMoment(timeline, legal);
  moment.setAttribute('aria-valuetext', byId('when').textContent ?? '');
  showReminder(legal);
}

/** Asks for the effect of the policy; of several questions only the last one's answer is shown. */
async function applyPolicy(): Promise<void> {
  if (shown === undefined) return;
  const turn = (asked += 1);
  const reminders = await reader.replay(policy());
  if (turn !== asked || shown === undefined) return;
  shown.reminders = reminders;
  shown.chart.effect(reminders);
  byId('effect').textContent = `${count(reminders.length, 'reminder')} with this policy, ${shown.timeline.reminders.length} in the log.`;
  showReminder(moment.valueAsNumber);
}

/** Why a reminder came or did not: the counters at the moment, and the text of the reminder before it, else of the first. */
function showReminder(request: number): void {
  if (shown === undefined) return;
  const { timeline, reminders } = shown;
  const write = timeline.steps.findLast((step) => step.request <= request)?.request ?? 0;
  const last = reminders.findLast((candidate) => candidate.request <= request);
  const since = last === undefined ? 'no reminder yet' : `${count(request - last.request + 1, 'request')} since the last reminder`;
  byId('why').textContent = `At the chosen moment: ${count(request - write, 'request')} since the last write, ${since}.`;
  const reminder = last ?? reminders[0];
  const details = byId('text');
  details.hidden = reminder === undefined;
  details.querySelector('summary')?.replaceChildren(`What the model reads before request ${reminder?.request}`);
  details.querySelector('pre')?.replaceChildren(reminder?.text ?? '');
}

function fail(message: string): void {
  byId('failure').textContent = message;
  byId('failure').hidden = false;
}

function watchFiles(): void {
  const input = byId<HTMLInputElement>('file');
  input.addEventListener('change', () => {
    const file = input.files?.[0];
    if (file !== undefined) void open(file.name, file);
    input.value = '';
  });
  byId('sample').addEventListener('click', async () => {
    const { default: sample } = await import('./sample.jsonl?raw');
    void open('The sample', new Blob([sample]));
  });
  addEventListener('dragover', (event) => {
    event.preventDefault();
    document.body.classList.add('dragging');
  });
  addEventListener('dragleave', (event) => {
    if (event.relatedTarget === null) document.body.classList.remove('dragging');
  });
  addEventListener('drop', (event) => {
    event.preventDefault();
    document.body.classList.remove('dragging');
    const file = event.dataTransfer?.files[0];
    if (file === undefined) fail('What was dropped is no file. Accepted is one log file');
    else void open(file.name, file);
  });
}

function watchMoment(): void {
  moment.addEventListener('input', () => choose(moment.valueAsNumber));
  const overlay = byId<SVGSVGElement>('overlay');
  const pick = (event: PointerEvent): void => {
    const { left, width } = overlay.getBoundingClientRect();
    choose(Math.round(((event.clientX - left) / width) * Number(moment.max)));
  };
  overlay.addEventListener('pointerdown', (event) => {
    overlay.setPointerCapture(event.pointerId);
    pick(event);
  });
  overlay.addEventListener('pointermove', (event) => {
    if (overlay.hasPointerCapture(event.pointerId)) pick(event);
  });
}

watchFiles();
watchMoment();
watchPolicy(() => void applyPolicy());
