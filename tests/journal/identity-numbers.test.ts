import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { singlePath, singlePayment } from '../lab/bodies.ts';
import { kept, listed } from '../support/journal.ts';
import { startTestBank, type TestBank } from '../lab/server.ts';

/* docs/spec/control-plane.md, GET /sandbox/requests: the journal masks identity numbers. */

const psu = { 'x-psu-identity': '13039319955', 'psu-context': 'PRIVATE' };
let bank: TestBank;
beforeAll(async () => {
  bank = await startTestBank('2027-03-24T12:00:00+01:00');
});
afterAll(() => bank.stop());

describe('identity numbers are nowhere in the journal', () => {
  const nora = '13039319955';
  // Its check digits are wrong: it is known by where it stands.
  const invented = '12345678901';

  test.each<[string, () => Promise<unknown>]>([
    ['the path', () => bank.signed('GET', `/v1/sandbox/customers/${nora}`)],
    ['the path, encoded', () => bank.raw('GET', `/v1/sandbox/customers/%313039319955`)],
    ['the query', () => bank.raw('GET', `/v1/sandbox/accounts?customerNumber=${nora}`)],
    ['any header', () => bank.raw('GET', '/v1/accounts', { 'x-note': `for ${nora}`, 'psu-id': nora })],
    ['its header', () => bank.signed('GET', '/v1/accounts', { headers: { ...psu, 'x-psu-identity': nora } })],
    ['its header, wrongly spelled', () => bank.raw('GET', '/v1/accounts', { 'x-psu-identity': '130393 19955' })],
    ['the request id', () => bank.raw('GET', '/v1/accounts', { 'x-request-id': nora })],
    ['a body', () => bank.signed('POST', singlePath, { headers: psu, body: singlePayment({ creditorName: nora }) })],
    ['a body as JSON escapes', () => bank.raw('POST', singlePath, {}, Buffer.from('{"a":"\\u00313039319955"}'))],
    ['a body as a number', () => bank.raw('POST', singlePath, {}, Buffer.from(`{"a":${nora}}`))],
    ['a body in UTF-16', () => bank.raw('POST', singlePath, {}, Buffer.from(nora, 'utf16le'))],
    ['a body that is no text', () => bank.raw('POST', singlePath, {}, Buffer.from(`\xff\xfe${nora}`, 'latin1'))],
    ['an answer', () => bank.signed('GET', '/v1/sandbox/customers')],
    ['a signed header', () => bank.signed('GET', '/v1/accounts', { headers: { ...psu, 'psu-corporate-id': nora } })],
    [
      'a customer of invented digits',
      () =>
        bank.signed('POST', '/v1/sandbox/customers', {
          body: { customerNumber: invented, name: 'x', type: 'private' },
        }),
    ],
    [
      'a header of invented digits',
      () => bank.raw('GET', '/v1/accounts', { 'x-psu-identity': invented, 'x-note': invented }),
    ],
  ])('in %s', async (_where, send) => {
    const before = (await listed(bank)).length;
    await send();
    const entries = await listed(bank, '?limit=1');
    const [{ requestId }] = entries;
    const all = JSON.stringify([entries, await kept(bank, requestId)]).replaceAll('\\u0000', '');
    expect((await listed(bank)).length).toBe(before + 1);
    for (const number of [nora, invented, '130393 19955', '3039319955']) expect(all).not.toContain(number);
    expect(all).toContain('*****');
  });
});
