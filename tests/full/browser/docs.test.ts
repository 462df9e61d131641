import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Locator, Page } from 'playwright-core';
import { lookFaults } from '../../support/axe.ts';
import { describeInBrowser, launchBrowser } from '../../support/browser.ts';
import { startTestBank, type TestBank } from '../../lab/server.ts';

const now = '2027-03-24T12:00:00+01:00';
let browser: Browser;
let bank: TestBank;

/** A page of its own, and what went wrong on it: what it loaded from elsewhere, and errors of its console. */
async function open(address: string): Promise<{ readonly page: Page; readonly wrong: string[] }> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  page.setDefaultTimeout(30_000);
  const wrong: string[] = [];
  const own = new URL(address).origin;
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (protocol !== 'data:' && origin !== own) wrong.push(request.url());
  });
  page.on('console', (message) => {
    if (message.type() === 'error') wrong.push(message.text());
  });
  page.on('pageerror', (error) => wrong.push(error.message));
  await page.goto(address);
  return { page, wrong };
}

/** What opens a call, with what its example fills in, and closes it. */
function callOf(page: Page, method: string, path: string): Locator {
  const summary = page.locator('.opblock-summary-control').filter({ has: page.locator(`[data-path="${path}"]`) });
  return summary.filter({ hasText: new RegExp(`^${method}`) });
}

const press = (page: Page, method: string, path: string) => callOf(page, method, path).click();

