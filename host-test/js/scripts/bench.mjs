// What the package costs, beside plain JavaScript that does the same write by
// hand: size on the wire, time to a session, time of a call.

import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { loadTodo } from '../dist/index.js';
import { writeByHand } from './by-hand.mjs';

const ITEMS = 20;
const todos = Array.from({ length: ITEMS }, (_, index) => ({
  id: String(index + 1),
  content: `Step ${index + 1} of a plan `.padEnd(50, '.'),
  status: index < 5 ? 'completed' : index === 5 ? 'in_progress' : 'pending',
}));
const input = JSON.stringify({ todos });

console.log(`Node ${process.version}\n`);
await sizes();
await times();

async function sizes() {
  const rows = [
    ['glue (jco)', await file('generated/agent-todo.js')],
    ['core (WebAssembly)', await file('core.wasm')],
    ['core as shipped (gzip in base64)', await file('generated/core-gzip.js')],
    ['layer above the glue', Buffer.concat(await Promise.all(['index', 'plugin', 'session', 'core', 'policy', 'error'].map((name) => file(`${name}.js`))))],
  ];
  console.log(`${'bytes'.padEnd(34)}${'raw'.padStart(9)}${'gzip'.padStart(9)}`);
  for (const [name, bytes] of rows) console.log(`${name.padEnd(34)}${number(bytes.length)}${number(gzip(bytes))}`);
  const shipped = [rows[0], rows[2], rows[3]].map(([, bytes]) => bytes);
  console.log(`${'all that is shipped'.padEnd(34)}${number(sum(shipped.map(({ length }) => length)))}${number(sum(shipped.map(gzip)))}\n`);
}

async function times() {
  const start = performance.now();
  const plugin = await loadTodo();
  console.log(`first loadTodo: ${(performance.now() - start).toFixed(1)} ms`);
  const session = plugin.session({ remindAfter: 1_000_000 });
  const text = session.todoWrite(input).text;
  if (writeByHand(input).text !== text) throw new Error('the plain JavaScript writes another text than the component');

  // Processor time, and in turns: what else the machine does hits neither or both.
  const [component, plain] = best([() => session.todoWrite(input), () => writeByHand(input)], 4000);
  const [request, fresh] = best([() => session.onRequest(), () => plugin.session()], 500);
  console.log(`a write of ${ITEMS} items, component:        ${micros(component)}, ${perSecond(component)} calls/s`);
  console.log(`a write of ${ITEMS} items, plain JavaScript: ${micros(plain)}, ${perSecond(plain)} calls/s`);
  console.log(`ratio: ${(component / plain).toFixed(2)}`);
  console.log(`onRequest: ${micros(request)}; a new session: ${micros(fresh)}`);
}

/** The best processor time of each in seconds, over 15 rounds. */
function best(tasks, calls) {
  const times = tasks.map(() => Infinity);
  for (let round = 0; round < 15; round += 1) {
    for (const [index, task] of tasks.entries()) {
      const start = process.cpuUsage();
      for (let n = 0; n < calls; n += 1) task();
      const { user, system } = process.cpuUsage(start);
      times[index] = Math.min(times[index], (user + system) / 1e6 / calls);
    }
  }
  return times;
}

function file(name) {
  return readFile(new URL(`../dist/${name}`, import.meta.url));
}

function gzip(bytes) {
  return gzipSync(bytes, { level: 9 }).length;
}

function sum(numbers) {
  return numbers.reduce((total, value) => total + value, 0);
}

function number(value) {
  return value.toLocaleString('en').padStart(9);
}

function micros(seconds) {
  return `${(seconds * 1e6).toFixed(2)} µs`;
}

function perSecond(seconds) {
  return Math.round(1 / seconds).toLocaleString('en');
}
