import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { bulkItem, bulkPath, bulkPayment, singlePath, singlePayment } from '../../lab/bodies.ts';
import { describeInBrowser, launchBrowser, openSite, type Site } from '../../support/browser.ts';
import { startTestBank, type TestBank } from '../../lab/server.ts';

const nora = '13039319955';
const sigrid = '17818050100';
const tor = '20818850094';
let browser: Browser;
let bank: TestBank;
let tpp: Site;
let context: BrowserContext;
let page: Page;

/** A browser of that language, without JavaScript. */
async function openBrowser(locale: string): Promise<void> {
  context = await browser.newContext({ locale, javaScriptEnabled: false, viewport: { width: 320, height: 640 } });
  page = await context.newPage();
  page.setDefaultTimeout(10_000);
}

interface Begun {
  readonly href: string;
  readonly status: () => Promise<string>;
}

async function begin(path: string, body: object, { psu = nora, in: psuContext = 'PRIVATE' } = {}): Promise<Begun> {
  const headers = { 'x-psu-identity': psu, 'psu-context': psuContext, 'tpp-redirect-uri': `${tpp.address}/back` };
  const initiated = await bank.signed('POST', path, { body, headers });
  expect(initiated.status).toBe(201);
  const { paymentId, _links: links } = initiated.body;
  const at = `/sandbox/payments/${encodeURIComponent(paymentId)}`;
  return { href: links.scaRedirect.href, status: async () => (await bank.control('GET', at)).body.status };
}

const heading = () => page.locator('h1').innerText();
const shown = async () => (await page.locator('main').innerText()).replaceAll('\u00a0', ' ');

/** Presses Tab until what is named has the focus, as a person without a mouse does. */
async function tabTo(selector: string): Promise<void> {
  for (let presses = 0; presses < 40; presses += 1) {
    await page.keyboard.press('Tab');
    if ((await page.locator(`${selector}:focus`).count()) > 0) return;
  }
  throw new Error(`Tab never comes to ${selector}`);
}

/** Presses a button that leads to another page. */
async function press(action: string): Promise<void> {
  await tabTo(`button[value="${action}"]`);
  await Promise.all([page.waitForEvent('framenavigated'), page.keyboard.press('Enter')]);
  await page.waitForLoadState();
}

async function identifyAs(psu: string): Promise<void> {
  await tabTo('#psu');
  await page.keyboard.press('Control+A');
  await page.keyboard.type(psu);
  await press('identify');
}

