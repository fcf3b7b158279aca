import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { after, before, test } from 'node:test';
import { openPage, startBrowser } from './browser.js';
import { serve } from './serve.js';

const SAMPLE = new URL('../page/src/sample.jsonl', import.meta.url);
const LOG = fileURLToPath(new URL('../../fixtures/claude-code/compacted.jsonl', import.meta.url));

let server;
let browser;
before(async () => {
  server = await serve({ '/': fileURLToPath(new URL('../page/dist/', import.meta.url)) });
  browser = await startBrowser();
});
after(async () => {
  await browser?.close();
  server?.close();
});

/** Runs `use` with the page open, and expects that nothing went wrong in it. */
async function withPage(use, options) {
  const { page, errors } = await openPage(browser, options);
  await page.goto(`${server.url}/index.html`);
  await use(page);
  assert.deepEqual(errors, []);
  await page.close();
}

/** Drops a file on the page, as a person does. */
async function drop(page, name, text) {
  const data = await page.evaluateHandle(([fileName, content]) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([content], fileName));
    return transfer;
  }, [name, text]);
  await page.dispatchEvent('body', 'dragover', { dataTransfer: data });
  await page.dispatchEvent('body', 'drop', { dataTransfer: data });
}

const summary = (page, name) => page.locator('#summary', { hasText: name }).textContent();
const listed = (page) => page.locator('#list li').allInnerTexts();

test('A dropped log is drawn: its requests, a bar for each item, its compaction, and the list at its end.', () =>
  withPage(async (page) => {
    await drop(page, 'session.jsonl', await readFile(LOG, 'utf8'));
    const found = await summary(page, 'session.jsonl');
    assert.match(found, /^session\.jsonl \(claude-code\): \d+ requests, \d+ writes, \d+ reminders?, 1 compaction\.$/);
    const expected = JSON.parse(await readFile(LOG.replace('.jsonl', '.expected.json'), 'utf8'));
    assert.deepEqual((await listed(page)).map((line) => line.split('\n').at(-1)), expected.todos.map(({ content }) => content));
    assert.equal(await page.locator('#overlay .compaction').count(), 1);
    assert.ok((await page.locator('#bars li').count()) >= expected.todos.length);
    assert.equal(await page.locator('#welcome').isVisible(), false);
  }));

test('A chosen file is read like a dropped one, and a second one takes its place.', () =>
  withPage(async (page) => {
    await page.setInputFiles('#file', LOG);
    await summary(page, 'compacted.jsonl');
    await page.setInputFiles('#file', fileURLToPath(SAMPLE));
    assert.match(await summary(page, 'sample.jsonl'), /49 requests, 8 writes, 2 reminders, 1 compaction/);
  }));

test('The sliders of the policy change its reminders at once, and the log keeps its own.', () =>
  withPage(async (page) => {
    await page.getByRole('button', { name: 'Take the sample' }).click();
    const effect = (text) => page.locator('#effect', { hasText: text }).waitFor();
    await effect('2 reminders with this policy, 2 in the log.');
    await page.getByRole('button', { name: 'Teaching' }).click();
    await effect('10 reminders with this policy, 2 in the log.');
    assert.equal(await page.locator('#lanes li:nth-child(3) circle').count(), 10);
    assert.equal(await page.locator('#lanes li:nth-child(2) circle').count(), 2);
    await page.getByLabel('Once, then none until the next write').check();
    await effect('5 reminders with this policy');
    await page.getByLabel('Remind at all').uncheck();
    await effect('0 reminders with this policy');
    assert.equal(await page.getByRole('slider', { name: 'Due after' }).isDisabled(), true);
  }));

test('The reminder that the model would read is shown for the moment that is chosen.', () =>
  withPage(async (page) => {
    await page.getByRole('button', { name: 'Take the sample' }).click();
    await page.locator('#effect', { hasText: '2 reminders' }).waitFor();
    await page.getByRole('slider', { name: 'After request', exact: true }).fill('22');
    await page.getByText('What the model reads before request 21').click();
    assert.match(await page.locator('#text pre').textContent(), /^<system-reminder>[^]*\[in_progress\] 3\. Write the report as JSON/);
  }));

test('Everything is reached and moved by keyboard, and says what it is.', () =>
  withPage(async (page) => {
    const focused = () => page.evaluate(() => document.activeElement.id || document.activeElement.textContent);
    await page.keyboard.press('Tab');
    assert.equal(await focused(), 'Skip to the session');
    await page.keyboard.press('Tab');
    assert.equal(await focused(), 'file');
    await page.keyboard.press('Tab');
    assert.equal(await focused(), 'sample');
    await page.keyboard.press('Enter');
    await page.locator('#effect', { hasText: '2 reminders' }).waitFor();

    const moment = page.getByRole('slider', { name: 'After request', exact: true });
    await moment.focus();
    await page.keyboard.press('Home');
    assert.equal(await moment.getAttribute('aria-valuetext'), 'Before the first request: nothing is written yet.');
    assert.deepEqual(await listed(page), []);
    for (let n = 0; n < 3; n += 1) await page.keyboard.press('ArrowRight');
    assert.equal(await moment.getAttribute('aria-valuetext'), 'After request 3 of 49: 0 of 5 completed, written in this request.');
    assert.equal(await page.locator('#list li').count(), 5);
    const dueAfter = page.getByRole('slider', { name: 'Due after requests without a write' });
    await dueAfter.focus();
    await page.keyboard.press('ArrowLeft');
    assert.equal(await dueAfter.inputValue(), '7');
  }));

