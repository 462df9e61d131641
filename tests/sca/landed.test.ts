import { get } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import { withFlow } from '../../api/sca/landed.ts';
import { startTestBank, type TestBank } from '../lab/server.ts';
import { singlePath, singlePayment } from '../lab/bodies.ts';
import { read } from './pages.ts';
import { testBank } from '../support/test-bank.ts';

const token = 'a-token-of-twenty-characters';
const bank = testBank('2027-03-24T12:00:00+01:00', ['--control-token', token]);

async function landedAt(query: string, { base = '', ...init }: RequestInit & { readonly base?: string } = {}) {
  const response = await fetch(`${bank.address}${base}/sandbox/landed${query}`, init);
  const text = await response.text();
  return { response, text, shown: read(text) };
}

/** The status for a Host, which fetch cannot set. */
function statusFor(host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const options = { headers: { host }, agent: false };
    get(`${bank.address}/sandbox/landed?psu-id=1`, options, ({ statusCode }) => resolve(statusCode)).on(
      'error',
      reject,
    );
  });
}

describe('A2i: where a PSU lands whose TPP has no page', () => {
  test('after an approval the page says what came back, without a control token', async () => {
    const { response, text, shown } = await landedAt('?state=7&psu-id=4eba4445&tpp-session-id=mine&context=PRIVATE');
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(text).toContain('<h1>Approved</h1>');
    for (const part of [
      'state 7 A parameter of your own address',
      'psu-id 4eba4445 The id of this person for your TPP. Send it as PSU-ID',
      'tpp-session-id mine The TPP-Session-ID',
      'context PRIVATE For whom',
    ]) {
      expect(shown).toContain(part);
    }
  });

  test.each([
    ['SCA_INVALID', 'SCA_INVALID : The person said no, or the link was used before.'],
    ['FORBIDDEN', 'FORBIDDEN : The person may not pay from this account.'],
    ['SYSTEM_ERROR', 'SYSTEM_ERROR : The list of errors explains this code.'],
    ['NO_SUCH', 'NO_SUCH : the bank has no such code.'],
    ['constructor', 'constructor : the bank has no such code.'],
  ])('after a refusal it says what the code means and what to do: %s', async (code, advice) => {
    const { text, shown } = await landedAt(`?system=sandbank&status=400&code=${code}&message=Cancelled+by+the+PSU.`);
    expect(text).toContain('<h1>Not approved</h1>');
    expect(shown).toContain(advice);
    expect(shown).toContain('message Cancelled by the PSU. The explanation of the bank.');
  });

  test('without parameters it says that there are none', async () => {
    expect((await landedAt('')).text).toContain('<h1>Nothing came back</h1>');
    expect((await landedAt('/?')).text).toContain('<h1>Nothing came back</h1>');
  });

  test('it is in the language of the SCA pages, and says first what a TPP keeps', async () => {
    const { text, shown } = await landedAt('?context=PRIVATE&psu-id=4eba4445&tpp-session-id=mine&lang=nb');
    expect(text).toContain('<html lang="nb">');
    expect(text).toContain('<h1>Godkjent</h1>');
    expect(shown).toMatch(
      /Dette bør TPP-en ta vare på psu-id 4eba4445 .* tpp-session-id mine .* Annet som kom .* context PRIVATE/,
    );
    // Our own parameter did not come from the bank.
    expect(shown).not.toContain('lang nb');
    const { text: refused } = await landedAt('?code=FORBIDDEN', { headers: { 'accept-language': 'nb' } });
    expect(refused).toContain('<h1>Ikke godkjent</h1>');
    expect(refused).toContain('Personen kan ikke betale fra denne kontoen.');
    expect(refused).not.toContain('The PSU');
  });

  test('what came back is never markup: names, values, codes', async () => {
    const hostile = `"><script>hit=1</script><img src=x onerror=hit=1>'`;
    const odd = encodeURIComponent(hostile);
    for (const query of [`?${odd}=${odd}`, `?code=${odd}`, `?psu-id=${odd}`, '?%ff=%00', '?__proto__=x', '?a&a&=&&']) {
      const { response, text } = await landedAt(query);
      expect(response.status).toBe(200);
      expect(text).not.toMatch(/<script|<img/);
      expect(text).not.toContain('undefined');
    }
    expect((await landedAt(`?${odd}=${odd}`)).shown).toContain('&quot;&gt;&lt;script&gt;');
  });

  test('it loads nothing, nobody frames it, and 15 KB of parameters are a short page', async () => {
    const { response, text } = await landedAt(`?${'a&'.repeat(7_000)}`);
    expect(response.headers.get('content-security-policy')).toMatch(
      /^default-src 'none';base-uri 'none';style-src 'sha256-[^']+';frame-ancestors 'none'$/,
    );
    expect([response.headers.get('x-frame-options'), response.headers.get('cache-control')]).toEqual([
      'DENY',
      'no-store',
    ]);
    expect(text.length).toBeLessThan(30_000);
  });

  test('A2d: like all pages it answers to the own hosts and origins only', async () => {
    const evil = { headers: { origin: 'https://evil.example' } };
    const refused = await landedAt('?psu-id=1', evil);
    expect([refused.response.status, refused.text.includes('psu-id')]).toEqual([403, false]);
    expect([await statusFor('evil.example'), await statusFor('localhost')]).toEqual([403, 200]);
  });

  test.each(['POST', 'PUT', 'DELETE'])('%s is no way to land: 405', async (method) => {
    expect((await landedAt('', { method })).response.status).toBe(405);
  });

  test('a named bank has its own, and the rest of the control plane asks for the token as before', async () => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    await fetch(`${bank.address}/sandbox/banks`, { method: 'POST', headers, body: '{"name":"demo"}' });
    const { response, text } = await landedAt('?psu-id=1', { base: '/banks/demo' });
    expect([response.status, text.includes('href="/banks/demo/docs/errors"')]).toEqual([200, true]);
    expect((await fetch(`${bank.address}/banks/demo/docs/errors`)).status).toBe(200);
    expect((await fetch(`${bank.address}/sandbox/info`)).status).toBe(401);
    expect((await fetch(`${bank.address}/sandbox/landed/x`)).status).toBe(401);
  });
});

