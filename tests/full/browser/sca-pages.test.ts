import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { BrowserContext, Page } from 'playwright-core';
import { singlePath, singlePayment } from '../../lab/bodies.ts';
import { describeInBrowser, openSite, type Site, testBrowser } from '../../support/browser.ts';
import { testBank } from '../../support/test-bank.ts';

const nora = '13039319955';
const browser = testBrowser();
const bank = testBank('2027-03-24T12:00:00+01:00');
let tpp: Site;
let context: BrowserContext;
let page: Page;
let amount = 0;

interface Begun {
  readonly href: string;
  readonly status: () => Promise<string>;
}

/** A payment of a TPP that takes its PSUs back at the other site. */
async function begin(base = ''): Promise<Begun> {
  amount += 1;
  const body = singlePayment({ instructedAmount: { amount: `${amount}.50`, currency: 'NOK' } });
  const psu = { 'x-psu-identity': nora, 'psu-context': 'PRIVATE', 'tpp-redirect-uri': `${tpp.address}/back?state=7` };
  const initiated = await bank.signed('POST', base + singlePath, { body, headers: psu });
  const { paymentId, _links: links } = initiated.body;
  const path = `${base}/sandbox/payments/${encodeURIComponent(paymentId)}`;
  return { href: links.scaRedirect.href, status: async () => (await bank.control('GET', path)).body.status };
}

const heading = (on: Page | ReturnType<Page['frameLocator']> = page) => on.locator('h1').innerText();
const submit = (name: string) => page.getByRole('button', { name, exact: true }).click();

async function identifyAs(psu: string): Promise<void> {
  await page.getByLabel('National identity number').fill(psu);
  await submit('Continue');
}

async function openPageOf(javaScriptEnabled = true): Promise<void> {
  context = await browser.newContext({ javaScriptEnabled, viewport: { width: 320, height: 640 } });
  page = await context.newPage();
  page.setDefaultTimeout(10_000);
}

