import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import { listed, openSessionPage, takeSample } from './session-page.js';

let site;
before(async () => {
  site = await openSessionPage();
});
after(() => site?.close());

test('Everything is reached and moved by keyboard, and says what it is.', () =>
  site.withPage(async (page) => {
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
  site.withPage(async (page) => {
    await takeSample(page);
    const items = await page.getByRole('list', { name: 'Items, each with its statuses' }).ariaSnapshot();
    assert.match(items, /Add the --json flag ?: pending from request 3, in progress from request 7, completed from request 12/);
    assert.match(items, /Read the input from stdin[^\n]*left the list in request 43/);
    assert.match(await page.locator('#lanes').ariaSnapshot(), /Reminders in the log ?before request 21, 41/);
  }));

test('A pointer on the chart chooses the moment.', () =>
  site.withPage(async (page) => {
    await takeSample(page);
    const { x, y, width } = await page.locator('#overlay').boundingBox();
    await page.mouse.move(x + width - 1, y + 80);
    await page.mouse.down();
    await page.mouse.move(x + width * (24 / 49), y + 80);
    await page.mouse.up();
    assert.match(await page.locator('#when').textContent(), /^After request 24 of 49/);
  }));

test('It fits a narrow screen, and is dark where a person wants it dark.', () =>
  site.withPage(async (page) => {
    await takeSample(page);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320);
    const lightness = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor.match(/\d+/g).map(Number));
    assert.ok(lightness.every((channel) => channel < 60), `the background is ${lightness}`);
  }, { viewport: { width: 320, height: 700 }, colorScheme: 'dark' }));

test('axe finds nothing against accessibility, in light and dark, before and after a log.', async () => {
  const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  const violations = (page) => page.evaluate(async () => (await globalThis.axe.run()).violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)]));
  for (const colorScheme of ['light', 'dark']) {
    await site.withPage(async (page) => {
      await page.evaluate(axe);
      assert.deepEqual(await violations(page), []);
      await takeSample(page);
      assert.deepEqual(await violations(page), []);
    }, { colorScheme, bypassCSP: true });
  }
});
