// SPDX-License-Identifier: Apache-2.0
// What checks in a browser have in common: Chromium, axe, and what is wrong with a page.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

const kSkipped = 77;
const kBrowsers = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

// Milliseconds for anything, on a machine with much else to do: other tests run beside these.
export const kPatience = 500_000;

// A page, of a browser or a context.
export async function open_page(place) {
  const page = await place.newPage();
  page.setDefaultTimeout(kPatience);
  return page;
}

export function skip(reason) {
  console.log(`skipped: ${reason}`);
  process.exit(kSkipped);
}

async function packages() {
  try {
    const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
    return { axe, puppeteer: (await import('puppeteer-core')).default };
  } catch (error) {
    if (!['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'].includes(error.code)) throw error;
    return skip('run "npm ci" in tests/browser first');
  }
}

// Chromium, and the source of axe; ends the program where either is missing.
export async function launch() {
  const executablePath = kBrowsers.find((path) => path && existsSync(path));
  if (!executablePath) skip('no Chromium; CHROMIUM names one that is elsewhere');
  const { axe, puppeteer } = await packages();
  // --no-sandbox: containers have no user namespaces, and the pages are our own.
  return { axe, browser: await puppeteer.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'], protocolTimeout: kPatience }) };
}

// What axe finds, a line for each element.
export async function violations(page, axe) {
  await page.evaluate(axe);
  const found = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
  return found.violations.flatMap((violation) =>
    violation.nodes.map((node) => `axe ${violation.id} (${violation.impact}): ${node.target} ${node.html.slice(0, 160)}`));
}

// The page, and every part of it that would have to be scrolled sideways; matrices of many classes are: they have
// two dimensions, and do not fit in any case.
export async function overflows(page) {
  return page.evaluate(() => {
    const wider = (element) => element.scrollWidth - element.clientWidth;
    const found = [];
    if (wider(document.documentElement) > 0) found.push(`the page is ${wider(document.documentElement)} pixels wider than the window`);
    for (const element of document.querySelectorAll('main *'))
      if (wider(element) > 1 && getComputedStyle(element).overflowX !== 'visible' && !['THEAD', 'TEXTAREA', 'INPUT'].includes(element.tagName) && !element.querySelector('.confusion'))
        found.push(`${element.getAttribute('aria-label') ?? element.tagName} is ${wider(element)} pixels wider than its room`);
    for (const svg of document.querySelectorAll('main svg')) {
      const room = svg.getBoundingClientRect();
      if (room.width === 0) continue;
      for (const text of svg.querySelectorAll('text')) {
        const box = text.getBoundingClientRect();
        if (box.left < room.left - 2 || box.right > room.right + 2) found.push(`"${text.textContent}" is cut off in ${svg.getAttribute('aria-labelledby')}`);
      }
    }
    return found;
  });
}

// Calls tell with each message of the console that is an error or a warning.
export function watch_console(page, tell) {
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warn') tell(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => tell(`error: ${error.message}`));
}
