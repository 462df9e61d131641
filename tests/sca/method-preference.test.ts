import { expect, test } from '@jest/globals';
import { singlePath, singlePayment } from '../lab/bodies.ts';
import { answer, openPage, read } from './pages.ts';
import { testBank } from '../support/test-bank.ts';

const nora = '13039319955';
const psu = { 'x-psu-identity': nora, 'psu-context': 'PRIVATE' };
const bank = testBank('2027-03-24T12:00:00+01:00');

/** The address of the SCA page of a new payment, and what stands on the page. */
async function begin(amount: string, preference: Record<string, string>): Promise<{ href: string; text: string }> {
  const body = singlePayment({ instructedAmount: { amount, currency: 'NOK' } });
  const answer = await bank.signed('POST', singlePath, { body, headers: { ...psu, ...preference } });
  const href = answer.body._links.scaRedirect.href;
  return { href, text: read(await (await fetch(href)).text()) };
}

test.each([
  ['1.00', 'HA2'],
  ['2.00', 'ENGANGSKODEAPP_BIOMETRI'],
  ['3.00', 'BANKID'],
  ['4.00', 'IDPORTEN_MOBILE'],
])(
  'interface, Versioning 7: A10: X-PSU-AuthMethod-Preferred leads to the page of its method (%s: %s)',
  async (amount, method) => {
    const { href, text } = await begin(amount, { 'x-psu-authmethod-preferred': method });
    expect(text).toContain(`Method: ${method}`);
    // As scripts cut it off the address, the method with it.
    const id = href.split('/').at(-1) ?? '';
    const signed = await bank.control('POST', `/sandbox/sca/${id}`, {
      outcome: 'approve',
      psu: nora,
      context: 'PRIVATE',
    });
    expect(signed).toMatchObject({ status: 200, body: { redirect: expect.stringContaining('context=PRIVATE') } });
  },
);

test('A10: a page that is shown again with a problem keeps its method', async () => {
  const { href } = await begin('11.00', { 'x-psu-authmethod-preferred': 'HA2' });
  const again = await answer(await openPage(href), { action: 'identify', psu: '123' });
  expect([again.status, read(await again.text())]).toEqual([200, expect.stringContaining('Method: HA2')]);
});

test('interface, PSU identification 5: A10: TPP-Redirect-Preferred: false leads to the page of the biometric method, also of a refusal', async () => {
  const preference = { 'tpp-redirect-preferred': 'false' };
  expect((await begin('5.00', preference)).text).toContain('Method: ENGANGSKODEAPP_BIOMETRI');
  const refused = await bank.signed('GET', '/v1/accounts', { headers: preference });
  expect(refused.body._links.scaRedirect.href).toMatch(/\/sca\/[\w-]{32}\?method=ENGANGSKODEAPP_BIOMETRI$/);
  const both = { ...preference, 'x-psu-authmethod-preferred': 'HA2' };
  expect((await begin('6.00', both)).text).toContain('Method: HA2');
});

test.each([
  ['7.00', { 'x-psu-authmethod-preferred': 'PIGEON' }],
  ['8.00', { 'x-psu-authmethod-preferred': '<b>ID' }],
  ['9.00', { 'tpp-redirect-preferred': 'true' }],
  ['10.00', {}],
])('A10: a method that the bank does not know is ignored, and none is none: %s %j', async (amount, preference) => {
  const { href, text } = await begin(amount, preference);
  expect(href).not.toContain('?');
  expect(text).not.toContain('Method');
  const page = await (await fetch(`${href}?method=${encodeURIComponent('<b>ID')}`)).text();
  expect(read(page)).not.toContain('Method');
});
