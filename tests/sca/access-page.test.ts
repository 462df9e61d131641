import { beforeAll, expect, test } from '@jest/globals';
import { hashLedger } from '../../engine/bank/change-state.ts';
import { testTppId } from '../../api/signing/test-tpp.ts';
import { testBank } from '../support/test-bank.ts';

/* The page on which a PSU sees who has access (rules.md A7e). */

const psu = '13039319955';
const bank = testBank('2027-03-24T12:00:00+01:00');
let page: string;
beforeAll(async () => {
  await bank.control('POST', '/sandbox/consents', { tpp: testTppId('shop'), psu, accounts: ['09232911044'] });
  page = (await bank.control('GET', `/sandbox/access/${psu}`)).body.address as string;
});

/** What the TPP gets when it reads accounts. */
async function read(): Promise<number> {
  const headers = { 'X-PSU-IDENTITY': psu, 'PSU-Context': 'PRIVATE' };
  return (await fetch(`${bank.address}/sandbox/as/shop/v1/accounts`, { headers })).status;
}

async function pageText(language = 'en'): Promise<string> {
  const answer = await fetch(page, { headers: { 'accept-language': language } });
  expect(answer.status).toBe(200);
  return answer.text();
}

/** Presses the button of the page. */
async function press(change: (form: URLSearchParams) => void = () => undefined): Promise<number> {
  const text = await pageText();
  const valueOf = (pattern: RegExp): string => pattern.exec(text)?.[1] ?? '';
  const form = new URLSearchParams({
    token: valueOf(/name="token" value="([^"]+)"/),
    consent: valueOf(/name="consent" value="([^"]+)"/),
    action: valueOf(/name="action" value="([^"]+)"/),
  });
  change(form);
  const answer = await fetch(page, { method: 'POST', body: form, redirect: 'manual' });
  return answer.status;
}

test('A7e: it shows the TPP, its accounts and until when, in English and in Norwegian', async () => {
  expect(page).toMatch(/\/sca\/access\/\d+\.[\w-]{43}$/);
  const english = await pageText();
  for (const shown of [testTppId('shop'), '09232911044', 'Withdraw access', 'Mon 20 Sep 2027'])
    expect(english).toContain(shown);
  expect(english).not.toContain('74712699947');
  for (const shown of ['Hvem har tilgang til kontoene dine', 'Trekk tilbake tilgangen', 'mandag 20. september 2027'])
    expect(await pageText('nb')).toContain(shown);
});

test('A7e: a withdrawn consent is refused, and holds again when it is given again, without being prolonged', async () => {
  const lastSca = async (): Promise<unknown> =>
    (await bank.control('GET', '/sandbox/consents')).body.consents[0].lastScaAt;
  const before = await lastSca();
  expect(await read()).toBe(200);
  await bank.advance({ by: 'P2D' });
  expect(await press()).toBe(303);
  expect(await read()).toBe(401);
  expect(await pageText()).toContain('Give access again');
  expect(await press()).toBe(303);
  expect(await read()).toBe(200);
  expect(await lastSca()).toBe(before);
});

test('A7e: it shows when the TPP has used it, by bank day, in a restored bank too, and a read changes no hash', async () => {
  const used = (text: string): string => /<dt>Last used<\/dt>\s*<dd>([^<]+)/.exec(text)?.[1]?.trim() ?? '';
  const hash = (): Promise<string> => hashLedger(bank.bank, 'included');
  await bank.control('POST', '/sandbox/consents', { tpp: testTppId('shop'), psu });
  expect(used(await pageText())).toBe('Not yet');
  const before = await hash();
  expect(await read()).toBe(200);
  expect(used(await pageText())).toBe('Fri 26 Mar 2027');
  expect(await hash()).toBe(before);
  await bank.control('POST', '/sandbox/snapshots', { name: 'used' });
  await bank.advance({ by: 'P3D' });
  expect(await read()).toBe(200);
  expect(used(await pageText())).toBe('Mon 29 Mar 2027');
  await bank.control('POST', '/sandbox/snapshots/used/restore', {});
  expect(used(await pageText())).toBe('Fri 26 Mar 2027');
});

test('A7e: under revoked-403 the TPP gets what that bank answers', async () => {
  await bank.quirks({ 'revoked-403': true });
  expect(await press()).toBe(303);
  expect(await read()).toBe(403);
  expect(await press()).toBe(303);
  await bank.quirks({ 'revoked-403': false });
});

test('A7e: a form without the token of the page, and a consent of another PSU, change nothing', async () => {
  const other = await bank.control('POST', '/sandbox/consents', { tpp: testTppId('shop'), psu: '12085592767' });
  expect(await press((form) => form.set('token', 'x'))).toBe(400);
  expect(await press((form) => form.set('consent', other.body.consentId as string))).toBe(404);
  expect(await read()).toBe(200);
});

test('A7e: a consent that a later one follows is not shown, and an unknown page is none', async () => {
  await bank.control('POST', '/sandbox/consents', { tpp: testTppId('shop'), psu, accounts: ['09232911044'] });
  expect((await pageText()).match(/name="consent"/g)).toHaveLength(1);
  expect((await fetch(`${page.slice(0, -1)}!`)).status).toBe(404);
  expect((await bank.control('GET', '/sandbox/access/11111111')).status).toBe(404);
});

test('A7e: a TPP that began an SCA has the name of its certificate, another its id alone', async () => {
  await bank.control('POST', '/sandbox/consents', { tpp: testTppId('lender'), psu });
  expect(await pageText()).toContain(`<h2>${testTppId('lender')}</h2>`);
  await fetch(`${bank.address}/sandbox/as/lender/v1/consents`, { method: 'POST' });
  const text = await pageText();
  expect(text).toContain('<h2>Test-TPP lender</h2>');
  expect(text).toContain(testTppId('lender'));
});

test('A7e: a refused read is no use, and a reset gives the page another address', async () => {
  const used = async (): Promise<string> =>
    /<dt>Last used<\/dt>\s*<dd>([^<]+)/.exec(await pageText())?.[1]?.trim() ?? '';
  await bank.control('POST', '/sandbox/reset', {});
  await bank.control('POST', '/sandbox/consents', { tpp: testTppId('shop'), psu, accounts: ['09232911044'] });
  const old = page;
  page = (await bank.control('GET', `/sandbox/access/${psu}`)).body.address as string;
  expect(page).not.toBe(old);
  expect((await fetch(old)).status).toBe(404);
  const snapshot = '/sandbox/snapshots/page';
  await bank.control('POST', '/sandbox/snapshots', { name: 'page' });
  await bank.control('POST', `${snapshot}/restore`, {});
  expect((await fetch(page)).status).toBe(200);
  const headers = { 'X-PSU-IDENTITY': psu, 'PSU-Context': 'PRIVATE' };
  for (const path of ['/accounts/none', '/accounts/none/balances', '/accounts?colour=red', '/card-accounts/none'])
    expect((await fetch(`${bank.address}/sandbox/as/shop/v1${path}`, { headers })).status).toBeGreaterThanOrEqual(400);
  expect(await used()).toBe('Not yet');
  expect(await read()).toBe(200);
  expect(await used()).not.toBe('Not yet');
});
