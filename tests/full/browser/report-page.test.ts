import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { reportPage } from '../../../api/coverage/report.ts';
import { lookFaults } from '../../support/axe.ts';
import { describeInBrowser, launchBrowser } from '../../support/browser.ts';
import { startTestBank, type TestBank } from '../../lab/server.ts';

let browser: Browser;
let bank: TestBank;

describeInBrowser('the page of a coverage', () => {
  beforeAll(async () => {
    browser = await launchBrowser();
    bank = await startTestBank('2027-03-24T12:00:00+01:00');
  }, 60_000);
  afterAll(() => Promise.all([browser.close(), bank.stop()]));

  test('at 320 and 1280 pixels: axe finds nothing, it fits, and it loads nothing', async () => {
    const page = await browser.newPage();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    const { behaviours } = (await bank.control('GET', '/sandbox/coverage')).body;
    await page.setContent(reportPage(behaviours));
    expect(await lookFaults(page)).toEqual([]);
    expect(asked).toEqual([]);
  }, 60_000);
});
