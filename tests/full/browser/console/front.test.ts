import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { BrowserContext, Page } from 'playwright-core';
import { startTestBank, type TestBank } from '../../../lab/server.ts';
import { lookFaults } from '../../../support/axe.ts';
import { describeInBrowser, testBrowser } from '../../../support/browser.ts';
import { beforeEaster, startConsoleBank } from '../../../console/console-bank.ts';
import { consoleViews } from '../../../../api/console/views.ts';
import { ConsoleClient } from '../../../console/console-client.ts';

const browser = testBrowser();
let bank: TestBank;
let fresh: TestBank;

async function open(context: BrowserContext, address: string): Promise<Page> {
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  await page.goto(address);
  return page;
}

describeInBrowser('the first page', () => {
  beforeAll(async () => {
    [bank, fresh] = [await startConsoleBank(), await startTestBank(beforeEaster, [], { platform: ['bien-sparebank'] })];
  }, 60_000);
  afterAll(() => Promise.all([bank.stop(), fresh.stop()]));

  test.each([true, false])(
    'two clicks make a payment and lead to its SCA page, and it needs attention (scripts: %j)',
    async (javaScriptEnabled) => {
      await using context = await browser.newContext({ javaScriptEnabled });
      const page = await open(context, fresh.address);
      await page.getByRole('link', { name: 'Make a payment' }).first().click();
      await page.getByLabel('Amount in NOK').fill(javaScriptEnabled ? '1 234,5' : '77');
      await page.getByRole('button', { name: 'Continue to approval' }).click();
      await page.waitForURL(/\/sca\/[\w-]+$/);
      const { body } = await fresh.control('GET', '/sandbox/payments?limit=1');
      expect(body.payments[0].amount).toEqual({ amount: javaScriptEnabled ? '1234.50' : '77.00', currency: 'NOK' });
      await page.goto(`${fresh.address}/console`);
      expect(await page.locator('.attention').innerText()).toBe(
        javaScriptEnabled ? 'Approve the payment of 1,234.50\u00a0NOK to Company 123' : 'Approve 2 open SCAs',
      );
    },
    60_000,
  );

  test('a payment that the bank refuses says why, and the form keeps what was entered', async () => {
    const page = await open(await browser.newContext(), `${fresh.address}/console/pay`);
    await page.getByLabel('Account of the payee').fill('123');
    await page.getByRole('button', { name: 'Continue to approval' }).click();
    await page.locator('#note.problem').waitFor();
    expect(await page.getByLabel('Account of the payee').inputValue()).toBe('123');
    await page.context().close();
  }, 60_000);

  test('the search is one key away, and leads to what it found', async () => {
    const page = await open(await browser.newContext(), `${bank.address}/console`);
    await page.keyboard.press('/');
    await page.keyboard.type('Påskeharen');
    await page.keyboard.press('Enter');
    await page.setViewportSize({ width: 390, height: 900 });
    const link = page.getByRole('link', { name: /^To Påskeharen AS/ });
    const [name, amount] = [await link.boundingBox(), await page.locator('.found b').first().boundingBox()];
    expect(amount?.y).toBe(name?.y);
    expect(amount?.x).toBeGreaterThan((name?.x ?? NaN) + (name?.width ?? NaN));
    await link.click();
    await page.getByRole('heading', { level: 1, name: /to Påskeharen AS/ }).waitFor();
    // The script that hears the key comes after the heading.
    await page.waitForLoadState();
    await page.setViewportSize({ width: 320, height: 900 });
    await page.keyboard.press('/');
    await page.keyboard.type('/');
    expect(await page.locator('#search').inputValue()).toBe('/');
    await page.context().close();
  }, 60_000);

  test('C11, C14: the arrows go through what was found; the key b and a name lead to another bank', async () => {
    const page = await open(await browser.newContext(), `${fresh.address}/console/search?q=Test+Testperson`);
    await page.waitForLoadState();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    const [second = ''] = (await page.locator('.found a').allInnerTexts()).slice(1);
    expect(await page.locator(':focus').innerText()).toBe(second);
    await page.keyboard.press('b');
    await page.getByRole('heading', { level: 1, name: 'Banks' }).waitFor();
    await page.getByRole('link', { name: 'Bien Sparebank' }).click();
    await page.waitForURL(/\/banks\/bien-sparebank\/console$/);
    await page.context().close();
  }, 60_000);

  test('C15: the script shows buttons that copy', async () => {
    const page = await open(await browser.newContext(), `${bank.address}/console/accounts/09232911044`);
    await page.locator('.copy').first().click();
    await page.locator('.copy[data-state]').waitFor();
    await page.context().close();
  }, 60_000);

  test('C20: the fields of a form stand on a grid, and the menu has each view once, in groups, with an icon', async () => {
    const page = await open(await browser.newContext(), `${bank.address}/console/pay`);
    const boxes = (selector: string) =>
      page.locator(selector).evaluateAll((all) =>
        all.map((one) => {
          const { x, y, width } = (
            one as unknown as { getBoundingClientRect(): Readonly<Record<'x' | 'y' | 'width', number>> }
          ).getBoundingClientRect();
          return [x, y, width].map(Math.round);
        }),
      );
    const fields = await boxes('main form :is(input:not([type=hidden]), select)');
    const labels = await boxes('main form label');
    const [single = 0, double = 0] = [...new Set(fields.map(([, , width]) => width ?? 0))].toSorted((a, b) => a - b);
    expect(Math.abs(double - 2 * single - 16)).toBeLessThanOrEqual(2);
    expect(fields.map(([x]) => x)).toEqual(labels.map(([x]) => x));
    // Three rows, each with its labels on one line and its fields on another.
    for (const row of [fields, labels]) expect(new Set(row.map(([, y]) => y)).size).toBe(3);
    const links = await page.locator('header nav li li a').allInnerTexts();
    const addresses = await page
      .locator('header nav li li a')
      .evaluateAll((all) => all.map((one) => one.getAttribute('href')));
    // Each leads to a view, the last two to the API and the guide.
    const views = new Set(consoleViews.map(({ path }) => `../console${path}`));
    expect(addresses.filter((address) => !views.has(address ?? ''))).toEqual(['../docs', '../docs/first-payment']);
    expect(await page.locator('header nav a svg path[d^=M]').count()).toBe(links.length);
    await page.context().close();
  }, 60_000);

  test('at 320 pixels the views are behind one button, the moves of the clock behind another, and the content begins above 110; at 1280 they stay in sight', async () => {
    await using context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 320, height: 900 } });
    const page = await open(context, `${bank.address}/console`);
    const { y = NaN } = (await page.locator('h1').boundingBox()) ?? {};
    expect(y).toBeLessThan(110);
    await page.getByRole('button', { name: 'Move the clock' }).click();
    for (const one of await page.locator('.moves :is(button, input:not([type=hidden]))').all()) {
      const { x = NaN, width = NaN } = (await one.boundingBox()) ?? {};
      expect(x + width).toBeLessThan(320);
    }
    await page.keyboard.press('Escape');
    await page.getByText('Menu', { exact: true }).click();
    await page.getByRole('link', { name: 'Forecast' }).click();
    await page.waitForURL(/\/console\/forecast$/);
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.goto(`${bank.address}/console/payments`);
    await page.mouse.wheel(0, 3_000);
    expect(await page.getByRole('link', { name: 'Forecast' }).isVisible()).toBe(true);
    expect(await page.getByRole('button', { name: 'Next banking day' }).isVisible()).toBe(true);
  }, 60_000);

  test.each(['/console/search?q=Test', '/console/search?q=nothing-like-it'])(
    '%s: axe finds nothing',
    async (path) => {
      const page = await open(await browser.newContext(), bank.address + path);
      expect(await lookFaults(page)).toEqual([]);
      await page.context().close();
    },
    60_000,
  );

  test('the first page of a bank where nothing has happened has a button in place of the line', async () => {
    await using empty = await startTestBank(beforeEaster);
    const page = await open(await browser.newContext(), `${empty.address}/console`);
    expect(await page.locator('.empty a.button').allInnerTexts()).toEqual(['Make a payment']);
    expect(await page.locator('.attention').count()).toBe(0);
    expect(await lookFaults(page)).toEqual([]);
    await page.context().close();
  }, 60_000);

  test('a page of a payment is printed on one page', async () => {
    const { body } = await bank.control('GET', '/sandbox/payments?status=ACSC');
    const path = `/console/payments/${encodeURIComponent(body.payments[0].paymentId)}`;
    const page = await open(await browser.newContext(), bank.address + path);
    const pdf = (await page.pdf({ format: 'A4', preferCSSPageSize: true })).toString('latin1');
    expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
    await page.context().close();
  }, 60_000);
});

test('the same by curl is folded, once a page', async () => {
  await using only = await startTestBank(beforeEaster);
  const client = new ConsoleClient(only.address);
  for (const path of ['/console', '/console/pay', '/console/accounts/09232911044', '/console/banks']) {
    const { text } = await client.get(path);
    expect([path, text.match(/<summary>The same by/g)?.length]).toEqual([path, 1]);
  }
});
