// SPDX-License-Identifier: Apache-2.0
// node workflow.mjs MASH [FOLDER]: starts `MASH serve` on a small board and does what a new contributor does, in
// Chromium: registers, hands in heuristics that are good, do not compile, fail a check, crash, hang and attack,
// watches each live, finds the good ones ranked, compares them, downloads the board; then again without JavaScript, and an operator
// has one run again.
// All pages are looked at, wide and light and at 360 pixels and dark: errors of the console, axe, parts that are too wide.
// FOLDER: for pictures of the pages, in all four looks. Exit: 0 all was as it should be, 1 not, 77 Chromium or its packages are missing.
import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { kPatience, launch, open_page, overflows, violations, watch_console } from './browser.mjs';

const [mash, pictures] = process.argv.slice(2);
if (!mash) {
  console.error('usage: node workflow.mjs MASH [FOLDER]');
  process.exit(2);
}
const kAllLooks = ['light', 'dark'].flatMap((scheme) => [1200, 360].map((width) => ({ scheme, width })));
const kLooks = pictures ? kAllLooks : [kAllLooks[0], kAllLooks[3]];

// A heuristic of rows of the picture, or columns, whose `compute` does `body` at its end.
function source(id, { body = '', of_columns = false } = {}) {
  const [size, at] = of_columns ? ['width', 'features[i], y'] : ['height', 'y, features[i]'];
  return `#include <cstdlib>
#include <unistd.h>
#include <mash/heuristic.hpp>

class Means final : public mash::Heuristic {
 public:
  std::uint32_t dim(mash::Size size) const override { return size.${size}; }
  void compute(const mash::View& view, std::span<const std::uint32_t> features, std::span<float> out) override {
    for (std::size_t i = 0; i < features.size(); ++i) {
      float sum = 0;
      for (std::uint32_t y = 0; y < view.${of_columns ? 'height' : 'width'}(); ++y) sum += float(view.gray()(${at}));
      out[i] = sum;
    }
    ${body}
  }
};
MASH_HEURISTIC(Means, "${id}", "1.0.0", "Ada", "sums of grey values", "MIT")
`;
}

const kBad = [
  { id: 'no-code', text: 'int main( {', says: /rejected.*compile/s },
  { id: 'changing', text: source('changing', { body: 'static float calls = 0; out[0] = ++calls;' }), says: /rejected/ },
  { id: 'crash', text: source('crash', { body: 'std::abort();' }), says: /rejected/ },
  { id: 'hang', text: source('hang', { body: 'for (volatile int forever = 1; forever;) {}' }), says: /rejected/ },
  { id: 'attack', text: source('attack', { body: '::execl("/bin/sh", "sh", nullptr);' }), says: /rejected/ },
];

let numFound = 0;
function expect(holds, what) {
  if (holds) return;
  ++numFound;
  console.log(`BROKEN ${what}`);
}

// The address of the server, once it says it.
function start(folder) {
  writeFileSync(join(folder, 'board.yaml'), 'dataset: {name: digits, train: 1200, test: 600}\nheuristics: [{id: grayscale}, {id: gray-histogram}]\nsampler: {name: laminating, budget: 5, features: 32}\n');
  writeFileSync(join(folder, 'server.yaml'), `registration: open\nboards: [{name: digits, experiment: ${join(folder, 'board.yaml')}, seeds: 4}]\n`);
  const server = spawn(mash, ['serve', join(folder, 'site'), '--port', '0', '--config', join(folder, 'server.yaml')]);
  let said = '';
  server.stderr.on('data', (text) => { said = (said + text).slice(-2000); });
  // What the server said last, once it has ended by itself.
  const end = new Promise((resolve) => server.on('exit', () => resolve(said)));
  const address = new Promise((resolve, reject) => {
    server.stderr.on('data', () => {
      const found = said.match(/http:\/\/[0-9.]+:\d+/);
      if (found) resolve(found[0]);
    });
    server.on('exit', () => reject(new Error(`mash serve ended: ${said}`)));
  });
  const token = new Promise((resolve) => server.stdout.on('data', (text) => {
    const found = String(text).match(/[A-Za-z0-9_-]{43}/);
    if (found) resolve(found[0]);
  }));
  return { server, address, token, end };
}

async function text_of(page) {
  return page.$eval('main', (main) => main.innerText);
}

