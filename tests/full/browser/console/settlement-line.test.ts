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
const told = (page: Page) => page.locator('.settlement svg:visible .told');
const bankTime = async (): Promise<string> => (await bank.control('GET', '/sandbox/clock')).body.now;

async function open(options: object = {}, of = bank): Promise<Page> {
  const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options })).newPage();
  page.setDefaultTimeout(15_000);
  await page.goto(`${of.address}/console`);
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
    expect(await page.locator('h1').innerText()).toBe('2 payments will settle, 1 waits for a signature');
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
      if ((await handle.getAttribute('aria-valuetext'))?.startsWith('Tue 30 Mar, 05:30')) break;
    }
    expect(await handle.getAttribute('aria-valuetext')).toBe('Tue 30 Mar, 05:30: 1 will settle');
    expect(await page.locator('.pt:visible').textContent()).toBe('Tue 30 Mar, 05:30');
    expect(await told(page).textContent()).toBe('1 will settle');
    await expectSoon(page, 1);
    await page.evaluate('window.isSamePage = true');
    await page.keyboard.press('Enter');
    await page.getByText('The bank is at Tue 30 Mar 2027, 05:30: 1 settled, 0 rejected.').waitFor();
    expect(await bankTime()).toMatch(/^2027-03-30T05:30/);
    expect(await page.locator('.wide circle.s:not(.f)').count()).toBe(1);
    // The page stayed, and the focus on the handle; what the handle is for is not said again.
    expect(await page.evaluate('window.isSamePage && document.activeElement.id')).toBe('handle-wide');
    expect(await told(page).textContent()).toBe('');
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
      const [x, y] = [from.x + from.width / 2, from.y + from.height / 2];
      await page.mouse.move(x, y);
      await page.mouse.down();
      const [toX, toY] = [to.x + to.width / 2, to.y + to.height / 2];
      await page.mouse.move(toX, toY, { steps: 5 });
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

  test.each([
    ['a phone', { width: 390, height: 844 }],
    ['a tablet', { width: 1024, height: 768 }],
  ])(
    'C31b: a finger drags the handle on %s, and Undo takes it back',
    async (_what, viewport) => {
      const page = await open({ viewport, hasTouch: true, isMobile: true });
      const [from, to] = await Promise.all([
        page.locator('.handle:visible .pf').boundingBox(),
        page.locator('svg:visible > a circle.s.f').first().boundingBox(),
      ]);
      if (from === null || to === null) throw new Error('the handle and a settlement to come are seen');
      const [x, y] = [from.x + from.width / 2, from.y + from.height / 2];
      const touch = await page.context().newCDPSession(page);
      const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', at: number): Promise<unknown> =>
        touch.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x: at, y }] });
      await send('touchStart', x);
      const end = to.x + to.width / 2;
      for (let step = 1; step <= 8; step += 1) await send('touchMove', x + ((end - x) * step) / 8);
      // The page hears of a finger with its next frame.
      await page.locator('.settlement svg:visible .soon').first().waitFor({ state: 'attached' });
      await expectSoon(page, 1);
      expect(await page.locator('.pt:visible').textContent()).toBe('Tue 30 Mar, 05:30');
      await send('touchEnd', end);
      await page.getByText('The bank is at Tue 30 Mar 2027, 05:30: 1 settled').waitFor();
      expect(await bankTime()).toMatch(/^2027-03-30T05:30/);
      await bank.control('POST', '/sandbox/reset');
      const amount = { instructedAmount: { amount: '250.00', currency: 'NOK' } };
      await pay(bank, singlePath, singlePayment({ ...amount, requestedExecutionDate: '2027-03-25' }));
      await page.context().close();
    },
    60_000,
  );

  test('C31b: below many rows the preview stands where the reader is, beside the line', async () => {
    await using own = await startTestBank(beforeEaster);
    for (let index = 0; index < 40; index += 1)
      await own.control('POST', '/sandbox/payments', {
        ...{ from: '09232911044', to: '86011117947', creditorName: `Payee ${index}`, amount: `${index + 1}.00` },
        on: '2027-03-25',
      });
    for (const width of [1280, 390]) {
      const page = await open({ viewport: { width, height: 800 } }, own);
      const handle = slider(page);
      await handle.focus();
      await page.evaluate('scrollTo(0, document.body.scrollHeight - innerHeight - 300)');
      await page.keyboard.press('End');
      for (const each of [page.locator('.pf:visible'), told(page)]) {
        const box = await each.boundingBox();
        expect(box?.y).toBeGreaterThan(40);
        expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(800);
        expect(box?.x).toBeGreaterThanOrEqual(0);
        expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width);
      }
      expect(await told(page).textContent()).toBe('40 will settle');
      await page.context().close();
    }
  }, 60_000);

  test('C31b: the handle says what it is for, until it was used, and never without scripts', async () => {
    const page = await open();
    expect(await told(page).textContent()).toBe('Drag to move the clock');
    await slider(page).focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await page.locator('#note', { hasText: 'The bank is at' }).waitFor();
    expect(await told(page).textContent()).toBe('');
    await page.reload();
    expect(await told(page).textContent()).toBe('');
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await page.getByText('The move is undone.').waitFor();
    await page.context().close();
    const plain = await open({ javaScriptEnabled: false });
    expect(await plain.locator('body').innerText()).not.toContain('Drag');
    await plain.context().close();
  }, 60_000);

  test('the sentence of no row meets its track, and no text another, at both widths', async () => {
    for (const width of [1280, 390]) {
      const page = await open({ viewport: { width, height: 900 } });
      const crossed = await page.evaluate<string[]>(`(() => {
        const svg = [...document.querySelectorAll('#settlement svg')].find((each) => each.checkVisibility());
        const boxes = (what) => [...svg.querySelectorAll(what)].filter((each) => each.textContent !== '' || each.localName !== 'text')
          .map((each) => [each, each.getBoundingClientRect()]);
        const meet = ([, a], [, b]) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
        const texts = boxes('a > text, .m, .d, .c');
        const marks = boxes('a > g :is(path, circle)');
        return texts.flatMap((text, index) => [...texts.slice(index + 1), ...marks].filter((other) => meet(text, other))
          .map((other) => text[0].outerHTML + ' ' + other[0].outerHTML));
      })()`);
      expect(crossed).toEqual([]);
      await page.context().close();
    }
  }, 60_000);

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
