import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { singlePath, singlePayment } from '../../../lab/bodies.ts';
import { lookFaults } from '../../../support/axe.ts';
import { describeInBrowser, testBrowser } from '../../../support/browser.ts';
import { beforeEaster, pay } from '../../../console/console-bank.ts';
import { testBank } from '../../../support/test-bank.ts';

const why = 'Fri 26 Mar, closed: Langfredag to Andre påskedag, due Tue 30 Mar';
const browser = testBrowser();
const bank = testBank(beforeEaster);

/** A bank of its own with one payment, asked for on Good Friday, and a page with or without scripts. */
async function begin(
  javaScriptEnabled: boolean,
  width = 1280,
): Promise<{ base: string; page: Page; paymentId: string }> {
  const name = `easter-${javaScriptEnabled ? 'scripts' : 'plain'}-${width}`;
  await bank.control('POST', '/sandbox/banks', { name, now: beforeEaster, mode: 'frozen' });
  const body = singlePayment({ requestedExecutionDate: '2027-03-26', creditorName: 'Påskeharen AS' });
  const base = `/banks/${name}`;
  const paymentId = await pay(bank, base + singlePath, body);
  const context = await browser.newContext({ javaScriptEnabled, viewport: { width, height: 900 } });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  return { base, page, paymentId };
}

/** Goes on with Tab until the focus is on a link or button of this name, and presses Enter. */
async function press(page: Page, name: string): Promise<void> {
  for (let tabs = 0; tabs < 60; tabs += 1) {
    await page.keyboard.press('Tab');
    const focused = page.locator(':focus');
    if ((await focused.count()) === 1 && (await focused.innerText()).trim() === name) {
      await page.keyboard.press('Enter');
      return;
    }
  }
  throw new Error(`Tab does not come to ${name}`);
}

const heading = (page: Page, text: string, level = 1) => page.getByRole('heading', { level, name: text }).waitFor();
const main = (page: Page) => page.locator('main').innerText();

