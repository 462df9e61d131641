import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { setTimeout } from 'node:timers/promises';
import { describeInBrowser, launchBrowser } from '../../../support/browser.ts';
import { startTestBank, type TestBank } from '../../../lab/server.ts';
import { beforeEaster, pay } from '../../../console/console-bank.ts';
import { singlePath, singlePayment } from '../../../lab/bodies.ts';

let browser: Browser;
let bank: TestBank;

describeInBrowser('a page with a forecast, in a bank in which much happens', () => {
  beforeAll(async () => {
    browser = await launchBrowser();
    bank = await startTestBank(beforeEaster);
  }, 60_000);
  afterAll(() => Promise.all([browser.close(), bank.stop()]));

  test('is read anew at most once a second, never twice at a time, and once more after the last event', async () => {
    const page = await browser.newPage();
    const listens = page.waitForResponse((answer) => answer.url().endsWith('/sandbox/events'));
    await page.goto(`${bank.address}/console/calendar`);
    await listens;
    let [readings, atOnce, most, wait] = [0, 0, 0, 0];
    await page.route('**/console/calendar', async (route) => {
      readings += 1;
      most = Math.max(most, (atOnce += 1));
      const answer = await route.fetch();
      await setTimeout(wait);
      atOnce -= 1;
      await route.fulfill({ response: answer });
    });
    /** Moves the clock by a minute at a time, and waits until the page shows the last one. */
    const happens = async (from: number, to: number): Promise<void> => {
      for (let minute = from; minute <= to; minute += 1) {
        await bank.control('PUT', '/sandbox/clock', { now: `2027-03-24T12:${minute}:00+01:00` });
        await setTimeout(50);
      }
      await page.locator('#clock .now', { hasText: `12:${to}` }).waitFor();
    };
    const start = performance.now();
    await happens(10, 40);
    expect(readings).toBeLessThanOrEqual((performance.now() - start) / 1_000 + 2);
    // Each reading takes longer than the shortest time between two.
    wait = 1_100;
    await happens(41, 58);
    // Nothing more has happened: once at most, as the event may come after the reading that shows what it tells.
    const before = readings;
    await setTimeout(2_600);
    expect(readings - before).toBeLessThanOrEqual(1);
    expect(most).toBe(1);
    await page.close();
  }, 60_000);

  test('a list that was empty when its page was opened gets the styles of a table with its first row', async () => {
    const page = await browser.newPage();
    const listens = page.waitForResponse((answer) => answer.url().endsWith('/sandbox/events'));
    await page.goto(`${bank.address}/console/payments`);
    await listens;
    const cell = page.locator('td').first();
    const padding = () => page.evaluate<string>("getComputedStyle(document.querySelector('td')).padding");
    expect(await cell.count()).toBe(0);
    await pay(bank, singlePath, singlePayment(), { sign: false });
    await cell.waitFor();
    const shown = await padding();
    await page.reload();
    expect(shown).toBe(await padding());
    await page.close();
  }, 60_000);
});