describeInBrowser('A2, A2e: by keyboard alone, without JavaScript', () => {
  beforeAll(async () => {
    browser = await launchBrowser();
    tpp = await openSite();
    bank = await startTestBank('2027-03-24T12:00:00+01:00');
  }, 60_000);
  afterAll(() => Promise.all([browser.close(), tpp.close(), bank.stop()]));
  afterEach(() => context.close());

  test.each([
    ['nb-NO', '1234.50', 'Hvem er du?', 'Vil du godkjenne betalingen?', '1 234,50 kr', 'onsdag 24. mars 2027'],
    ['en-GB', '2345.50', 'Who are you?', 'Approve this payment?', '2,345.50 NOK', 'Wed 24 Mar 2027'],
  ])(
    'a payment is approved in the language of the browser: %s',
    async (locale, amount, who, asked, sum, date) => {
      await openBrowser(locale);
      const body = singlePayment({ instructedAmount: { amount, currency: 'NOK' } });
      const { href, status } = await begin(singlePath, body);
      await page.goto(href);
      expect(await heading()).toBe(who);
      await identifyAs(nora);
      expect(await heading()).toBe(asked);
      for (const text of [sum, date]) expect(await shown()).toContain(text);
      expect(await status()).toBe('RCVD');
      await press('approve');
      expect(page.url()).toMatch(/\/back\?psu-id=/);
      expect(await status()).toBe('PDNG');
    },
    60_000,
  );

  test('the language that was chosen stays through a wrong number, Back, reload and the last page', async () => {
    await openBrowser('en-GB');
    const { href } = await begin(singlePath, singlePayment({ instructedAmount: { amount: '3.50', currency: 'NOK' } }));
    await page.goto(href);
    await tabTo('a.language');
    await page.keyboard.press('Enter');
    await page.waitForURL(/lang=nb/);
    expect(await heading()).toBe('Hvem er du?');
    await identifyAs('12345678901');
    expect(await shown()).toContain('Du har 2 forsøk igjen.');
    await identifyAs(nora);
    expect(await heading()).toBe('Vil du godkjenne betalingen?');
    await page.reload();
    expect(await heading()).toBe('Vil du godkjenne betalingen?');
    await page.goBack();
    expect(await heading()).toBe('Hvem er du?');
    await page.goForward();
    await tabTo('a.language');
    await page.keyboard.press('Enter');
    await page.waitForURL(/lang=en/);
    expect(await heading()).toBe('Approve this payment?');
    expect(await context.cookies()).toEqual([]);
  }, 60_000);

  test('A7c: no account chosen is asked once more, and the accounts are chosen after all', async () => {
    await openBrowser('nb-NO');
    const headers = { 'tpp-redirect-uri': `${tpp.address}/back` };
    const offered = await bank.signed('POST', '/v1/bank-offered-consents', { headers });
    await page.goto(offered.body._links.scaRedirect.href);
    await identifyAs(sigrid);
    expect(await heading()).toBe('Hvem representerer du?');
    await tabTo('input[type="radio"]');
    await page.keyboard.press('ArrowDown');
    await press('choose');
    expect(await heading()).toBe('Hvilke kontoer vil du dele?');
    await tabTo('input[type="checkbox"]');
    await page.keyboard.press('Space');
    await press('approve');
    expect(await heading()).toBe('Vil du ikke dele noen konto?');
    expect((await bank.control('GET', '/sandbox/consents')).body.consents).toEqual([]);
    await press('choose');
    expect(await heading()).toBe('Hvilke kontoer vil du dele?');
    await press('approve');
    expect(page.url()).toContain('psu-corporate-id=');
    const { consents } = (await bank.control('GET', '/sandbox/consents')).body;
    expect(consents).toHaveLength(1);
  }, 60_000);

  test('A4c: one of two signers sees who has signed, and rejects the payment for both, once asked again', async () => {
    await openBrowser('en-GB');
    const corporate = { bban: '34330000017', currency: 'NOK' };
    const { href, status } = await begin(singlePath, singlePayment({ debtorAccount: corporate }), {
      psu: sigrid,
      in: 'CORPORATE',
    });
    await page.goto(href);
    await identifyAs(sigrid);
    expect(await shown()).toMatch(
      /One remains after yours\.\s+Sigrid Signerer\s+you, now\s+Tor Signerer\s+can sign too/,
    );
    await press('approve');
    expect(await status()).toBe('PATC');
    const { paymentId } = await paymentOf(bank);
    const again = await bank.signed('POST', `${singlePath}/${paymentId}/authorisations`, {
      headers: { 'tpp-redirect-uri': `${tpp.address}/back` },
    });
    await page.goto(again.body._links.scaRedirect.href);
    await identifyAs(tor);
    expect(await shown()).toMatch(
      /You are the last to sign\.\s+Sigrid Signerer\s+signed Wed 24 Mar 2027, 12:00\s+Tor Signerer\s+you, now/,
    );
    await press('reject');
    expect(await heading()).toBe('Reject this payment?');
    expect(await shown()).toContain('The signature of Sigrid Signerer falls away.');
    expect(await status()).toBe('PATC');
    await press('choose');
    expect(await heading()).toBe('Approve this payment?');
    await press('reject');
    await press('reject');
    expect(page.url()).toMatch(/\/back\?system=sandbank&status=400&code=SCA_INVALID/);
    expect(await status()).toBe('CANC');
  }, 60_000);

  test('all payees of a bulk payment are in a fold', async () => {
    await openBrowser('nb-NO');
    const items = Array.from({ length: 25 }, (_, item) =>
      bulkItem(`${item}.10`, { creditorName: `Mottaker ${item + 1}` }),
    );
    const { href } = await begin(bulkPath, bulkPayment(items));
    await page.goto(href);
    await identifyAs(nora);
    const last = page.getByText('Mottaker 25', { exact: true });
    expect([await shown(), await last.isVisible()]).toEqual([
      expect.stringContaining('25 mottakere, 302,50 kr'),
      false,
    ]);
    await tabTo('summary');
    await page.keyboard.press('Enter');
    expect(await last.isVisible()).toBe(true);
    expect(await page.locator('.payees li').count()).toBe(25);
  }, 60_000);
});

/** The only payment that waits for a signature. */
async function paymentOf(from: TestBank): Promise<{ paymentId: string }> {
  const { payments } = (await from.control('GET', '/sandbox/payments?status=PATC')).body;
  expect(payments).toHaveLength(1);
  return payments[0];
}

describeInBrowser('A2f: Chromium frames the page where the redirect address says so', () => {
  let amount = 0;
  beforeAll(async () => {
    browser = await launchBrowser();
    tpp = await openSite();
    bank = await startTestBank('2027-03-24T12:00:00+01:00');
    context = await browser.newContext();
    page = await context.newPage();
  }, 60_000);
  afterAll(() => Promise.all([browser.close(), tpp.close(), bank.stop()]));

  test.each([
    ['its origin', 'http://shop.localhost', 'http://shop.localhost', true],
    ['another origin', 'http://shop.localhost', 'http://evil.localhost', false],
    ['the own machine, for a page of elsewhere', 'http://shop.localhost', 'http://127.0.0.1', true],
    ['nobody, for an app', 'com.example.app:/cb', 'http://127.0.0.1', false],
  ])(
    '%s',
    async (_who, redirect, framer, isFramed) => {
      const { port } = new URL(tpp.address);
      const redirectUri = redirect.startsWith('http') ? `${redirect}:${port}/back` : redirect;
      const body = singlePayment({
        instructedAmount: { amount: `${(amount += 1)}.00`, currency: 'NOK' },
      });
      const headers = { 'x-psu-identity': nora, 'psu-context': 'PRIVATE', 'tpp-redirect-uri': redirectUri };
      const initiated = await bank.signed('POST', singlePath, { body, headers });
      tpp.show(`<!doctype html><title>TPP</title><iframe src="${initiated.body._links.scaRedirect.href}"></iframe>`);
      const complaints: string[] = [];
      page.on('console', (message) => complaints.push(message.text()));
      await page.goto(`${framer}:${port}/`, { waitUntil: 'load' });
      expect(await page.frameLocator('iframe').locator('#psu').count()).toBe(isFramed ? 1 : 0);
      expect(complaints.some((text) => text.includes('frame-ancestors'))).toBe(!isFramed);
    },
    60_000,
  );
});
