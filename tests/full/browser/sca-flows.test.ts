import { afterEach, expect, test } from '@jest/globals';
import type { BrowserContext, Page } from 'playwright-core';
import { singlePath, singlePayment } from '../../lab/bodies.ts';
import { describeInBrowser, openSite, testBrowser } from '../../support/browser.ts';
import { forAll, testBank } from '../../support/test-bank.ts';

const nora = '13039319955';
const browser = testBrowser();
const bank = testBank('2027-03-24T12:00:00+01:00');
const tpp = forAll(openSite, (site) => site.close());
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

async function begin(amount: string): Promise<Begun> {
  const headers = { 'x-psu-identity': nora, 'psu-context': 'PRIVATE', 'tpp-redirect-uri': `${tpp.address}/back` };
  const body = singlePayment({ instructedAmount: { amount, currency: 'NOK' } });
  const initiated = await bank.signed('POST', singlePath, { body, headers });
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
  afterEach(() => context.close());

  test.each([
    ['nb-NO', '1234.50', 'Hvem er du?', 'Vil du godkjenne betalingen?', '1 234,50 kr', 'onsdag 24. mars 2027'],
    ['en-GB', '2345.50', 'Who are you?', 'Approve this payment?', '2,345.50 NOK', 'Wed 24 Mar 2027'],
  ])(
    'a payment is approved in the language of the browser: %s',
    async (locale, amount, who, asked, sum, date) => {
      await openBrowser(locale);
      const { href, status } = await begin(amount);
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
    const { href } = await begin('3.50');
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
});

describeInBrowser('A2f: Chromium frames the page where the redirect address says so', () => {
  let amount = 0;
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
      await using framing = await browser.newPage();
      const complaints: string[] = [];
      framing.on('console', (message) => complaints.push(message.text()));
      await framing.goto(`${framer}:${port}/`, { waitUntil: 'load' });
      expect(await framing.frameLocator('iframe').locator('#psu').count()).toBe(isFramed ? 1 : 0);
      expect(complaints.some((text) => text.includes('frame-ancestors'))).toBe(!isFramed);
    },
    60_000,
  );
});
