// The built session page in Chromium, for its tests.

import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { openPage, startBrowser } from './browser.js';
import { serve } from './serve.js';

export const SAMPLE = new URL('../page/src/sample.jsonl', import.meta.url);

/** Serves the page and starts Chromium; `withPage` opens the page for one test. */
export async function openSessionPage() {
  const server = await serve({ '/': fileURLToPath(new URL('../page/dist/', import.meta.url)) });
  const browser = await startBrowser();
  return {
    browser,
    url: `${server.url}/index.html`,
    /** Runs `use` with the page open, and expects that nothing went wrong in it. */
    async withPage(use, options) {
      const { page, errors } = await openPage(browser, options);
      await page.goto(`${server.url}/index.html`);
      await use(page);
      assert.deepEqual(errors, []);
      await page.close();
    },
    async close() {
      await browser.close();
      server.close();
    },
  };
}

/** Takes the sample and waits until it is drawn. */
export async function takeSample(page) {
  await page.getByRole('button', { name: 'Take the sample' }).click();
  await page.locator('#effect', { hasText: '2 reminders' }).waitFor();
}

/** What the page says about the log of this name, once it does. */
export const summary = (page, name) => page.locator('#summary', { hasText: name }).textContent();

/** The lines of the list at the chosen moment. */
export const listed = (page) => page.locator('#list li').allInnerTexts();