describeInBrowser('the console over Easter 2027', () => {
  test('1280 pixels wide with a scroll bar, the clock, its moves and Undo are one line: another day, a high rate, a long name', async () => {
    await using page = await browser.newPage({ viewport: { width: 1265, height: 900 } });
    for (const mode of ['running', 'frozen']) {
      const name = `${mode}-${'a-long-name-'.repeat(4)}ok`;
      const base = `/banks/${name}`;
      await bank.control('POST', '/sandbox/banks', { name, now: '2027-03-24T17:10:20+01:00', mode: 'frozen' });
      await page.goto(`${bank.address}${base}/console/forecast?to=2027-03-24T17:10:28%2B01:00`);
      await page.getByRole('button', { name: /^Move the clock to/ }).click();
      await heading(page, 'What happened until Wed 24 Mar 2027, 17:10:28', 2);
      expect(await page.locator('.clock').getByRole('button', { name: 'Undo' }).count()).toBe(1);
      await bank.control('PUT', `${base}/sandbox/clock`, { mode, rate: 3600 });
      await page.goto(`${bank.address}${base}/console`);
      expect(await page.locator('.clock .moves').innerText()).toContain('Undo…');
      if (mode === 'frozen') {
        await using asking = await browser.newPage();
        await asking.goto(`${bank.address}${base}/console/clock/undo`);
        await asking.getByRole('button', { name: 'Undo the move and lose the changes' }).waitFor();
        expect(await lookFaults(asking)).toEqual([]);
      }
      expect(await page.locator('.clock .next').innerText()).toBe('Next run Tue 30 Mar, 05:30');
      const boxes = await Promise.all(
        ['.now', '.next', '.moves'].map((part) => page.locator(`.clock ${part}`).boundingBox()),
      );
      const [now, next, moves] = boxes.map((box) => (box?.y ?? NaN) + (box?.height ?? NaN) / 2);
      for (const middle of [next, moves]) expect(Math.abs((middle ?? NaN) - (now ?? NaN))).toBeLessThan(8);
    }
  }, 30_000);

  test.each([
    ['with scripts', true, 1280],
    ['without scripts', false, 320],
  ])(
    'by keyboard, %s: it shows what will happen, moves the clock, tells what happened and why, and takes the move back',
    async (_how, javaScriptEnabled, width) => {
      const { base, page, paymentId } = await begin(javaScriptEnabled, width);
      await page.goto(bank.address + base);
      await heading(page, '1 payment will settle');

      if (width === 320) await press(page, 'Menu');
      await press(page, 'Calendar');
      await heading(page, 'March 2027');
      const friday = page.locator('li:has(> .date time[datetime="2027-03-26"])');
      expect(await friday.innerText()).toMatch(
        /Good Friday\s+Påskeharen AS\s+closed: Langfredag to Andre påskedag, due Tue 30 Mar/,
      );
      const tuesday = page.locator('li:has(> .date time[datetime="2027-03-30"])');
      expect(await tuesday.innerText()).toMatch(/05:30\s+1 settle[^]*Påskeharen AS\s+-100\.00.NOK\s+from Fri 26 Mar/);

      await page.goto(`${bank.address}${base}/console/forecast?to=2027-03-30T05:30:00%2B02:00`);
      await heading(page, 'Forecast until Tue 30 Mar 2027, 05:30');
      await page.locator('#each summary').press('Enter');
      const foreseen = await main(page);
      expect(foreseen).toMatch(/closed: (Easter|Maundy Thursday to Easter Monday)/);
      expect(foreseen).toContain(`${why}; funds suffice`);
      expect((await bank.control('GET', `${base}/sandbox/clock`)).body.date).toBe('2027-03-24');

      if (width === 320) await press(page, 'Move the clock');
      await press(page, 'Next banking day');
      await heading(page, 'What happened until Tue 30 Mar 2027, 05:30', 2);
      const happened = await main(page);
      expect(happened).toContain('The bank is at Tue 30 Mar 2027, 05:30: 1 settled, 0 rejected.');
      expect(happened).toMatch(/Tue 30 Mar, 05:30: 1 settled/);
      expect(happened).toContain(why);
      expect((await bank.control('GET', `${base}/sandbox/clock`)).body.now).toBe('2027-03-30T05:30:00.000+02:00');
      if (javaScriptEnabled) {
        expect(await lookFaults(page)).toEqual([]);
        await page.setViewportSize({ width, height: 900 });
      }

      if (width === 320) await press(page, 'Move the clock');
      await press(page, 'Undo');
      await page.getByText('The move is undone. The bank is back at Wed 24 Mar 2027, 12:00.').waitFor();
      expect((await bank.control('GET', `${base}/sandbox/clock`)).body.now).toBe('2027-03-24T12:00:00.000+01:00');
      await page.goto(`${bank.address}${base}/console/forecast?to=2027-03-30T05:30:00%2B02:00`);
      await press(page, 'Move the clock to Tue 30 Mar 2027, 05:30');
      await heading(page, 'What happened until Tue 30 Mar 2027, 05:30', 2);

      await page.goto(`${bank.address}${base}/console/payments/${encodeURIComponent(paymentId)}`);
      await heading(page, '100.00 NOK to Påskeharen AS');
      for (const id of ['dates', 'history']) await page.locator(`#${id} summary`).press('Enter');
      const payment = await main(page);
      expect(payment).toContain('ACSC settled');
      expect(payment).toContain(', attempt 1');
      expect(payment).toContain(why);
      expect(await page.locator('.timeline li').count()).toBeGreaterThan(2);
      await page.context().close();
    },
    60_000,
  );

  test('a page that is open sees it happen: calendar, clock bar and a word for who hears the page', async () => {
    const { base, page } = await begin(true, 900);
    await page.goto(`${bank.address}${base}/console/calendar`);
    await heading(page, 'March 2027');
    const fold = page.locator('#view-curl');
    await fold.locator('summary').click();
    const before = await page.locator('#clock .now').innerText();
    await bank.control('POST', `${base}/sandbox/clock/advance`, { to: '2027-03-30T05:30:00+02:00' });
    await page.getByText('1 settled').waitFor();
    expect(await page.locator('#clock .now').innerText()).not.toBe(before);
    expect(await page.locator('#told').innerText()).toContain('Tue 30 Mar 2027');
    expect(await fold.getAttribute('open')).not.toBeNull();
    expect(await page.evaluate('document.activeElement.textContent')).toBe('The same by curl');
    await page.context().close();
  }, 60_000);

  test('nobody loses what they write: the page waits until the field is left', async () => {
    const { base, page, paymentId } = await begin(true, 1000);
    await page.goto(`${bank.address}${base}/console/payments/${encodeURIComponent(paymentId)}`);
    const reason = page.getByLabel('Why it is rejected');
    await reason.fill('half a sen');
    await bank.control('POST', `${base}/sandbox/clock/advance`, { to: '2027-03-30T05:30:00+02:00' });
    // The event has come, and is acted on a second later at most: another page has shown it by then.
    const other = await page.context().newPage();
    await other.goto(`${bank.address}${base}/console/payments`);
    await other.locator('td').getByText('ACSC').waitFor();
    await other.waitForTimeout(1_500);
    expect(await reason.inputValue()).toBe('half a sen');
    await page.bringToFront();
    await page.locator('main').focus();
    await page.locator('.lead').getByText('ACSC').waitFor();
    await page.context().close();
  }, 60_000);
});
