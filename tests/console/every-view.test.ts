import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { consoleViews } from '../../api/console/views.ts';
import { describeInBrowser, launchBrowser } from '../support/browser.ts';
import type { TestBank } from '../support/server.ts';
import { startConsoleBank } from './console-bank.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
let browser: Browser;
let bank: TestBank;
/** An address of each view, by its path: that of a view with a parameter is a link on another one. */
const addresses = new Map<string, string>();

interface Opened {
  readonly page: Page;
  /** What it asked of other hosts, and errors of its scripts and its policy. */
  readonly wrong: string[];
}

async function openAt(width: number, address: string): Promise<Opened> {
  const context = await browser.newContext({ viewport: { width, height: 900 } });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  const wrong: string[] = [];
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (protocol !== 'data:' && origin !== bank.address) wrong.push(request.url());
  });
  page.on('console', (message) => void (message.type() === 'error' && wrong.push(message.text())));
  page.on('pageerror', (error) => wrong.push(error.message));
  page.on('dialog', (dialog) => wrong.push(`dialog ${dialog.message()}`));
  await page.goto(bank.address + address);
  return { page, wrong };
}

/** The view that an address is one of; null: none. */
function viewAt(address: string): string | null {
  const { pathname } = new URL(address, bank.address);
  const pattern = (path: string) => new RegExp(`^/console${path.replaceAll(/:\w+/g, '[^/]+')}$`);
  // The fixed path comes before one with a parameter, as in the router.
  return consoleViews.find(({ path }) => pattern(path).test(pathname))?.path ?? null;
}

/** Follows links from the first page until each view was found, or none is new. */
async function findAddresses(): Promise<void> {
  const next = consoleViews.filter(({ path }) => !path.includes(':')).map(({ path }) => `/console${path}`);
  for (const address of next) addresses.set(viewAt(address) ?? '', address);
  const context = await browser.newContext();
  const page = await context.newPage();
  for (const address of next) {
    await page.goto(bank.address + address);
    const links = await page
      .locator('main a[href]')
      .evaluateAll((all) => all.map((one) => (one as unknown as { href: string }).href));
    for (const link of links) {
      const view = viewAt(link);
      if (view === null || addresses.has(view)) continue;
      const { pathname, search } = new URL(link);
      addresses.set(view, pathname + search);
      next.push(pathname + search);
    }
  }
  await context.close();
}

/** What axe finds, as `rule: element`. */
async function violationsOn(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  return page.evaluate(
    `axe.run().then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => id + ': ' + target.join(' '))))`,
  );
}

describeInBrowser('every view of the console', () => {
  beforeAll(async () => {
    browser = await launchBrowser();
    bank = await startConsoleBank();
    await findAddresses();
  }, 60_000);
  afterAll(() => Promise.all([browser.close(), bank.stop()]));

  test('is reached by links from the others', () => {
    expect(consoleViews.map(({ path }) => path).filter((path) => !addresses.has(path))).toEqual([]);
  });

  const cases = consoleViews.flatMap(({ path }) => [320, 1280].map((width) => [path, width] as const));
  test.each(cases)(
    '%j at %i pixels: axe finds nothing, it fits, asks no other host, and no name of others is markup',
    async (path, width) => {
      const { page, wrong } = await openAt(width, addresses.get(path) ?? '');
      expect(await violationsOn(page)).toEqual([]);
      // Everything that is folded is looked at too.
      await page.evaluate(`document.querySelectorAll('details').forEach((one) => (one.open = true))`);
      expect(await violationsOn(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(
        0,
      );
      expect(await page.locator('main img, main script, main [onerror], main [onfocus]').count()).toBe(0);
      expect(await page.locator('h1').count()).toBe(1);
      expect(await page.locator('main').getAttribute('data-live')).not.toBeNull();
      expect(wrong).toEqual([]);
      await page.context().close();
    },
    60_000,
  );

  test.each([...new Set(cases.map(([path]) => path))])(
    '%j: the first stop of the keyboard leads to its content, and every link and button can be reached',
    async (path) => {
      const { page } = await openAt(1280, addresses.get(path) ?? '');
      await page.keyboard.press('Tab');
      expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the content');
      await page.keyboard.press('Enter');
      expect(await page.evaluate('document.activeElement.id')).toBe('main');
      expect(await page.locator('a[href][tabindex="-1"], button[tabindex="-1"]').count()).toBe(0);
      await page.context().close();
    },
    60_000,
  );

  test.each([...new Set(cases.map(([path]) => path))])(
    '%j without JavaScript says the same, and weighs less than 150 KB',
    async (path) => {
      const address = bank.address + (addresses.get(path) ?? '');
      const context = await browser.newContext({ javaScriptEnabled: false });
      const page = await context.newPage();
      const sizes: number[] = [];
      page.on('response', (response) => void response.body().then((body) => sizes.push(body.length)));
      await page.goto(address);
      const plain = await page.locator('main').innerText();
      const { page: lively } = await openAt(1280, addresses.get(path) ?? '');
      expect(await lively.locator('main').innerText()).toBe(plain);
      const script = readFileSync('api/console/live.js').length;
      expect(sizes.reduce((sum, size) => sum + size, script)).toBeLessThan(150_000);
      await Promise.all([context.close(), lively.context().close()]);
    },
    60_000,
  );
});