// Sends the form of the page. Throws: the browser does not take it as it is.
async function send(page) {
  const refused = await page.$$eval('main form :invalid', (fields) => fields.map((field) => `${field.name}: ${field.validationMessage}`).join(', '));
  if (refused) throw new Error(`the browser does not send the form of ${page.url()}: ${refused}`);
  await Promise.all([page.waitForNavigation(), page.click('main form button')]);
}

// Fills the form in and sends it; the number of the submission.
async function submit(page, site, id, text) {
  await page.goto(`${site}/submit`);
  await page.$eval('textarea[name=source]', (area, value) => { area.value = value; }, text);
  await page.$eval('input[name=file_name]', (field, value) => { field.value = value; }, `${id}.cpp`);
  await send(page);
  const found = page.url().match(/\/submissions\/(\d+)$/);
  expect(found, `${id} was not taken: ${await text_of(page)}`);
  return found?.[1];
}

// The state that the page shows in the end.
async function watch_until_the_end(page) {
  await page.waitForFunction(() => /This submission is (published|rejected|failed|cancelled|superseded)/.test(document.body.innerText), { polling: 200 });
  await new Promise((resolve) => setTimeout(resolve, 600));  // the page is loaded again at the end
  return page.$eval('[data-state]', (state) => state.innerText);
}

async function look_at(browser, axe, site, address, cookies) {
  for (const look of kLooks) {
    const page = await open_page(browser);
    if (cookies) await page.setCookie(...cookies);
    const found = [];
    watch_console(page, (line) => found.push(line));
    page.on('request', (request) => {
      if (!request.url().startsWith(site) && !request.url().startsWith('data:')) found.push(`request: ${request.url()}`);
    });
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: look.scheme }]);
    await page.setViewport({ width: look.width, height: 900 });
    const answer = await page.goto(site + address, { waitUntil: 'load' });
    if (answer.status() !== 200) found.push(`status ${answer.status()}`);
    found.push(...(await overflows(page)), ...(await violations(page, axe)));
    if (pictures) {
      const name = `${address.replace(/[^a-z0-9]+/g, '-')}-${look.scheme}-${look.width}.png`;
      await page.screenshot({ path: join(pictures, name), fullPage: true });
    }
    for (const line of [...new Set(found)]) expect(false, `${address}, ${look.scheme}, ${look.width} wide: ${line}`);
    await page.close();
  }
}

async function register(page, site) {
  await page.goto(site);
  expect(/heuristic/.test(await text_of(page)), 'the start page says what this is');
  await page.goto(`${site}/register`);
  await page.type('input[name=name]', 'ada');
  await page.type('input[name=password]', 'a long password');
  await send(page);
  expect(page.url().endsWith('/me'), `registered: ${page.url()}`);
}

async function compare_and_download(page, site) {
  await page.goto(`${site}/boards/digits`);
  const board = await text_of(page);
  for (const id of ['good-rows', 'good-columns']) expect(board.includes(id), `${id} is ranked`);
  await page.$$eval('details', (all) => all.forEach((one) => { one.open = true; }));
  const boxes = await page.$$('input[type=checkbox][name=submission]');
  expect(boxes.length >= 2, 'there are check boxes to compare');
  for (const box of boxes.slice(0, 2)) await box.click();
  await Promise.all([page.waitForNavigation(), page.evaluate(() => document.querySelector('input[type=checkbox][name=submission]').form.requestSubmit())]);
  expect(/good-rows/.test(await text_of(page)) && /good-columns/.test(await text_of(page)), 'both are compared');
  const compared = new URL(page.url()).pathname + new URL(page.url()).search;
  const csv = await page.evaluate(async () => (await fetch('/boards/digits.csv')).text());
  expect(csv.split('\r\n').length === 4 && csv.includes('good-rows'), `the CSV has a line for each: ${csv}`);
  return compared;
}

async function without_scripts(browser, site, cookies) {
  const page = await open_page(browser);
  await page.setCookie(...cookies);
  await page.setJavaScriptEnabled(false);
  await page.goto(`${site}/submit`);
  await page.$eval('input[name=file_name]', (field) => { field.value = 'my-rows.cpp'; });
  await send(page);  // the example that the form has
  const begin = Date.now();
  let shown = '';
  while (!/This submission is (published|rejected|failed)/.test(shown) && Date.now() - begin < kPatience) {
    await new Promise((resolve) => setTimeout(resolve, 500));
    shown = await page.$eval('body', (body) => body.innerText).catch(() => '');
  }
  expect(/This submission is published/.test(shown), `without JavaScript: ${shown.slice(0, 800)}`);
  await page.close();
}

