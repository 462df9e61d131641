import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { readBundle } from '../../../../api/hosting/bundle/bundle.ts';
import { beforeEaster, pay } from '../../../console/console-bank.ts';
import { singlePath, singlePayment } from '../../../lab/bodies.ts';
import { startTestBank, type TestBank } from '../../../lab/server.ts';
import { lookFaults } from '../../../support/axe.ts';
import { tempFolder } from '../../../support/temp-folder.ts';
import { describeInBrowser, launchBrowser } from '../../../support/browser.ts';

let browser: Browser;
let bank: TestBank;
let page: Page;

const folder = tempFolder();

const open = (path: string) => page.goto(bank.address + path);
/** The rows of the first table as lists of cells. */
const rows = async (): Promise<string[][]> => {
  const all = await page.locator('main > table tbody tr').all();
  return Promise.all(all.map((row) => row.locator('td').allInnerTexts()));
};

describeInBrowser('C14b, C14c: in two clicks', () => {
  beforeAll(async () => {
    [browser, bank] = [await launchBrowser(), await startTestBank(beforeEaster)];
    await bank.control('POST', '/sandbox/banks', { name: 'mine', mode: 'frozen', quirks: { 'consent-days': '90' } });
    await pay(bank, `/banks/mine${singlePath}`, singlePayment());
    page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    page.setDefaultTimeout(15_000);
  }, 60_000);
  afterAll(() => Promise.all([browser.close(), bank.stop()]));

  test('C14b: two banks are compared: what differs first, as it is now, and quirks lead to their pages', async () => {
    // Not what the bank was made with.
    await bank.control('PUT', '/banks/mine/sandbox/quirks', { quirks: { order: true } });
    await open('/console');
    await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Banks' }).click();
    await page.locator('tr', { hasText: 'mine' }).getByRole('link', { name: 'Compare' }).click();
    await page.getByRole('heading', { level: 1, name: 'Sandbank and mine' }).waitFor();
    expect(await rows()).toEqual([
      ['order', 'off', 'posting'],
      ['consent-days', 'off', '90'],
    ]);
    await page.locator('summary', { hasText: /^\d+ are alike$/ }).click();
    expect(await page.locator('#alike td', { hasText: 'Settlement times' }).count()).toBe(1);
    expect(await lookFaults(page)).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.getByRole('link', { name: 'consent-days' }).click();
    await page.getByRole('heading', { level: 1, name: 'consent-days' }).waitFor();
  }, 60_000);

  test('from a named bank one of the platform that is not open is compared by what is known of it', async () => {
    await open('/banks/mine/console');
    await page.locator('#switch').click();
    await page.locator('li', { hasText: 'Handelsbanken' }).getByRole('link', { name: 'Compare' }).click();
    await page.getByRole('heading', { level: 1, name: /^mine and Handelsbanken/ }).waitFor();
    const profile = JSON.parse(readFileSync('fixtures/profiles/handelsbanken-norge.json', 'utf8'));
    const [name, mine = '', other] = (await rows()).find(([first]) => first === 'Settlement times') ?? [];
    expect([name, mine]).toEqual(['Settlement times', '05:30, 09:30, 11:30, 13:30, 15:30']);
    expect(other).toContain(`corporate: ${profile.settings.settlementTimes.corporate.join(', ')}`);
    // The place of a bank in the list leads into it, beside its button.
    await open('/console/switch');
    await page.getByRole('link', { name: 'mine', exact: true }).click();
    await page.waitForURL(/banks\/mine\/console$/);
    // Nothing was opened.
    const { banks } = (await bank.control('GET', '/sandbox/banks')).body;
    expect(banks.map(({ name: each }: { name: string }) => each).toSorted()).toEqual(['default', 'mine']);
  }, 60_000);

  test('C14c: a bank is saved as the file that `sandbank bundle save` makes', async () => {
    await open('/banks/mine/console');
    await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Snapshots' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Save the bank as a file' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('mine.sandbank');
    const file = join(folder, 'mine.sandbank');
    await download.saveAs(file);
    const saved = await readBundle(readFileSync(file));
    expect(saved.copied.now).toBe(Date.parse(beforeEaster));
    expect(saved.entries.some(({ target }) => target?.includes('/v1/payments') === true)).toBe(true);
  }, 60_000);

  test('the search finds pages of the console by their names', async () => {
    for (const [words, name] of [
      ['calen', 'Calendar'],
      ['compare', 'Compare two banks'],
      ['books', 'Check the books'],
    ] as const) {
      await open('/console');
      await page.locator('header').getByRole('searchbox').fill(words);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 2, name: 'Pages' }).waitFor();
      expect(await page.locator('h2:has-text("Pages") + ul a').first().innerText()).toBe(name);
    }
  }, 60_000);
});