test('A screen reader hears each item with its statuses, and the reminders with their requests.', () =>
  withPage(async (page) => {
    await page.getByRole('button', { name: 'Take the sample' }).click();
    await page.locator('#effect', { hasText: '2 reminders' }).waitFor();
    const items = await page.getByRole('list', { name: 'Items, each with its statuses' }).ariaSnapshot();
    assert.match(items, /Add the --json flag ?: pending from request 3, in progress from request 7, completed from request 12/);
    assert.match(items, /Read the input from stdin[^\n]*left the list in request 43/);
    assert.match(await page.locator('#lanes').ariaSnapshot(), /Reminders in the log ?before request 21, 41/);
  }));

test('A pointer on the chart chooses the moment.', () =>
  withPage(async (page) => {
    await page.getByRole('button', { name: 'Take the sample' }).click();
    await page.locator('#effect', { hasText: '2 reminders' }).waitFor();
    const { x, y, width } = await page.locator('#overlay').boundingBox();
    await page.mouse.move(x + width - 1, y + 80);
    await page.mouse.down();
    await page.mouse.move(x + width * (24 / 49), y + 80);
    await page.mouse.up();
    assert.match(await page.locator('#when').textContent(), /^After request 24 of 49/);
  }));

test('A bad file gets one clear line, and what was shown stays.', () =>
  withPage(async (page) => {
    await page.getByRole('button', { name: 'Take the sample' }).click();
    await summary(page, 'The sample');
    const bad = { 'empty.json': '', 'photo.png': '\u0089PNG\r\n\u001a\n\u0000', 'numbers.json': '[1,2,3]', 'settings.json': '{"theme":"dark"}' };
    for (const [name, text] of Object.entries(bad)) {
      await drop(page, name, text);
      const line = await page.getByRole('alert').filter({ hasText: name }).textContent();
      assert.match(line, /^[a-z.]+ can't be shown: .+\. Accepted is the log or saved history of an agent session, as JSON or JSON Lines\.$/);
      assert.match(await summary(page, 'The sample'), /49 requests/);
    }
    await drop(page, 'session.jsonl', await readFile(LOG, 'utf8'));
    await summary(page, 'session.jsonl');
    assert.equal(await page.getByRole('alert').isVisible(), false);
  }));

test('A log without a todo call says so.', () =>
  withPage(async (page) => {
    await drop(page, 'plain.json', JSON.stringify([{ role: 'user', content: 'Hello' }, { role: 'assistant', content: 'Hello.' }]));
    assert.match(await summary(page, 'plain.json'), /1 request, 0 writes, .* The model never wrote a todo list in it\.$/);
  }));

test('While a log of 50 MB is read the page goes on.', () =>
  withPage(async (page) => {
    const sample = await readFile(SAMPLE, 'utf8');
    const seen = await page.evaluate(([text]) => {
      const filler = JSON.stringify({ type: 'progress', uuid: 'x', data: 'y'.repeat(4000) });
      const file = new File([text, `${filler}\n`.repeat(Math.ceil(50_000_000 / filler.length))], 'long.jsonl');
      const transfer = new DataTransfer();
      transfer.items.add(file);
      const progress = document.getElementById('progress');
      const shares = new Set();
      return new Promise((resolve) => {
        const look = () => {
          shares.add(progress.value);
          if (document.getElementById('session').hidden) requestAnimationFrame(look);
          else resolve({ size: file.size, between: [...shares].filter((share) => share > 0 && share < 1).length });
        };
        document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }));
        look();
      });
    }, [sample]);
    assert.ok(seen.size > 50_000_000);
    assert.ok(seen.between > 3, `frames were drawn at ${seen.between} shares of the reading`);
    assert.match(await summary(page, 'long.jsonl'), /49 requests, 8 writes/);
  }));

test('What is dropped can leave neither the page nor its worker.', async () => {
  const { page } = await openPage(browser);
  await page.goto(`${server.url}/index.html`);
  const requests = [];
  page.on('request', (request) => requests.push(request.url()));
  await drop(page, 'session.jsonl', await readFile(LOG, 'utf8'));
  await summary(page, 'session.jsonl');
  assert.deepEqual(requests.filter((url) => !url.startsWith('blob:')), []);
  const leave = async (url) => fetch(url).then(() => 'left', () => 'stayed');
  assert.equal(await page.evaluate(leave, `${server.url}/index.html`), 'stayed');
  const [worker] = page.workers();
  assert.equal(await worker.evaluate(leave, `${server.url}/index.html`), 'stayed');
  await page.close();
});

test('It fits a narrow screen, and is dark where a person wants it dark.', () =>
  withPage(async (page) => {
    await page.getByRole('button', { name: 'Take the sample' }).click();
    await page.locator('#effect', { hasText: '2 reminders' }).waitFor();
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320);
    const lightness = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor.match(/\d+/g).map(Number));
    assert.ok(lightness.every((channel) => channel < 60), `the background is ${lightness}`);
  }, { viewport: { width: 320, height: 700 }, colorScheme: 'dark' }));

test('Of a log that ends before the first request there is nothing to draw, and nothing breaks.', () =>
  withPage(async (page) => {
    await drop(page, 'begun.jsonl', `${JSON.stringify({ type: 'user', uuid: 'a', sessionId: 's', message: { role: 'user', content: 'Hello' } })}\n`);
    assert.match(await summary(page, 'begun.jsonl'), /0 requests, 0 writes/);
    assert.match(await page.locator('#when').textContent(), /^Before the first request/);
  }));