/** Sends an open call; its answer. */
async function execute(page: Page): Promise<{ readonly status: string; readonly body: Record<string, string> }> {
  const [response] = await Promise.all([
    page.waitForResponse((one) => /\/sandbox\/as\/|\/sandbox\/(?!openapi)/.test(one.url())),
    page.getByRole('button', { name: 'Execute', exact: true }).click(),
  ]);
  const text = await response.text();
  const [longest = ''] = text.match(/[^"\\]+/g)?.toSorted((one, other) => other.length - one.length) ?? [];
  const answer = page.locator('.live-responses-table');
  // Until the page shows this answer, the earlier one is still there.
  const body = answer.locator('.highlight-code pre, pre.microlight');
  await body.filter({ hasText: longest }).first().waitFor();
  const status = await answer.locator('.response-col_status').last().innerText();
  return { status: status.trim().slice(0, 3), body: JSON.parse(text) as Record<string, string> };
}

/** The page is not wider than the screen, and axe finds nothing in what is ours, while a call is open. */
async function expectSound(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Execute', exact: true }).waitFor();
  expect(await lookFaults(page, '#calls')).toEqual([]);
}

/** The open call sends a payment to the bank below `base`, and nothing went wrong on the page. */
async function expectPaid(page: Page, base: string, wrong: string[]): Promise<void> {
  const { status, body } = await execute(page);
  expect([status, body['transactionStatus'], wrong]).toEqual(['201', 'RCVD', []]);
  const known = await bank.control('GET', `${base}/sandbox/payments/${encodeURIComponent(body['paymentId'] ?? '')}`);
  expect(known.body.tpp.name).toContain('docs');
  // The same example once more is another call, not the first one's answer.
  const again = await execute(page);
  expect([again.status, JSON.stringify(again.body)]).toEqual(['400', expect.stringContaining('a logical duplicate')]);
  expect(wrong.splice(0)).toEqual([expect.stringContaining('status of 400')]);
}

/** A reference that leads to itself, in a document whose references are of itself; null: there is none. */
function circleOf(document: object): string | null {
  const under: string[] = [];
  const sound = new Set<string>();
  const find = (part: unknown): string | null => {
    if (typeof part !== 'object' || part === null) return null;
    const { $ref: reference, ...rest } = part as { $ref?: string };
    for (const inner of Object.values(rest)) {
      const found = find(inner);
      if (found !== null) return found;
    }
    if (reference === undefined || sound.has(reference)) return null;
    if (under.includes(reference)) return reference;
    under.push(reference);
    const [, ...names] = reference.split('/');
    const found = find(names.reduce<unknown>((whole, name) => Object(whole)[name], document));
    under.pop();
    sound.add(reference);
    return found;
  };
  return find(document);
}

const payments = '/payments/norwegian-domestic-credit-transfers';

describeInBrowser('the page /docs in Chromium', () => {
  beforeAll(async () => {
    browser = await launchBrowser();
    bank = await startTestBank(now);
    await bank.control('POST', '/sandbox/banks', { name: 'demo', now });
  }, 60_000);
  afterAll(() => Promise.all([browser.close(), bank.stop()]));

  test('both documents fit 320 and 1280 pixels with a call open, and axe finds nothing in what is ours; what they send is answered', async () => {
    const { page, wrong } = await open(`${bank.address}/docs?of=control`);
    await press(page, 'POST', '/sandbox/clock/advance');
    await expectSound(page);
    await press(page, 'POST', '/sandbox/clock/advance');
    // A consent of the control plane opens the accounts that the interface then reads.
    await press(page, 'POST', '/sandbox/consents');
    const consent = await execute(page);
    expect(consent.status).toBe('200');
    await page.getByRole('link', { name: 'Interface' }).click();
    await press(page, 'POST', payments);
    await expectSound(page);
    await expectPaid(page, '', wrong);
    await press(page, 'POST', payments);
    await press(page, 'GET', '/accounts');
    const identity = page.locator('.opblock.is-open').getByPlaceholder('PSU-ID', { exact: true });
    await identity.fill(consent.body['psuId'] ?? '');
    const accounts = await execute(page);
    expect(accounts.status).toBe('200');
    expect(accounts.body['accounts']).not.toHaveLength(0);
    expect(wrong).toEqual([]);
    await page.close();
  }, 90_000);

  test('the page of a named bank sends to that bank', async () => {
    const { page, wrong } = await open(`${bank.address}/banks/demo/docs`);
    await press(page, 'POST', payments);
    await expectPaid(page, '/banks/demo', wrong);
    // The open call shows what the references of its schema stand for.
    await page.getByRole('tab', { name: 'Schema' }).last().click();
    await page.locator('.json-schema-2020-12__title').getByText('tppMessages').first().waitFor({ state: 'attached' });
    await page.close();
  }, 90_000);

  test('no reference of a document leads to itself, which the page relies on', async () => {
    for (const path of ['/openapi.json', '/sandbox/openapi.json']) {
      expect([path, circleOf((await bank.raw('GET', path)).body)]).toEqual([path, null]);
    }
    const circle = { $defs: { a: { items: [{ $ref: '#/$defs/b' }] }, b: { $ref: '#/$defs/a' } } };
    expect(circleOf(circle)).toBe('#/$defs/b');
  });

  test('by keyboard the first stop skips to the calls, and Enter opens one; the page sends a control token with each call', async () => {
    const guarded = await startTestBank(now, ['--control-token', 'a-secret-token-of-ours']);
    const { page } = await open(`${guarded.address}/docs?of=control`);
    const clock = callOf(page, 'GET', '/sandbox/clock');
    await clock.waitFor();
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the calls');
    await page.keyboard.press('Enter');
    await page.locator('#calls:focus').waitFor({ timeout: 5_000 });
    await clock.focus();
    await page.keyboard.press('Enter');
    await page.locator('.opblock.is-open').waitFor();
    expect(await page.evaluate('document.documentElement.lang + "|" + document.title')).toBe(
      'en|API: control plane – Sandbank',
    );
    expect((await execute(page)).status).toBe('401');
    await page.getByLabel('Control token').fill('a-secret-token-of-ours');
    await page.keyboard.press('Tab');
    expect((await execute(page)).status).toBe('200');
    await page.getByRole('link', { name: 'Interface' }).click();
    await press(page, 'POST', payments);
    expect((await execute(page)).status).toBe('201');
    await page.close();
    await guarded.stop();
  }, 90_000);
});
