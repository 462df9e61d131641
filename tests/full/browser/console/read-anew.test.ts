import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { setTimeout } from 'node:timers/promises';
import { describeInBrowser, testBrowser } from '../../../support/browser.ts';
import { beforeEaster, pay } from '../../../console/console-bank.ts';
import { singlePath, singlePayment } from '../../../lab/bodies.ts';
import { testBank } from '../../../support/test-bank.ts';

const browser = testBrowser();
const bank = testBank(beforeEaster);

/** A page that hears the events of the bank. */
async function openLive(path: string): Promise<Page> {
  const page = await browser.newPage();
  const listens = page.waitForResponse((answer) => answer.url().endsWith('/sandbox/events'));
  await page.goto(bank.address + path);
  await listens;
  return page;
}

describeInBrowser('a page with a forecast, in a bank in which much happens', () => {
  test('is read anew at most once a second, never twice at a time, and once more after the last event', async () => {
    await using page = await openLive('/console/calendar');
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
  }, 60_000);

  test('a list that was empty when its page was opened gets the styles of a table with its first row', async () => {
    await using page = await openLive('/console/payments');
    const cell = page.locator('td').first();
    const padding = () => page.evaluate<string>("getComputedStyle(document.querySelector('td')).padding");
    expect(await cell.count()).toBe(0);
    await pay(bank, singlePath, singlePayment(), { sign: false });
    await cell.waitFor();
    const shown = await padding();
    await page.reload();
    expect(shown).toBe(await padding());
  }, 60_000);

  test('what is entered in a form, and not sent yet, stays when its page is read anew', async () => {
    await using page = await openLive('/console/accounts/09232911044');
    const [amount, date] = [page.getByLabel('Amount, NOK'), page.getByLabel('Booked to')];
    await amount.fill('5');
    await date.fill('2027-03-24');
    await pay(bank, singlePath, singlePayment({ instructedAmount: { amount: '7.00', currency: 'NOK' } }));
    await page.getByRole('button', { name: 'Top up' }).focus();
    await page.locator('h2', { hasText: 'To come' }).waitFor();
    expect(await Promise.all([amount, date].map((field) => field.inputValue()))).toEqual(['5', '2027-03-24']);
    await page.keyboard.press('Enter');
    await page.locator('#note', { hasText: 'available.' }).waitFor();
    // The page after the form begins as always.
    expect(await amount.inputValue()).toBe('1000');
  }, 60_000);

  test('a switch that was turned, and not saved yet, stays when its page is read anew', async () => {
    await using page = await openLive('/console/quirks');
    const switchOf = (name: string) => page.getByRole('switch', { name, exact: true });
    const [turned, other] = [switchOf('order'), switchOf('plain-json')];
    await turned.check();
    await page.getByRole('heading', { level: 1 }).click();
    await bank.quirks({ 'plain-json': true });
    await bank.control('PUT', '/sandbox/clock', { now: '2027-03-24T13:07:00+01:00' });
    await page.locator('#clock .now', { hasText: '13:07' }).waitFor();
    expect(await Promise.all([turned, other].map((one) => one.isChecked()))).toEqual([true, true]);
  }, 60_000);
});
