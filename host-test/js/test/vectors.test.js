import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { before, test } from 'node:test';
import { loadTodo } from 'agent-todo';
import { openPage, startBrowser } from './browser.js';
import { serve } from './serve.js';
import { runVector, unknownKeys } from './vectors/run.js';

const FOLDER = new URL('../../vectors/', import.meta.url);
const here = (path) => fileURLToPath(new URL(path, import.meta.url));

let vectors;
let count;
before(async () => {
  const files = (await readdir(FOLDER)).filter((name) => name.endsWith('.json'));
  const texts = await Promise.all(files.map((name) => readFile(new URL(name, FOLDER), 'utf8')));
  const themes = texts.map((text) => JSON.parse(text));
  for (const theme of themes) assert.deepEqual(unknownKeys(theme, ['theme', 'about', 'vectors']), []);
  vectors = themes.flatMap((theme) => theme.vectors);
  // Counted in the text, so that a vector lost in parsing is missed.
  count = texts.reduce((sum, text) => sum + text.split(/"steps"\s*:/).length - 1, 0);
  assert.ok(count > 0, `no vectors in ${FOLDER}`);
});

test('Every vector passes in Node.', async () => {
  const plugin = await loadTodo();
  const results = vectors.map((vector) => ({ name: vector.name, failures: runVector(plugin, vector) }));
  judge(results);
});

test('Every vector passes in Chromium.', async (t) => {
  const server = await serve({ '/package/': here('../dist/'), '/vectors/': here('vectors/'), '/': here('pages/') });
  const browser = await startBrowser();
  t.after(async () => {
    await browser.close();
    server.close();
  });
  const { page, errors } = await openPage(browser);
  await page.goto(`${server.url}/vectors.html`);
  await page.waitForFunction(() => 'run' in globalThis);
  const results = await page.evaluate((given) => globalThis.run(given), vectors);
  judge(results);
  assert.deepEqual(errors, []);
});

test('A vector whose expectation is wrong, unknown or missing fails.', async () => {
  const plugin = await loadTodo();
  const step = { do: 'todo-write', input: '[]' };
  const steps = [
    { ...step, expect: { text: 'another text' } },
    { ...step, expect: { changed: true } },
    { ...step, expect: { txet: '(0/0 completed)' } },
    { ...step, expect: { error: 'invalid-input' } },
    { ...step, expect: { report: { requests: 0 } } },
    { ...step, expect: {} },
    step,
    { ...step, inptu: '[]', expect: { ok: true } },
    { do: 'todo-wirte', expect: { ok: true } },
    { do: 'todo-write', input: '7', expect: { not_contains: ['nothing like this'] } },
  ];
  for (const wrong of steps) {
    assert.notDeepEqual(runVector(plugin, { name: 'wrong', steps: [wrong] }), [], JSON.stringify(wrong));
  }
});

function judge(results) {
  const failed = results.filter(({ failures }) => failures.length > 0);
  assert.equal(failed.map(({ name, failures }) => `${name}\n  ${failures.join('\n  ')}`).join('\n'), '');
  assert.equal(results.length, count);
}
