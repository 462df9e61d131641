import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { beforeEaster, pay } from '../../../console/console-bank.ts';
import { singlePath, singlePayment } from '../../../lab/bodies.ts';
import { startTestBank, type TestBank } from '../../../lab/server.ts';
import { describeInBrowser, launchBrowser } from '../../../support/browser.ts';
import { lookFaults } from '../../../support/axe.ts';

let browser: Browser;
let bank: TestBank;

const slider = (page: Page) => page.locator('.handle:visible');
const told = (page: Page) => page.locator('.settlement output');
const bankTime = async (): Promise<string> => (await bank.control('GET', '/sandbox/clock')).body.now;

async function open(options: object = {}): Promise<Page> {
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options })).newPage();
  page.setDefaultTimeout(15_000);
  await page.goto(`${bank.address}/console`);
  return page;
}

describeInBrowser('C31: the settlement line', () => {
  beforeAll(async () => {
    [browser, bank] = [await launchBrowser(), await startTestBank(beforeEaster)];
    const amount = (text: string) => ({ instructedAmount: { amount: text, currency: 'NOK' } });
    await pay(bank, singlePath, singlePayment({ ...amount('250.00'), requestedExecutionDate: '2027-03-25' }));
    await pay(bank, singlePath, singlePayment({ ...amount('12.00'), requestedExecutionDate: '2027-03-31' }));
    await pay(bank, singlePath, singlePayment(amount('15.00')), { sign: false });
  }, 60_000);
  afterAll(() => Promise.all([browser.close(), bank.stop()]));

  test('C31b: arrow keys preview, Escape leaves, Enter moves the clock, and Undo takes it back', async () => {
    const page = await open();
    expect(await page.locator('h1').innerText()).toBe('2 payments settle, 1 waits for a signature');
    const handle = slider(page);
    await handle.focus();
    // With another key held down a key is the browser's.
    await page.keyboard.press('Alt+End');
    await expectSoon(page, 0);
    await page.keyboard.press('End');
    await expectSoon(page, 2);
    // Somebody who goes elsewhere has left it: the page follows the bank again.
    await page.keyboard.press('Tab');
    await expectSoon(page, 0);
    await handle.focus();
    await page.keyboard.press('End');
    await page.keyboard.press('Escape');
    await expectSoon(page, 0);
    expect(await bankTime()).toMatch(/^2027-03-24T12:00/);
    for (let presses = 0; presses < 40; presses += 1) {
      await page.keyboard.press('ArrowRight');
      if ((await handle.getAttribute('aria-valuetext'))?.startsWith('Tue 30 05:30')) break;
    }
    expect(await handle.getAttribute('aria-valuetext')).toBe('Tue 30 05:30: 1 settles');
    expect(await told(page).innerText()).toBe('Tue 30 05:30: 1 settles');
    await expectSoon(page, 1);
    await page.keyboard.press('Enter');
    await page.getByText('The bank is at Tue 30 Mar 2027, 05:30: 1 settled, 0 rejected.').waitFor();
    expect(await bankTime()).toMatch(/^2027-03-30T05:30/);
    expect(await page.locator('.wide circle.s:not(.f)').count()).toBe(1);
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await page.getByText('The move is undone.').waitFor();
    expect(await bankTime()).toMatch(/^2027-03-24T12:00/);
    await page.context().close();
  }, 60_000);

  test.each([
    ['wide, by mouse', { width: 1280, height: 800 }, '.wide'],
    ['narrow, by mouse', { width: 390, height: 900 }, '.narrow'],
  ])(
    'C31b: dragging the handle moves the clock (%s)',
    async (_what, viewport, drawing) => {
      const page = await open({ viewport });
      const from = await page.locator(`${drawing} .handle .pf`).boundingBox();
      const to = await page.locator(`${drawing} circle.s.f`).first().boundingBox();
      if (from === null || to === null) throw new Error('the handle and a settlement to come are seen');
      const isWide = drawing === '.wide';
      const [x, y] = [from.x + from.width / 2, from.y + from.height / 2];
      await page.mouse.move(x, y);
      await page.mouse.down();
      const [toX, toY] = [to.x + to.width / 2, to.y + to.height / 2];
      await page.mouse.move(isWide ? toX : x, isWide ? y : toY, { steps: 5 });
      await expectSoon(page, 1);
      await page.mouse.up();
      await page.getByText('The bank is at Tue 30 Mar 2027, 05:30').waitFor();
      await page.getByText(/^Undo/).first().waitFor({ state: 'attached' });
      await bank.control('POST', '/sandbox/reset');
      await page.context().close();
      const amount = { instructedAmount: { amount: '250.00', currency: 'NOK' } };
      await pay(bank, singlePath, singlePayment({ ...amount, requestedExecutionDate: '2027-03-25' }));
    },
    60_000,
  );

  test('without scripts the buttons move the clock; axe finds nothing', async () => {
    const page = await open({ javaScriptEnabled: false });
    await page.getByRole('button', { name: '+1 run' }).waitFor();
    await page.context().close();
    for (const viewport of [
      { width: 1280, height: 800 },
      { width: 320, height: 640 },
    ]) {
      const seen = await open({ viewport });
      expect(await lookFaults(seen)).toEqual([]);
      await seen.context().close();
    }
  }, 60_000);
});

/** Number of marks of the picture that is seen that would become solid. */
async function expectSoon(page: Page, count: number): Promise<void> {
  expect(await page.locator('.settlement svg:visible .soon').count()).toBe(count);
}
