// Takes the README's screenshots of the session page with the sample.
// `npm run page` builds the page first.

import { fileURLToPath } from 'node:url';
import { openPage, startBrowser } from '../test/browser.js';
import { serve } from '../test/serve.js';

const SHOTS = {
  'session-page': { viewport: { width: 1200, height: 912 }, colorScheme: 'light' },
  'session-page-dark': { viewport: { width: 1200, height: 912 }, colorScheme: 'dark' },
  'session-page-narrow': { viewport: { width: 390, height: 844 }, colorScheme: 'light' },
};

const server = await serve({ '/': fileURLToPath(new URL('../page/dist/', import.meta.url)) });
const browser = await startBrowser();
for (const [name, options] of Object.entries(SHOTS)) {
  const { page } = await openPage(browser, options);
  await page.goto(`${server.url}/index.html`);
  await page.getByRole('button', { name: 'Take the sample' }).click();
  await page.getByRole('slider', { name: 'After request', exact: true }).fill('24');
  await page.getByRole('slider', { name: 'Due after' }).fill('5');
  await page.getByRole('slider', { name: 'Requests between' }).fill('4');
  await page.getByRole('heading', { name: 'A session' }).click();
  await page.waitForTimeout(300);
  await page.screenshot({ path: fileURLToPath(new URL(`../docs/${name}.png`, import.meta.url)) });
  await page.close();
}
await browser.close();
server.close();
