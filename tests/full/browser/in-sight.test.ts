import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { overflow, smallTargets } from '../../support/axe.ts';
import { describeInBrowser, testBrowser } from '../../support/browser.ts';
import { oneOf } from '../../support/sample.ts';
import { psuHeaders, startTestBank } from '../../lab/server.ts';
import { testBank } from '../../support/test-bank.ts';

const nora = '13039319955';
const sizes = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
] as const;
const browser = testBrowser();
const bank = testBank('2027-03-24T12:00:00+01:00');

async function opened(path: string, viewport: { width: number; height: number }): Promise<Page> {
  const context = await browser.newContext({ viewport, locale: 'en-GB' });
  const page = await context.newPage();
  await page.goto(bank.address + path);
  return page;
}

/** The id of an open SCA for a purpose, with a payment that has every fact that a page can show. */
async function scaFor(purpose: 'consent' | 'periodic'): Promise<string> {
  if (purpose === 'consent') {
    const headers = { ...psuHeaders(nora), 'tpp-redirect-uri': 'https://tpp.example/back' };
    const { body } = await bank.signed('POST', '/v1/bank-offered-consents', { headers, body: '' });
    return body._links.scaRedirect.href;
  }
  const order = { from: '09232911044', to: '90491105991', amount: '5.00', every: 'Monthly', on: '2027-03-27' };
  const { body } = await bank.control('POST', '/sandbox/payments', { ...order, sign: false, allowDuplicate: true });
  return body.scas[0].address;
}

describeInBrowser('what a person looks for is in sight', () => {
  test.each(sizes.flatMap((size) => (['consent', 'periodic'] as const).map((purpose) => [purpose, size] as const)))(
    'Approve of %s is above the fold at %j, on the page of the PSU and in the console',
    async (purpose, size) => {
      const { pathname } = new URL(await scaFor(purpose));
      const page = await opened(pathname, size);
      await page.locator('#psu').fill(nora);
      await page.locator('button[value="identify"]').click();
      const approve = page.locator('button[value="approve"]');
      await approve.waitFor();
      const bottom = async () => {
        const box = await approve.boundingBox();
        return Math.round((box?.y ?? 0) + (box?.height ?? 0));
      };
      expect(await bottom()).toBeLessThanOrEqual(size.height);
      // It covers nothing that has the focus, nor the end of the page.
      await page.keyboard.press('End');
      expect(await bottom()).toBeLessThanOrEqual(size.height);
      await page.goto(`${bank.address}/console${pathname}`);
      const own = await page.getByRole('button', { name: 'Approve', exact: true }).boundingBox();
      expect((own?.y ?? 0) + (own?.height ?? 0)).toBeLessThanOrEqual(size.height);
      await page.context().close();
    },
    60_000,
  );

  test.each([320, 390, 1280])(
    'no button to copy covers code, at %i',
    async (width) => {
      const page = await opened('/docs/first-payment', { width, height: 800 });
      const codes = page.locator('.code:has(.copy)');
      await codes.first().waitFor();
      const covered = await codes.evaluateAll((all) =>
        all.filter((one) => {
          const [button, code] = ['.copy', 'pre'].map((part) => one.querySelector(part)?.getBoundingClientRect());
          if (button === undefined || code === undefined) return true;
          return (
            button.left < code.right && code.left < button.right && button.top < code.bottom && code.top < button.bottom
          );
        }),
      );
      expect([covered.length, await overflow(page)]).toEqual([0, 0]);
      await page.context().close();
    },
    60_000,
  );

  test('the box of a payment that waits for its second signature wraps its command, at 320', async () => {
    const order = { from: '34330000017', to: '90491105991', amount: '2.00', sign: ['17818050100'] };
    const { payment } = (await bank.control('POST', '/sandbox/payments', order)).body;
    const path = `/console/payments/${encodeURIComponent(payment.paymentId)}`;
    const page = await opened(path, { width: 320, height: 800 });
    const cut = await page
      .locator('.empty pre, .empty code')
      .evaluateAll((all) => all.filter(({ scrollWidth, clientWidth }) => clientWidth > 0 && scrollWidth > clientWidth));
    expect(cut).toEqual([]);
    expect(await page.locator('.empty pre').count()).toBe(1);
    await page.context().close();
  }, 60_000);

  test.each(oneOf('width of targets', [320, 1280]))(
    'links and buttons are large enough to touch, also in a month full of events, at %i',
    async (width) => {
      await using own = await startTestBank('2027-03-24T12:00:00+01:00');
      await own.control('POST', '/sandbox/life', { account: '09232911044', persona: 'family', months: 3 });
      const order = { from: '74712699947', to: '90491105991', amount: '4.00', on: '2027-03-25' };
      await own.control('POST', '/sandbox/payments', order);
      await own.control('POST', '/sandbox/payments', { ...order, amount: '0' });
      await own.control('POST', '/sandbox/consents', { tpp: 'wish', psu: nora });
      await own.control('POST', '/sandbox/faults', { code: 'ACCESS_EXCEEDED' });
      await own.advance({ to: '2027-03-31' });
      await using context = await browser.newContext({ viewport: { width, height: 900 } });
      const page = await context.newPage();
      const small: string[] = [];
      const views = [
        '',
        '/calendar',
        '/calendar?month=2027-04',
        '/requests',
        '/consents',
        '/quirks',
        '/accounts/09232911044',
      ];
      for (const view of views) {
        await page.goto(`${own.address}/console${view}`);
        small.push(...(await smallTargets(page)).map((html) => `${view}: ${html}`));
      }
      expect(small).toEqual([]);
    },
    60_000,
  );

  test('a bank that has stopped is told, and one that is there again is shown', async () => {
    const own = await startTestBank('2027-03-24T12:00:00+01:00');
    const { port } = new URL(own.address);
    const page = await browser.newPage();
    const listens = page.waitForResponse((answer) => answer.url().endsWith('/sandbox/events'));
    await page.goto(`${own.address}/console`);
    await listens;
    await own.stop();
    const told = page.getByRole('alert').filter({ hasText: 'The bank does not answer.' });
    await told.waitFor({ timeout: 20_000 });
    const again = await startTestBank('2027-03-25T12:00:00+01:00', ['--port', port]);
    await page.locator('#clock .now', { hasText: '25 Mar' }).waitFor({ timeout: 20_000 });
    expect(await told.count()).toBe(0);
    await page.close();
    await again.stop();
  }, 90_000);
});
