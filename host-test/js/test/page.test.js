import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { after, before, test } from 'node:test';
import { openPage } from './browser.js';
import { listed, openSessionPage, SAMPLE, summary, takeSample } from './session-page.js';

const LOG = fileURLToPath(new URL('../../fixtures/claude-code/compacted.jsonl', import.meta.url));

let site;
before(async () => {
  site = await openSessionPage();
});
after(() => site?.close());

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

test('A dropped log is drawn: its requests, a bar for each item, its compaction, and the list at its end.', () =>
  site.withPage(async (page) => {
    await drop(page, 'session.jsonl', await readFile(LOG, 'utf8'));
    const found = await summary(page, 'session.jsonl');
    assert.match(found, /^session\.jsonl \(claude-code\): \d+ requests, \d+ writes, \d+ reminders?, 1 compaction\.$/);
    const expected = JSON.parse(await readFile(LOG.replace('.jsonl', '.expected.json'), 'utf8'));
    assert.deepEqual((await listed(page)).map((line) => line.split('\n').at(-1)), expected.todos.map(({ content }) => content));
    assert.equal(await page.locator('#overlay .compaction').count(), 1);
    assert.ok((await page.locator('#bars li').count()) >= expected.todos.length);
    assert.equal(await page.locator('#welcome').isVisible(), false);
  }));

test('A real log of a long session is drawn whole.', () =>
  site.withPage(async (page) => {
    await drop(page, 'real.jsonl', await readFile(new URL('../../samples/session.jsonl', import.meta.url), 'utf8'));
    assert.match(await summary(page, 'real.jsonl'), /\(claude-code\): 82 requests, 10 writes, 0 reminders, 1 compaction\.$/);
    const bars = await page.locator('#bars li .name').allTextContents();
    assert.equal(bars.length, new Set(bars).size);
    const last = ['Test the export against the golden files', 'Describe the flag in docs/report.md'];
    assert.ok(last.every((item) => bars.includes(item)));
    assert.deepEqual(await listed(page), last.map((item) => `●\ncompleted:\n${item}`));
  }));

test('A chosen file is read like a dropped one, and a second one takes its place.', () =>
  site.withPage(async (page) => {
    await page.setInputFiles('#file', LOG);
    await summary(page, 'compacted.jsonl');
    await page.setInputFiles('#file', fileURLToPath(SAMPLE));
    assert.match(await summary(page, 'sample.jsonl'), /49 requests, 8 writes, 2 reminders, 1 compaction/);
  }));

test('The sliders of the policy change its reminders at once, and the log keeps its own.', () =>
  site.withPage(async (page) => {
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
  site.withPage(async (page) => {
    await takeSample(page);
    await page.getByRole('slider', { name: 'After request', exact: true }).fill('22');
    assert.equal(await page.locator('#why').textContent(), 'At the chosen moment: 10 requests since the last write, 2 requests since the last reminder.');
    await page.getByText('What the model reads before request 21').click();
    assert.match(await page.locator('#text pre').textContent(), /^<system-reminder>[^]*\[in_progress\] 3\. Write the report as JSON/);
  }));

test('A bad file gets one clear line, and what was shown stays.', () =>
  site.withPage(async (page) => {
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
  site.withPage(async (page) => {
    await drop(page, 'plain.json', JSON.stringify([{ role: 'user', content: 'Hello' }, { role: 'assistant', content: 'Hello.' }]));
    assert.match(await summary(page, 'plain.json'), /1 request, 0 writes, .* The model never wrote a todo list in it\.$/);
  }));

test('While a log of 50 MB is read the page goes on.', () =>
  site.withPage(async (page) => {
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
  const { page } = await openPage(site.browser);
  await page.goto(site.url);
  const requests = [];
  page.on('request', (request) => requests.push(request.url()));
  await drop(page, 'session.jsonl', await readFile(LOG, 'utf8'));
  await summary(page, 'session.jsonl');
  assert.deepEqual(requests.filter((url) => !url.startsWith('blob:')), []);
  const leave = async (url) => fetch(url).then(() => 'left', () => 'stayed');
  assert.equal(await page.evaluate(leave, site.url), 'stayed');
  const [worker] = page.workers();
  assert.equal(await worker.evaluate(leave, site.url), 'stayed');
  await page.close();
});

test('Of a log that ends before the first request there is nothing to draw, and nothing breaks.', () =>
  site.withPage(async (page) => {
    await drop(page, 'begun.jsonl', `${JSON.stringify({ type: 'user', uuid: 'a', sessionId: 's', message: { role: 'user', content: 'Hello' } })}\n`);
    assert.match(await summary(page, 'begun.jsonl'), /0 requests, 0 writes/);
    assert.match(await page.locator('#when').textContent(), /^Before the first request/);
  }));
