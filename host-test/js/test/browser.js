// A real Chromium, headless.

import { chromium } from 'playwright-core';

const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync'];

/** Starts Debian's Chromium, or the one that `CHROMIUM` names. */
export async function startBrowser() {
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
  try {
    return await chromium.launch({ executablePath, args: FLAGS });
  } catch (error) {
    throw new Error(`no Chromium at ${executablePath} (install Debian's package "chromium", or name one in CHROMIUM): ${error.message}`);
  }
}

/** A page that collects what goes wrong in it. */
export async function openPage(browser, options = {}) {
  const page = await browser.newPage(options);
  const errors = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  return { page, errors };
}