describe('what signs for somebody without a page names it as TPP-Redirect-URI', () => {
  test.each(['', '/banks/own'])('the unsigned door of %s: the way of a browser ends on it', async (base) => {
    const control = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    await fetch(`${bank.address}/sandbox/banks`, { method: 'POST', headers: control, body: '{"name":"own"}' });
    const offered = await fetch(`${bank.address}${base}/sandbox/as/me/v1/bank-offered-consents`, {
      method: 'POST',
      headers: control,
    });
    const { _links: links } = (await offered.json()) as { _links: { scaRedirect: { href: string } } };
    const page = await (await fetch(links.scaRedirect.href)).text();
    const [, sca = ''] = /\/sca\/([\w-]+)/.exec(links.scaRedirect.href) ?? [];
    const { shown } = await landedAt(`?code=SCA_INVALID&sca=${sca}`, { base });
    expect(shown).toContain('To try again, ask for the consent once more.');
    const [, form = ''] = /name="token" value="([^"]*)"/.exec(page) ?? [];
    const ended = await fetch(links.scaRedirect.href, {
      method: 'POST',
      body: new URLSearchParams({ token: form, action: 'cancel' }),
    });
    expect([ended.status, ended.url.startsWith(`${bank.address}${base}/sandbox/landed?system=sandbank`)]).toEqual([
      200,
      true,
    ]);
    expect(await ended.text()).toContain('<h1>Not approved</h1>');
  });
});