// The operator looks at the queue, and has the first submission run again: it gives the same bits.
async function operate(browser, axe, site, token) {
  const context = await browser.createBrowserContext();
  const page = await open_page(context);
  watch_console(page, (line) => expect(false, `${page.url()}: ${line}`));
  await page.goto(`${site}/operator`);  // asks who it is
  await page.type('input[name=name]', 'operator');
  await page.type('input[name=password]', token);
  await send(page);
  expect(page.url() === `${site}/operator`, `the operator is in: ${page.url()}`);
  for (const line of [...(await overflows(page)), ...(await violations(page, axe))]) expect(false, `/operator: ${line}`);
  await page.type('form[action="/operator/rerun"] input[name=id]', '1');
  await Promise.all([page.waitForNavigation(), page.click('form[action="/operator/rerun"] button')]);
  const begin = Date.now();
  let is_verified = false;
  while (!is_verified && Date.now() - begin < kPatience) {
    await new Promise((resolve) => setTimeout(resolve, 500));
    const told = await page.evaluate(async () => (await fetch('/api/v1/submissions/1')).json());
    is_verified = told.verified_at !== '';
  }
  expect(is_verified, 'another run gave the same bits');
  await context.close();
}

async function work(browser, axe, site, token) {
  const page = await open_page(browser);
  watch_console(page, (line) => expect(false, `${page.url()}: ${line}`));
  await register(page, site);
  const begin = Date.now();
  const rows = await submit(page, site, 'good-rows', source('good-rows'));
  expect(/published/.test(await watch_until_the_end(page)), `good-rows is published: ${await text_of(page)}`);
  console.log(`good-rows was published after ${((Date.now() - begin) / 1000).toFixed(1)} s`);
  await submit(page, site, 'good-columns', source('good-columns', { of_columns: true }));
  expect(/published/.test(await watch_until_the_end(page)), 'good-columns is published');
  for (const bad of kBad) {
    const number = await submit(page, site, bad.id, bad.text);
    const state = await watch_until_the_end(page);
    console.log(`${bad.id} (${number}): ${state}`);
    expect(bad.says.test(state), `${bad.id}: ${await text_of(page)}`);
  }
  const compared = await compare_and_download(page, site);
  const cookies = await page.cookies();
  await without_scripts(browser, site, cookies);
  const addresses = ['/', '/boards/digits', '/boards/digits?by=contributor', '/heuristics/good-rows', `/submissions/${rows}`, '/submissions/3', compared,
    '/contributors', '/contributors/ada', '/submissions', '/experiments', '/experiments/digits', '/datasets', '/uncovered', '/rules', '/api', '/login', '/register'];
  for (const address of addresses) await look_at(browser, axe, site, address);
  for (const address of ['/submit', '/me']) await look_at(browser, axe, site, address, cookies);
  await look_at(browser, axe, site, `/submissions/${rows}/report`);
  await operate(browser, axe, site, token);
}

const folder = mkdtempSync(join(tmpdir(), 'mash-workflow-'));
chmodSync(folder, 0o755);  // run by root, the server's programs become nobody
if (pictures) mkdirSync(pictures, { recursive: true });
const { axe, browser } = await launch();
const { server, address, token, end } = start(folder);
let why_ended = '';
try {
  const working = address.then(async (site) => work(browser, axe, site, await token));
  working.catch(() => {});  // what fails once the server is gone is no finding of its own
  const last = await Promise.race([working, end]);
  if (last !== undefined) why_ended = `mash serve ended: ${last}`;
} catch (error) {
  why_ended = `the workflow ended early: ${error.stack}`;
} finally {
  await browser.close();
  server.removeAllListeners('exit');
  const ended = new Promise((resolve) => server.on('exit', resolve));
  server.kill('SIGTERM');
  await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 15_000))]);
  rmSync(folder, { recursive: true, force: true });
}
if (/nothing can be run in a box here/.test(why_ended)) {
  console.log('skipped: no box can be made here, or mash has sanitizers');
  process.exit(77);
}
expect(why_ended === '', why_ended);
console.log(`${numFound} finding(s)`);
process.exit(numFound > 0 ? 1 : 0);
