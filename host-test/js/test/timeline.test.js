import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { after, before, test } from 'node:test';
import { createServer } from 'vite';
import { loadTodo } from 'agent-todo';

const FIXTURES = new URL('../../fixtures/', import.meta.url);

let vite;
let plugin;
let page;
before(async () => {
  plugin = await loadTodo();
  const root = fileURLToPath(new URL('../page/', import.meta.url));
  vite = await createServer({ root, configFile: `${root}vite.config.js`, server: { middlewareMode: true, watch: null }, logLevel: 'error', appType: 'custom' });
  page = {
    ...(await vite.ssrLoadModule('/src/timeline.ts')),
    ...(await vite.ssrLoadModule('/src/pieces.ts')),
    ...(await vite.ssrLoadModule('/src/replay.ts')),
    ...(await vite.ssrLoadModule('/src/bars.ts')),
  };
});
after(() => vite.close());

const read = (text) => page.readTimeline(plugin, text, () => {});
const ALL = { toolSet: 'both', maxTodos: 1000, maxContent: 10_000, inProgressLimit: 'allow' };

async function fixtures() {
  const names = (await readdir(FIXTURES, { recursive: true })).filter((name) => /\.jsonl?$/.test(name));
  const expectations = names.filter((name) => name.endsWith('.expected.json') && !name.includes('node_modules'));
  return Promise.all(expectations.map(async (expected) => {
    const name = names.find((candidate) => candidate !== expected && candidate.replace(/\.jsonl?$/, '') === expected.replace('.expected.json', ''));
    return { name, text: await readFile(new URL(name, FIXTURES), 'utf8') };
  }));
}

test('Every recorded history, read piece by piece, is what restore makes of the whole.', async () => {
  const all = await fixtures();
  assert.ok(all.length > 10);
  const [found, expected] = [{}, {}];
  for (const { name, text } of all) {
    const session = plugin.session(ALL);
    const { format, requests, reminders } = session.restore(text);
    const last = requests - session.counters().requestsSinceWrite;
    expected[name] = { format, requests, reminders, last, todos: session.todos() };
    const timeline = read(text);
    const step = timeline.steps.at(-1);
    found[name] = { format: timeline.format, requests: timeline.requests, reminders: timeline.reminders.length, last: step?.request ?? 0, todos: step?.todos ?? [] };
  }
  assert.deepEqual(found, expected);
});

test('The same session has the same writes and reminders in the same requests, whatever host recorded it.', async () => {
  const sessions = (await fixtures()).filter(({ name }) => /\/session\.jsonl?$/.test(name));
  assert.ok(sessions.length > 5);
  const outline = ({ steps, reminders, requests }) => ({ requests, reminders, steps: steps.map(({ request, refused }) => [request, refused]) });
  const expected = outline(read(sessions.find(({ name }) => name.startsWith('anthropic/')).text));
  for (const { name, text } of sessions) assert.deepEqual({ name, ...outline(read(text)) }, { name, ...expected });
});

test('A list in an object, white space, a byte order mark and line ends make no difference to the pieces.', () => {
  const messages = [{ role: 'user', content: 'a "quoted" ] } \\' }, { role: 'assistant', content: [{ type: 'text', text: '[{' }] }];
  const expected = messages.map((message) => `[${JSON.stringify(message)}]`);
  const texts = [
    JSON.stringify(messages),
    `\ufeff ${JSON.stringify(messages)}\n`,
    JSON.stringify({ title: 'A "list" [', tags: ['a'], empty: [], n: -1.5e3, nothing: null, messages, after: [{}] }),
    JSON.stringify(messages).replace('},{', '},\r\n\t{'),
  ];
  for (const text of texts) assert.deepEqual([...page.pieces(text)], expected);
  const lines = messages.map((message) => JSON.stringify(message));
  for (const end of ['\n', '\r\n', '\n\n']) assert.deepEqual([...page.pieces(lines.join(end) + end)], lines);
  assert.deepEqual([...page.pieces('')], []);
});

test('Of an array that is cut off anywhere the complete elements are read, and of lines the complete ones count.', () => {
  const element = { role: 'assistant', content: 'a \\" ] , {' };
  const text = JSON.stringify([element, element]);
  const end = JSON.stringify(element).length + 1;
  for (let cut = 2; cut < text.length; cut += 1) {
    const whole = cut < end ? 0 : cut < text.length - 1 ? 1 : 2;
    assert.equal([...page.pieces(text.slice(0, cut))].length, whole, text.slice(0, cut));
  }
  const line = JSON.stringify({ type: 'assistant', message: { role: 'assistant', content: [] }, uuid: 'a', sessionId: 's' });
  assert.equal(read(`${line}\n${line.slice(0, 20)}`).requests, 1);
});

test('A file that is no history says in words what it is.', () => {
  assert.throws(() => read(''), /^Error: it is empty$/);
  assert.throws(() => read('  \n'), /^Error: it is empty$/);
  assert.throws(() => read('{"a":1}'), /^Error: it is JSON, but holds no messages of a known shape$/);
  assert.throws(() => read('[1,2,3]'), /^Error: it is JSON, but holds no messages of a known shape$/);
  assert.throws(() => read('GIF89a\u0000\u0001'), (error) => !error.message.includes('\n') && error.message.length > 10);
});

test('A policy brings the reminders that a live session with it hands out.', () => {
  const todos = [{ id: '1', content: 'Add the flag', status: 'in_progress' }];
  const timeline = { format: 'x', requests: 12, steps: [{ request: 1, todos, refused: false }, { request: 8, todos, refused: false }], reminders: [], compactions: [] };
  const requests = (policy) => page.replay(plugin, timeline, { remind: true, remindAfter: 2, remindCooldown: 2, remindOnce: false, ...policy }).map(({ request }) => request);
  assert.deepEqual(requests({}), [4, 6, 8, 11]);
  assert.deepEqual(requests({ remindCooldown: 4 }), [4, 8, 12]);
  assert.deepEqual(requests({ remindOnce: true }), [4, 11]);
  assert.deepEqual(requests({ remindAfter: 5 }), [7]);
  assert.deepEqual(requests({ remind: false }), []);
});

test('An item is one bar while its text or its id stays, and a new one when a finished id is used again.', () => {
  const step = (request, ...items) => ({ request, refused: false, todos: items.map(([id, content, status]) => ({ id, content, status })) });
  const drawn = page.bars({
    requests: 9,
    steps: [
      step(1, ['1', 'Read', 'in_progress'], ['2', 'Write', 'pending']),
      step(3, ['1', 'Read', 'completed'], ['2', 'Write it all', 'in_progress']),
      step(5, ['1', 'Write it all', 'completed'], ['2', 'Test', 'pending']),
      step(7, ['1', 'Test', 'pending']),
    ],
  });
  assert.deepEqual(drawn.map(({ content, segments, gone }) => [content, gone, ...segments.map(({ status, from, to }) => [status, from, to])]), [
    ['Read', 5, ['in_progress', 1, 3], ['completed', 3, 5]],
    ['Write it all', 7, ['pending', 1, 3], ['in_progress', 3, 5], ['completed', 5, 7]],
    ['Test', undefined, ['pending', 5, 9]],
  ]);
});
