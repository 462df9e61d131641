import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { consoleViews } from '../../../../api/console/views.ts';
import { lookFaults, overflow } from '../../../support/axe.ts';
import { describeInBrowser, testBrowser } from '../../../support/browser.ts';
import { someOf } from '../../../support/sample.ts';
import { startTestBank } from '../../../lab/server.ts';
import { beforeEaster, startConsoleBank } from '../../../console/console-bank.ts';
import { forAll } from '../../../support/test-bank.ts';

const browser = testBrowser();
const bank = forAll(
  () => startConsoleBank(),
  (own) => own.stop(),
);
/** An address of each view, by its path: that of a view with a parameter is a link on another one. */
const addresses = new Map<string, string>();
/** What each view says without JavaScript, and its bytes with all that it loads, by its path. */
const plainViews = new Map<string, { readonly text: string; readonly bytes: number }>();

/** A page with scripts, which is looked at in each width, and one without, which finds the views. */
let scripted: Page;
let plain: Page;
/** What the pages asked of other hosts, and errors of their scripts and of their policy. */
let wrong: string[] = [];
/** The bodies that the page without scripts receives. */
let received: Promise<Buffer>[] = [];

async function openPage(javaScriptEnabled: boolean): Promise<Page> {
  const context = await browser.newContext({ javaScriptEnabled });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (protocol !== 'data:' && origin !== bank.address) wrong.push(request.url());
  });
  page.on('console', (message) => void (message.type() === 'error' && wrong.push(message.text())));
  page.on('pageerror', (error) => wrong.push(error.message));
  page.on('dialog', (dialog) => wrong.push(`dialog ${dialog.message()}`));
  return page;
}

/** The view that an address is one of; null: none. */
function viewAt(address: string): string | null {
  const { pathname } = new URL(address, bank.address);
  const pattern = (path: string) => new RegExp(`^/console${path.replaceAll(/:\w+/g, '[^/]+')}$`);
  // The fixed path comes before one with a parameter, as in the router.
  return consoleViews.find(({ path }) => pattern(path).test(pathname))?.path ?? null;
}

/** Follows links from the first page until each view was found, or none is new, and keeps what each one says. */
async function findAddresses(): Promise<void> {
  const next = consoleViews.filter(({ path }) => !path.includes(':')).map(({ path }) => `/console${path}`);
  for (const address of next) addresses.set(viewAt(address) ?? '', address);
  for (const address of next) {
    received = [];
    await plain.goto(bank.address + address);
    const text = await plain.locator('main').innerText();
    plainViews.set(viewAt(address) ?? '', { text, bytes: Buffer.concat(await Promise.all(received)).length });
    const links = await plain
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
}

const focused = (what: string) => scripted.evaluate(`document.activeElement.${what}`);

describeInBrowser('every view of the console', () => {
  beforeAll(async () => {
    [scripted, plain] = [await openPage(true), await openPage(false)];
    plain.on('response', (response) => received.push(response.body()));
    await findAddresses();
  }, 60_000);

  test('is reached by links from the others', () => {
    expect(consoleViews.map(({ path }) => path).filter((path) => !addresses.has(path))).toEqual([]);
  });

  // The page of a host is that of a server with banks: host.test.ts.
  const paths = consoleViews.map(({ path }) => path).filter((path) => path !== '/host');
  // In each run some of them.
  test.each(someOf('views of the console', paths, 4))(
    '%j: the first stop of the keyboard leads to its content; without JavaScript it says the same, in less than 150 KB; ' +
      'narrow and wide axe finds nothing, it fits, asks no other host, and no name of others is markup',
    async (path) => {
      wrong = [];
      const address = bank.address + (addresses.get(path) ?? '');
      await scripted.setViewportSize({ width: 1280, height: 900 });
      await scripted.goto(address);
      await scripted.keyboard.press('Tab');
      expect(await focused('textContent')).toBe('Skip to the content');
      await scripted.keyboard.press('Enter');
      expect(await focused('id')).toBe('main');
      expect(await scripted.locator('[tabindex="-1"]:not(main)').count()).toBe(0);
      const { text, bytes = NaN } = plainViews.get(path) ?? {};
      // What the handle of a line is for is said where a script can move it.
      const said = await scripted.locator('main').innerText();
      expect(text).toBe(said.replace('Drag to move the clock\n', ''));
      expect(bytes).toBeGreaterThan(1_000);
      expect(bytes + readFileSync('api/console/live.js').length).toBeLessThan(150_000);
      // Everything that is folded is looked at too.
      await scripted.evaluate(`document.querySelectorAll('details').forEach((one) => (one.open = true))`);
      expect(await lookFaults(scripted)).toEqual([]);
      expect(await scripted.locator('main img, main script, main [onerror], main [onfocus]').count()).toBe(0);
      expect(await scripted.locator('h1').count()).toBe(1);
      // Where tables are widest for their room: just above the width at which their rows are blocks, and that with the views beside.
      for (const width of [769, 1024]) {
        await scripted.setViewportSize({ width, height: 900 });
        expect([width, await overflow(scripted)]).toEqual([width, 0]);
      }
      expect(wrong).toEqual([]);
    },
    60_000,
  );

  test('a refusal, and the page that asks for the control token: axe finds nothing, and they fit', async () => {
    await using guarded = await startTestBank(beforeEaster, ['--control-token', 'a-secret-token-of-ours']);
    const say = async (token: string) => {
      await scripted.getByLabel('Control token').fill(token);
      await scripted.keyboard.press('Enter');
    };
    for (const address of [`${bank.address}/console/nothing`, `${guarded.address}/console`]) {
      await scripted.goto(address);
      expect(await lookFaults(scripted)).toEqual([]);
    }
    await say('another');
    await scripted.getByText('This is not the control token of the server.').waitFor();
    expect(await lookFaults(scripted)).toEqual([]);
    await say('a-secret-token-of-ours');
    await scripted.getByRole('heading', { level: 1, name: 'A sandbox bank for open banking' }).waitFor();
  }, 60_000);
});
