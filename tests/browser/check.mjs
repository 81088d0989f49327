// SPDX-License-Identifier: Apache-2.0
// node check.mjs PATH...: opens each page (a file, or those of a folder) in Chromium, wide and narrow, light and
// dark, folded and with all sections open, and prints what is wrong: errors of the console, requests to anywhere
// but the file, a page or a part of it that is wider than its room, links whose target stays folded, pages of more
// than 3 MB, and what axe finds against WCAG and good practice.
// Exit: 0 nothing found, 1 something found, 77 Chromium or the packages of `npm ci` are missing.
import { readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { launch, open_page, overflows, violations, watch_console } from './browser.mjs';

const kMostBytes = 3e6;
const kLooks = ['light', 'dark'].flatMap((scheme) => [1200, 400].map((width) => ({ scheme, width })));

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
  const page = await open_page(browser);
  watch_console(page, (line) => found.push(line));
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
const { axe, browser } = await launch();
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
