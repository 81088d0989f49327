// SPDX-License-Identifier: Apache-2.0
// node check.mjs FILE...: opens each page in Chromium, wide and narrow, light and dark, and prints what is wrong:
// errors of the console, requests to anywhere but the file, and what axe finds against WCAG and good practice.
// Exit: 0 nothing found, 1 something found, 77 Chromium or the packages of `npm ci` are missing.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const kSkipped = 77;
const kBrowsers = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const kLooks = ['light', 'dark'].flatMap((scheme) => [1200, 400].map((width) => ({ scheme, width })));

function skip(reason) {
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

// What axe finds, a line for each element.
async function violations(page, axe) {
  await page.evaluate(axe);
  const found = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
  return found.violations.flatMap((violation) =>
    violation.nodes.map((node) => `axe ${violation.id} (${violation.impact}): ${node.target} ${node.html.slice(0, 160)}`));
}

async function findings(browser, axe, url, look) {
  const found = [];
  const page = await browser.newPage();
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warn') found.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => found.push(`error: ${error.message}`));
  page.on('request', (request) => {
    if (request.url() !== url && !request.url().startsWith('data:')) found.push(`request: ${request.url()}`);
  });
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: look.scheme }]);
  await page.setViewport({ width: look.width, height: 900 });
  await page.goto(url, { waitUntil: 'load' });
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  if (overflow > 0) found.push(`the page is ${overflow} pixels wider than the window`);
  found.push(...(await violations(page, axe)));
  await page.close();
  return found;
}

const files = process.argv.slice(2);
if (files.length === 0) {
  console.error('usage: node check.mjs FILE...');
  process.exit(2);
}
const executablePath = kBrowsers.find((path) => path && existsSync(path));
if (!executablePath) skip('no Chromium; CHROMIUM names one that is elsewhere');
const { axe, puppeteer } = await packages();
// --no-sandbox: containers have no user namespaces, and the pages are our own.
const browser = await puppeteer.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
let numFound = 0;
for (const file of files) {
  for (const look of kLooks) {
    const found = await findings(browser, axe, pathToFileURL(resolve(file)).href, look);
    for (const line of found) console.log(`${file}, ${look.scheme}, ${look.width} wide: ${line}`);
    numFound += found.length;
  }
}
await browser.close();
console.log(`${files.length} page(s) in ${kLooks.length} looks: ${numFound} finding(s)`);
process.exit(numFound > 0 ? 1 : 0);
