import { describe, expect, test } from '@jest/globals';
import { singlePath, singlePayment } from '../lab/bodies.ts';
import { kept, listed } from '../support/journal.ts';
import { testBank } from '../support/test-bank.ts';

/* docs/spec/control-plane.md, GET /sandbox/requests: the journal masks identity numbers. */

const psu = { 'x-psu-identity': '13039319955', 'psu-context': 'PRIVATE' };
const bank = testBank('2027-03-24T12:00:00+01:00');

describe('J3: identity numbers are nowhere in the journal', () => {
  const nora = '13039319955';

  test.each<[string, () => Promise<unknown>]>([
    ['the path', () => bank.signed('GET', `/v1/sandbox/customers/${nora}`)],
    ['the query', () => bank.raw('GET', `/v1/sandbox/accounts?customerNumber=${nora}`)],
    ['any header', () => bank.raw('GET', '/v1/accounts', { 'x-note': `for ${nora}`, 'psu-id': nora })],
    ['its header', () => bank.signed('GET', '/v1/accounts', { headers: { ...psu, 'x-psu-identity': nora } })],
    ['the request id', () => bank.raw('GET', '/v1/accounts', { 'x-request-id': nora })],
    ['a body', () => bank.signed('POST', singlePath, { headers: psu, body: singlePayment({ creditorName: nora }) })],
    ['a body as a number', () => bank.raw('POST', singlePath, {}, Buffer.from(`{"a":${nora}}`))],
    ['a body that is no text', () => bank.raw('POST', singlePath, {}, Buffer.from(`\xff\xfe${nora}`, 'latin1'))],
    ['an answer', () => bank.signed('GET', '/v1/sandbox/customers')],
    ['a signed header', () => bank.signed('GET', '/v1/accounts', { headers: { ...psu, 'psu-corporate-id': nora } })],
  ])('in %s', async (_where, send) => {
    const before = (await listed(bank)).length;
    await send();
    const entries = await listed(bank, '?limit=1');
    const [{ requestId }] = entries;
    const all = JSON.stringify([entries, await kept(bank, requestId)]);
    expect((await listed(bank)).length).toBe(before + 1);
    expect(all).not.toContain(nora);
    expect(all).toContain('*****');
  });
});