describe('after the pages of an SCA', () => {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };

  /** Cancels the SCA of a new payment on its page, in Norwegian; where it lands. */
  async function cancelled(own: TestBank, door: Record<string, string>, cookie = ''): Promise<Response> {
    const paid = await fetch(
      `${own.address}/sandbox/as/shop/v1/payments/norwegian-domestic-credit-transfers?allowLogicalDuplicate=true`,
      {
        method: 'POST',
        headers: {
          ...door,
          'content-type': 'application/json',
          'x-psu-identity': '13039319955',
          'psu-context': 'PRIVATE',
        },
        body: JSON.stringify({
          instructedAmount: { amount: '1.00', currency: 'NOK' },
          debtorAccount: { bban: '09232911044', currency: 'NOK' },
          creditorAccount: { bban: '90491105991', currency: 'NOK' },
          creditorName: 'Company 123',
        }),
      },
    );
    const { _links: links } = (await paid.json()) as { _links: { scaRedirect: { href: string } } };
    const address = `${links.scaRedirect.href}?lang=nb`;
    const [, form = ''] = /name="token" value="([^"]*)"/.exec(await (await fetch(address)).text()) ?? [];
    const body = new URLSearchParams({ token: form, action: 'cancel' });
    const ended = await fetch(address, { method: 'POST', body, redirect: 'manual' });
    return fetch(ended.headers.get('location') ?? '', { headers: { cookie } });
  }

  test('a browser that may use the console gets a link to the payment there, in the language of the pages', async () => {
    await using open = await startTestBank('2027-03-24T12:00:00+01:00');
    const page = await (await cancelled(open, {})).text();
    expect(page).toContain('<h1>Ikke godkjent</h1>');
    const [, link = ''] = /href="([^"]*)">Se betalingen i konsollen</.exec(page) ?? [];
    expect((await fetch(new URL(link, open.address))).status).toBe(200);
  });

  test('after the other kinds of SCA too, and the guide is linked', async () => {
    await using open = await startTestBank('2027-03-24T12:00:00+01:00');
    const back = { 'tpp-redirect-uri': `${open.address}/sandbox/landed` };
    const psu = { 'x-psu-identity': '13039319955', 'psu-context': 'PRIVATE' };
    const scaOf = ({ body }: { body: { _links: { scaRedirect: { href: string } } } }): string =>
      body._links.scaRedirect.href.split('/').at(-1) ?? '';
    const made = await open.signed('POST', singlePath, { headers: { ...psu, ...back }, body: singlePayment() });
    const basket = await open.signed('POST', '/v1/signing-baskets', {
      headers: { ...psu, ...back },
      body: { paymentIds: [made.body.paymentId] },
    });
    const signing = await open.signed('POST', basket.body._links.startAuthorisation.href, { headers: back });
    const consent = await open.signed('POST', '/v1/bank-offered-consents', { headers: back });
    const identity = await open.signed('GET', '/v1/users', { headers: back });
    for (const [words, view, answer] of [
      ['See the payment in the console', `/console/payments/${encodeURIComponent(made.body.paymentId)}`, made],
      ['See the payments in the console', '/console/payments', signing],
      ['See the consents in the console', '/console/consents', consent],
      ['See the people of the bank in the console', '/console/people', identity],
    ] as const) {
      const page = await (await fetch(`${open.address}/sandbox/landed?psu-id=1&sca=${scaOf(answer)}`)).text();
      expect([words, new RegExp(`href="([^"]*)">${words}<`).exec(page)?.[1]]).toEqual([words, view]);
      expect((await fetch(open.address + view)).status).toBe(200);
      expect(page).toContain('<a href="/docs/first-payment">guide</a>');
    }
  });

  test('without a session in the console of a server with a control token there is no link, with one there is', async () => {
    expect(await (await cancelled(bank, headers)).text()).not.toContain('/console/');
    const session = await fetch(`${bank.address}/console/session`, {
      method: 'POST',
      body: new URLSearchParams({ 'control-token': token }),
      redirect: 'manual',
    });
    const [cookie = ''] = (session.headers.get('set-cookie') ?? '').split(';');
    expect(await (await cancelled(bank, headers, cookie)).text()).toContain('/console/payments/');
  });

  test('the page of a TPP gets no parameter of ours', () => {
    const shown = { language: 'nb', chosen: 'nb', other: null } as const;
    const request = { baseUrl: '/sca', headers: { host: 'localhost:7263' }, params: { scaId: 'x' } } as never;
    for (const address of ['https://tpp.example/sandbox/landed?a=1', 'http://localhost:7263/mine', 'app://back'])
      expect(withFlow(address, request, shown)).toBe(address);
    const own = 'http://localhost:7263/sandbox/landed?a=1';
    expect(withFlow(own, request, shown)).toBe(`${own}&sca=x&lang=nb`);
  });
});
