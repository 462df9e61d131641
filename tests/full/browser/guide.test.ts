import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { guidePages, shownAt } from '../../../api/guide/guide-files.ts';
import { startTestBank, type TestBank } from '../../lab/server.ts';
import { lookFaults, widths } from '../../support/axe.ts';
import { describeInBrowser, launchBrowser } from '../../support/browser.ts';
import { someOf } from '../../support/sample.ts';

let browser: Browser;
let bank: TestBank;

describeInBrowser('the guide in a browser', () => {
  beforeAll(async () => {
    [browser, bank] = await Promise.all([launchBrowser(), startTestBank('2027-03-24T12:00:00+01:00')]);
  });
  afterAll(() => Promise.all([browser.close(), bank.stop()]));

  /** A page of each kind, of which a run takes two: of the guide, of the specification, whole and in parts, of the search and of the API. */
  const kinds = [
    ...['README', 'first-payment', 'errors', 'banks', 'spec/rules', 'spec/rules/s-status-and-settlement'],
    ...['scenarios/easter', 'search?q=cut-off', '', '?of=control'],
    'interface/postPaymentsNorwegianDomesticCreditTransfers',
  ];
  test.each(someOf('pages of the guide', kinds, 2))(
    '/docs/%s: as wide as the screen, sound for axe by day and by night, and nothing fails on it',
    async (path) => {
      await using page = await browser.newPage();
      const wrong: string[] = [];
      page.on('console', (message) => message.type() === 'error' && wrong.push(message.text()));
      page.on('pageerror', (error) => wrong.push(error.message));
      await page.goto(`${bank.address}/docs${/^\w/.test(path) ? '/' : ''}${path}`);
      await page.evaluate(`document.querySelectorAll('main details').forEach((one) => (one.open = true))`);
      expect(await lookFaults(page)).toEqual([]);
      expect(wrong).toEqual([]);
      // On a phone the page begins with its own words, and the list of pages is one click away.
      await page.setViewportSize({ width: widths[0] ?? 0, height: 900 });
      expect((await page.locator('h1').boundingBox())?.y).toBeLessThan(200);
      await page.getByText('All pages', { exact: true }).click();
      expect(await page.getByRole('navigation', { name: 'Pages' }).getByRole('link').first().isVisible()).toBe(true);
    },
  );

  test('no page is higher than 15,000 pixels on a screen of 1280, and paper shows the words alone', async () => {
    await using page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    const high: string[] = [];
    const places = (await guidePages()).flatMap(({ path, parts }) => [path, ...parts.map((part) => part.path)]);
    const lengths = await Promise.all(places.map(async (path) => (await shownAt(path))?.markdown.length ?? 0));
    const longest = places
      .map((path, at) => ({ path, length: lengths[at] ?? 0 }))
      .toSorted((one, other) => other.length - one.length)
      .slice(0, 10);
    for (const { path } of longest) {
      await page.goto(`${bank.address}/docs/${path}`, { waitUntil: 'domcontentloaded' });
      const height = await page.evaluate<number>('document.documentElement.scrollHeight');
      if (height > 15_000) high.push(`${path}: ${height}`);
    }
    expect([places.length > 200, high]).toEqual([true, []]);
    await page.goto(`${bank.address}/docs/first-payment`);
    await page.emulateMedia({ media: 'print' });
    for (const part of ['.site', '#pages', '.beside', '.copy'])
      expect([part, await page.locator(part).first().isVisible()]).toEqual([part, false]);
    expect(await page.locator('h1').isVisible()).toBe(true);
  }, 90_000);

  test('by keyboard: / opens the search, words show results, arrows and Enter open one', async () => {
    await using page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    await page.goto(`${bank.address}/docs/first-payment`);
    await page.keyboard.press('/');
    await page.keyboard.type('T5b', { delay: 20 });
    await page.locator('.popup a', { hasText: 'T5b' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/docs/spec/rules/t-time#t5b');
    // "On this page" stands open beside the text.
    await page.goto(`${bank.address}/docs/first-payment`);
    const beside = page.getByRole('navigation', { name: 'On this page' });
    expect((await beside.boundingBox())?.x).toBeGreaterThan(1000);
    await beside.getByRole('link', { name: '5. Let time pass' }).click();
    expect(new URL(page.url()).hash).toBe('#5-let-time-pass');
    // An old address goes on to the part.
    await page.goto(`${bank.address}/docs/spec/rules#s-status-and-settlement`);
    await page.waitForURL('**/docs/spec/rules/s-status-and-settlement#s-status-and-settlement');
  });

  test('a button copies a block as it stands, and says so', async () => {
    await using context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
    const page = await context.newPage();
    await page.goto(`${bank.address}/docs/first-payment`);
    const block = page.locator('.code').first();
    await block.getByRole('button', { name: 'Copy' }).click();
    await page.getByRole('status').filter({ hasText: 'Copied' }).waitFor({ state: 'attached' });
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(copied).toBe(await block.locator('code').innerText());
    expect(copied).toContain(`BANK=${bank.address}\n`);
  });

  test('without scripts the page is whole, and has no button that does nothing', async () => {
    await using context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${bank.address}/docs/first-payment`);
    expect(await page.getByRole('button').count()).toBe(0);
    const list = page.getByRole('navigation', { name: 'All pages' });
    await list.getByText('Understand', { exact: true }).click();
    await list.getByRole('link', { name: 'How do I sign a request?', exact: true }).click();
    expect(await page.locator('h1').innerText()).toBe('How do I sign a request?');
  });
});
