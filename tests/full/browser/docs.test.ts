import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeInBrowser, testBrowser } from '../../support/browser.ts';
import { startTestBank } from '../../lab/server.ts';
import { testBank } from '../../support/test-bank.ts';

const now = '2027-03-24T12:00:00+01:00';
const browser = testBrowser();
const bank = testBank(now);

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

/** Sends the call of the page; its answer. */
async function send(page: Page): Promise<{ readonly status: string; readonly body: Record<string, string> }> {
  const [response] = await Promise.all([
    page.waitForResponse((one) => one.request().resourceType() === 'fetch'),
    page.getByRole('button', { name: 'Send', exact: true }).click(),
  ]);
  const text = await response.text();
  const status = page.locator(`#sent[data-status="${response.status()}"]`);
  await status.waitFor();
  // The page shows this answer.
  const body = JSON.parse(text) as Record<string, string>;
  await page.waitForFunction(
    `document.querySelector('#answer code').textContent === ${JSON.stringify(JSON.stringify(body, null, 2))}`,
  );
  return { status: (await status.innerText()).slice(0, 3), body };
}

/** The call of the page sends a payment to the bank below `base`, and nothing went wrong on the page. */
async function expectPaid(page: Page, base: string, wrong: string[]): Promise<void> {
  const { status, body } = await send(page);
  expect([status, body['transactionStatus'], wrong]).toEqual(['201', 'RCVD', []]);
  const known = await bank.control('GET', `${base}/sandbox/payments/${encodeURIComponent(body['paymentId'] ?? '')}`);
  expect(known.body.tpp.name).toContain('docs');
  // The same example once more is another call, not the first one's answer.
  const again = await send(page);
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

const payments = 'docs/interface/postPaymentsNorwegianDomesticCreditTransfers';

describeInBrowser('the API reference in Chromium', () => {
  beforeAll(async () => {
    await bank.control('POST', '/sandbox/banks', { name: 'demo', now });
  }, 60_000);

  test('a call of each document is sent as its form says, and a list of calls leads to it', async () => {
    const { page, wrong } = await open(`${bank.address}/docs?of=control`);
    // A consent of the control plane opens the accounts that the interface then reads.
    await page.locator('main a[href$="/postSandboxConsents"]').click();
    const consent = await send(page);
    expect(consent.status).toBe('200');
    await page.getByRole('link', { name: 'Interface' }).click();
    await page.locator('main a[href$="/getAccounts"]').click();
    await page.locator('.try summary').click();
    await page.getByRole('textbox', { name: 'PSU-ID', exact: true }).fill(consent.body['psuId'] ?? '');
    const accounts = await send(page);
    expect(accounts.status).toBe('200');
    expect(accounts.body['accounts']).not.toHaveLength(0);
    await page.goto(`${bank.address}/${payments}`);
    await expectPaid(page, '', wrong);
    // One of several examples, and a value in the address.
    await page.goto(`${bank.address}/docs/control/postSandboxClockAdvance`);
    await page.getByLabel('Example').selectOption({ label: 'runs' });
    expect((await send(page)).body['from']).toMatch(/^2027-03-24/);
    await page.goto(`${bank.address}/docs/control/getSandboxAccountsByNumber`);
    await page.getByRole('textbox', { name: 'number' }).fill('09232911044');
    expect(await send(page)).toMatchObject({ status: '200', body: { number: '09232911044' } });
    // A stream of events has no form to send it.
    await page.goto(`${bank.address}/docs/control/getSandboxEvents`);
    expect(await page.locator('#try').count()).toBe(0);
    expect(wrong).toEqual([]);
    await page.close();
  }, 90_000);

  test('a call that the customer must approve leads to the page to approve on, and says how to go on', async () => {
    const { page } = await open(`${bank.address}/banks/demo/docs/interface/getAccounts`);
    expect(await page.locator('#approve').isVisible()).toBe(false);
    expect((await send(page)).status).toBe('401');
    expect(await page.locator('#approve').innerText()).toMatch(/must approve.*PSU-ID and send the call again/);
    const [opened] = await Promise.all([page.waitForEvent('popup'), page.locator('#approve a').click()]);
    await opened.getByRole('heading', { level: 1, name: 'Who are you?' }).waitFor();
    await page.close();
  }, 60_000);

  test('the page of a named bank sends to that bank', async () => {
    const { page, wrong } = await open(`${bank.address}/banks/demo/${payments}`);
    await expectPaid(page, '/banks/demo', wrong);
    await page.close();
  }, 90_000);

  test('no reference of a document leads to itself, which the pages rely on', async () => {
    for (const path of ['/openapi.json', '/sandbox/openapi.json']) {
      expect([path, circleOf((await bank.raw('GET', path)).body)]).toEqual([path, null]);
    }
    const circle = { $defs: { a: { items: [{ $ref: '#/$defs/b' }] }, b: { $ref: '#/$defs/a' } } };
    expect(circleOf(circle)).toBe('#/$defs/b');
  });

  test('by keyboard the first stop skips to the content; a control token is sent with each call, and kept for the next page', async () => {
    await using guarded = await startTestBank(now, ['--control-token', 'a-secret-token-of-ours']);
    const { page } = await open(`${guarded.address}/docs/control/getSandboxClock`);
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the content');
    expect((await send(page)).status).toBe('401');
    await page.getByLabel('Control token').fill('a-secret-token-of-ours');
    await page.keyboard.press('Enter');
    await page.locator('#sent[data-status="200"]').waitFor();
    await page.goto(`${guarded.address}/${payments}`);
    expect((await send(page)).status).toBe('201');
    await page.close();
  }, 90_000);

  test('without scripts a call is whole, and has no form that does nothing', async () => {
    await using context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(`${bank.address}/${payments}`);
    expect(await page.getByRole('button').count()).toBe(0);
    expect(await page.locator('.code').first().innerText()).toContain('curl -sS -g -X POST');
    await page.getByRole('searchbox').fill('POST /v1/payments straks');
    await page.keyboard.press('Enter');
    await page.locator('main .found a').first().click();
    expect(await page.locator('h1').innerText()).toContain('straks');
  });
});
