// SPDX-License-Identifier: Apache-2.0
// node check.mjs PATH...: opens each page (a file, or those of a folder) in Chromium, wide and narrow, light and
// dark, folded and with all sections open, and prints what is wrong: errors of the console, requests to anywhere
// but the file, a page or a part of it that is wider than its room, links whose target stays folded, pages of more
// than 3 MB, and what axe finds against WCAG and good practice.
// Exit: 0 nothing found, 1 something found, 77 Chromium or the packages of `npm ci` are missing.
import { existsSync, readdirSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const kSkipped = 77;
const kBrowsers = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const kMostBytes = 3e6;
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

// The page, and every part of it that would have to be scrolled sideways; matrices of many classes are: they have
// two dimensions, and do not fit whatever is done.
async function overflows(page) {
  return page.evaluate(() => {
    const wider = (element) => element.scrollWidth - element.clientWidth;
    const found = [];
    if (wider(document.documentElement) > 0) found.push(`the page is ${wider(document.documentElement)} pixels wider than the window`);
    for (const element of document.querySelectorAll('main *'))
      if (wider(element) > 1 && getComputedStyle(element).overflowX !== 'visible' && element.tagName !== 'THEAD' && !element.querySelector('.confusion'))
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

// Links of the contents whose target is not seen once they are followed.
async function hiddenTargets(page) {
  const found = [];
  for (const hash of await page.$$eval('nav a', (links) => links.map((link) => link.getAttribute('href')))) {
    await page.evaluate((to) => document.querySelector(`nav a[href="${to}"]`).click(), hash);
    if (!(await page.evaluate((to) => document.querySelector(to)?.checkVisibility(), hash))) found.push(`the link to ${hash} leads to what stays folded`);
  }
  return found;
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
  found.push(...(await overflows(page)), ...(await violations(page, axe)));
  found.push(...(await hiddenTargets(page)));  // which opens them
  found.push(...(await overflows(page)), ...(await violations(page, axe)));
  await page.close();
  return [...new Set(found)];
}

const files = process.argv.slice(2).flatMap((path) =>
  statSync(path).isDirectory() ? readdirSync(path).filter((name) => name.endsWith('.html')).sort().map((name) => join(path, name)) : [path]);
if (files.length === 0) {
  console.error('usage: node check.mjs PATH...');
  process.exit(2);
}
const executablePath = kBrowsers.find((path) => path && existsSync(path));
if (!executablePath) skip('no Chromium; CHROMIUM names one that is elsewhere');
const { axe, puppeteer } = await packages();
// --no-sandbox: containers have no user namespaces, and the pages are our own.
const browser = await puppeteer.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
let numFound = 0;
for (const file of files) {
  if (statSync(file).size > kMostBytes) {
    console.log(`${file}: has ${statSync(file).size} bytes, expected at most ${kMostBytes}`);
    ++numFound;
  }
  for (const look of kLooks) {
    const found = await findings(browser, axe, pathToFileURL(resolve(file)).href, look);
    for (const line of found) console.log(`${file}, ${look.scheme}, ${look.width} wide: ${line}`);
    numFound += found.length;
  }
}
await browser.close();
console.log(`${files.length} page(s) in ${kLooks.length} looks: ${numFound} finding(s)`);
process.exit(numFound > 0 ? 1 : 0);
