import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { beforeEaster, pay } from '../../../console/console-bank.ts';
import { singlePath, singlePayment } from '../../../lab/bodies.ts';
import { startTestBank, type TestBank } from '../../../lab/server.ts';
import { describeInBrowser, launchBrowser } from '../../../support/browser.ts';

let browser: Browser;
let bank: TestBank;

async function open(path: string): Promise<Page> {
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 700 } })).newPage();
  page.setDefaultTimeout(15_000);
  await page.goto(`${bank.address}/console${path}`);
  await page.evaluate('window.isSamePage = true');
  return page;
}

/** What tells that the page is the same, how far down its line is seen, and the text of the focus. */
const place = (page: Page) =>
  page.evaluate<[boolean, number, string]>(
    "[window.isSamePage === true, Math.round(document.getElementById('settlement').getBoundingClientRect().top), document.activeElement.textContent.trim()]",
  );

describeInBrowser('C10: a form of the console leaves its user where they are', () => {
  beforeAll(async () => {
    [browser, bank] = [await launchBrowser(), await startTestBank(beforeEaster)];
  }, 60_000);
  afterAll(() => Promise.all([browser.close(), bank.stop()]));

  test('C10c: a move and its Undo keep page, place and focus, and the page tells what happened', async () => {
    for (let index = 0; index < 30; index += 1)
      await bank.control('POST', '/sandbox/payments', {
        ...{ from: '09232911044', to: '86011117947', creditorName: `Payee ${index}`, amount: `${index + 1}.00` },
        on: '2027-03-25',
      });
    const page = await open('');
    await page.getByRole('button', { name: 'Next banking day' }).focus();
    await page.evaluate('scrollTo(0, 400)');
    const [, top] = await place(page);
    await page.keyboard.press('Enter');
    await page
      .locator('#note', { hasText: 'The bank is at Tue 30 Mar 2027, 05:30: 30 settled, 0 rejected.' })
      .waitFor();
    expect(await place(page)).toEqual([true, top, 'Next banking day']);
    expect(page.url()).toBe(`${bank.address}/console`);
    expect(await page.locator('#settlement svg:visible .s:not(.f)').count()).toBe(30);
    const happened = await page.locator('#happened').innerText();
    expect(happened).toMatch(/What happened until Tue 30 Mar 2027, 05:30[^]*30 settled[^]*Payee 29/);
    await page
      .getByRole('button', { name: 'Undo', exact: true })
      .evaluate((button) => (button as unknown as { click: () => void }).click());
    await page.locator('#note', { hasText: 'The move is undone.' }).waitFor();
    expect((await place(page)).slice(0, 2)).toEqual([true, top]);
    expect(await page.locator('#settlement svg:visible .s.f').count()).toBe(30);
    await page.context().close();
  }, 60_000);

  test('C10c: a payment is approved on its page, moved to its run and back, with a button each', async () => {
    await bank.control('POST', '/sandbox/reset');
    const id = await pay(bank, singlePath, singlePayment({ requestedExecutionDate: '2027-03-26' }), { sign: false });
    const page = await open(`/payments/${encodeURIComponent(id)}`);
    await page.getByRole('button', { name: 'Approve the payment' }).click();
    await page.locator('#note', { hasText: 'Approved.' }).waitFor();
    await page.getByRole('button', { name: 'Move the clock to Tue 30 Mar 2027, 05:30' }).click();
    await page.locator('#note', { hasText: 'The bank is at Tue 30 Mar 2027, 05:30' }).waitFor();
    await page.locator('.lead', { hasText: 'settled' }).first().waitFor();
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await page.locator('#note', { hasText: 'The move is undone.' }).waitFor();
    await page.getByRole('button', { name: 'Move the clock to Tue 30 Mar 2027, 05:30' }).waitFor();
    expect((await place(page))[0]).toBe(true);
    expect(page.url()).toBe(`${bank.address}/console/payments/${encodeURIComponent(id)}`);
    await page.context().close();
  }, 60_000);

  test('on paper a page has no buttons, and no titles of forms', async () => {
    const id = await pay(bank, singlePath, singlePayment({ requestedExecutionDate: '2027-04-01' }));
    for (const [path, title] of [
      [`/payments/${encodeURIComponent(id)}`, "In the bank's own channel"],
      ['/accounts/09232911044', 'Put money in'],
    ] as const) {
      const page = await open(path);
      const seen = () => Promise.all([page.locator('main button:visible').count(), page.getByText(title).isVisible()]);
      expect(await seen()).toEqual([expect.any(Number), true]);
      expect((await seen())[0]).toBeGreaterThan(1);
      await page.emulateMedia({ media: 'print' });
      expect(await seen()).toEqual([0, false]);
      expect(await page.locator('main h1').isVisible()).toBe(true);
      await page.context().close();
    }
  }, 60_000);
});