describeInBrowser('the SCA pages in Chromium', () => {
  beforeAll(async () => {
    tpp = await openSite();
    await bank.control('POST', '/sandbox/banks', { name: 'demo', now: '2027-03-24T12:00:00+01:00' });
  }, 60_000);
  afterAll(() => tpp.close());
  beforeEach(() => openPageOf());
  afterEach(() => context.close());

  test.each([
    ['with JavaScript', true, ''],
    ['without JavaScript', false, ''],
    ['of a named bank', false, '/banks/demo'],
  ])(
    'A2c: twice a wrong number, then the right one, Back, reload, approve (%s)',
    async (_how, javaScriptEnabled, base) => {
      await context.close();
      await openPageOf(javaScriptEnabled);
      const { href, status } = await begin(base);
      await page.goto(href);
      expect(await heading()).toBe('Who are you?');
      await identifyAs('12345678901');
      expect(await page.getByRole('alert').innerText()).toContain('2 more tries are left.');
      await identifyAs('12085592767');
      expect(await page.getByRole('alert').innerText()).toContain('One more try is left.');
      const asked = page.url();
      await identifyAs(nora);
      expect(await heading()).toBe('Approve this payment?');
      const approving = page.url();
      await page.reload();
      expect([page.url(), await heading()]).toEqual([approving, 'Approve this payment?']);
      await page.goBack();
      expect([page.url(), await heading()]).toEqual([asked, 'Who are you?']);
      await page.goForward();
      expect([page.url(), await heading()]).toEqual([approving, 'Approve this payment?']);
      expect(await status()).toBe('RCVD');
      expect(await context.cookies()).toEqual([]);
      await submit('Approve');
      expect(page.url()).toMatch(/\/back\?state=7&psu-id=[0-9a-f-]{36}&tpp-session-id=session-1&context=PRIVATE$/);
      expect(await status()).toBe('PDNG');
      // Chromium changes the process of the page between two sites: page.goBack() may find it without one.
      // The page that is asked may be gone before it answers.
      await page.evaluate('history.back()').catch(() => undefined);
      await page.waitForURL(approving);
      expect(await heading()).toBe('This link was already used');
    },
    60_000,
  );

  test('a person to try is chosen by one button, and Enter approves what is shown', async () => {
    const { href, status } = await begin();
    await page.goto(href);
    await page.locator(`button[value="${nora}"]`).click();
    expect(await heading()).toBe('Approve this payment?');
    await page.getByRole('button', { name: 'Approve', exact: true }).press('Enter');
    await page.waitForURL(/psu-id=/);
    expect(await status()).toBe('PDNG');
  }, 60_000);

  test('A7c: a consent goes by the context to the accounts; to tick none is asked once more, and Back and reload work', async () => {
    const offered = await bank.signed('POST', '/v1/bank-offered-consents', {
      headers: { 'tpp-redirect-uri': `${tpp.address}/back` },
    });
    await page.goto(offered.body._links.scaRedirect.href);
    await identifyAs('17818050100');
    expect(await heading()).toBe('Who do you act for?');
    await page.getByLabel('To Nøkler AS').check();
    await submit('Continue');
    expect(await heading()).toBe('Which accounts do you share?');
    await page.getByRole('checkbox').uncheck();
    await submit('Approve');
    expect(await heading()).toBe('Share no account?');
    const asked = page.url();
    await page.reload();
    expect([page.url(), await heading()]).toEqual([asked, 'Share no account?']);
    await page.goBack();
    expect(await heading()).toBe('Which accounts do you share?');
    await page.goForward();
    expect([page.url(), await heading()]).toEqual([asked, 'Share no account?']);
    await submit('Choose accounts');
    expect(await heading()).toBe('Which accounts do you share?');
    await page.getByRole('checkbox').uncheck();
    await submit('Approve');
    await submit('Share no account');
    expect(page.url()).toContain('psu-corporate-id=');
    const { consents } = (await bank.control('GET', '/sandbox/consents')).body;
    expect(consents).toEqual([]);
  }, 60_000);

  test('A2d: the own form says its Origin, and no address leaves the site', async () => {
    const { href } = await begin();
    const sent: { method: string; url: string; origin?: string; referer?: string }[] = [];
    page.on('request', (request) => {
      const { origin, referer } = request.headers();
      sent.push({
        method: request.method(),
        url: request.url(),
        ...(origin && { origin }),
        ...(referer && { referer }),
      });
    });
    await page.goto(href);
    await identifyAs(nora);
    await submit('Approve');
    const posts = sent.filter(({ method }) => method === 'POST');
    expect(posts.map(({ origin }) => origin)).toEqual([new URL(href).origin, new URL(href).origin]);
    const away = sent.find(({ url }) => url.startsWith(tpp.address));
    expect([away?.method, away?.referer ?? null]).toEqual(['GET', null]);
    expect(sent.map(({ url }) => url).filter((url) => url.includes(nora))).toEqual([]);
  }, 60_000);

  test('A2d: a form of another site, on another port of the same machine, approves nothing', async () => {
    const { href, status } = await begin();
    await page.goto(href);
    await identifyAs(nora);
    const [step, token] = [page.url(), await page.locator('input[name="token"]').first().inputValue()];
    const fields = '<input name="action" value="approve"><input name="token" value="TOKEN"><button>Win</button>';
    for (const [action, value] of [
      [href, ''],
      [step, ''],
      // Even one that has got hold of the token.
      [step, token],
    ] as const) {
      tpp.show(`<!doctype html><form method="post" action="${action}">${fields.replace('TOKEN', value)}</form>`);
      await page.goto(tpp.address);
      const [answered] = await Promise.all([page.waitForResponse(action), page.getByRole('button').click()]);
      expect([answered.status(), await heading()]).toEqual([403, 'The bank did not take this']);
      expect(await page.locator('main').innerText()).toContain('another origin');
      expect(await status()).toBe('RCVD');
    }
    await page.getByRole('link', { name: 'Open the page of the bank' }).click();
    expect([page.url(), await heading()]).toEqual([`${href}?`, 'Who are you?']);
    await identifyAs(nora);
    await submit('Approve');
    expect(await status()).toBe('PDNG');
  }, 60_000);

  test('interface, PSU identification 2: in a frame of the TPP the page works as it does alone', async () => {
    const { href, status } = await begin();
    tpp.show(`<!doctype html><title>TPP</title><iframe src="${href}" width="300" height="600"></iframe>`);
    await page.goto(tpp.address);
    const frame = page.frameLocator('iframe');
    await frame.getByRole('button', { name: 'Continue' }).click();
    await frame.getByRole('heading', { name: 'Approve this payment?' }).waitFor();
    tpp.show('<!doctype html><h1>Thanks</h1>');
    await frame.getByRole('button', { name: 'Approve', exact: true }).click();
    await frame.getByRole('heading', { name: 'Thanks' }).waitFor();
    expect(await status()).toBe('PDNG');
  }, 60_000);
});
