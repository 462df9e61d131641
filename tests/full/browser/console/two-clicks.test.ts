import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { readBundle } from '../../../../api/hosting/bundle/bundle.ts';
import { beforeEaster, pay } from '../../../console/console-bank.ts';
import { singlePath, singlePayment } from '../../../lab/bodies.ts';
import { startTestBank, type TestBank } from '../../../lab/server.ts';
import { tempFolder } from '../../../support/temp-folder.ts';
import { describeInBrowser, launchBrowser } from '../../../support/browser.ts';

let browser: Browser;
let bank: TestBank;
let page: Page;

const folder = tempFolder();

const open = (path: string) => page.goto(bank.address + path);
describeInBrowser('C14c: in two clicks', () => {
  beforeAll(async () => {
    [browser, bank] = [await launchBrowser(), await startTestBank(beforeEaster)];
    await bank.control('POST', '/sandbox/banks', { name: 'mine', mode: 'frozen', quirks: { 'consent-days': '90' } });
    await pay(bank, `/banks/mine${singlePath}`, singlePayment());
    page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    page.setDefaultTimeout(15_000);
  }, 60_000);
  afterAll(() => Promise.all([browser.close(), bank.stop()]));

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
});
