import { describe, expect, test } from '@jest/globals';
import { bulkItem, bulkPath, bulkPayment, singlePath, singlePayment } from '../lab/bodies.ts';
import { answer, openPage } from '../sca/pages.ts';
import { accounts, inspected, linesOf, paid, sepaPayment } from '../lab/products.ts';
import { testBankForEach } from '../support/test-bank.ts';

const bank = testBankForEach('2027-03-24T12:00:00+01:00');

const day = '2027-04-15';
const nok = (amount: string) => ({ amount, currency: 'NOK' });
const toEven = (amount: string): object =>
  singlePayment({
    instructedAmount: nok(amount),
    creditorAccount: { bban: '74712699947', currency: 'NOK' },
    requestedExecutionDate: day,
  });
const change = (id: string, body: object) => bank.control('PATCH', `/sandbox/payments/${id}`, body);

/** The headers of a PSU who has opened its accounts to the TPP. */
/** The balance of that type of an account, as its PSU's TPP reads it. */
async function balance(headers: Record<string, string>, bban: string, type: string): Promise<string> {
  const { body } = await bank.signed('GET', '/v1/accounts?withBalance=true', { headers });
  const account = body.accounts.find((each: { bban: string }) => each.bban === bban);
  return account.balances.find((each: { balanceType: string }) => each.balanceType === type).balanceAmount.amount;
}

describe('P14: a changed amount is the amount everywhere', () => {
  test('expected balances of both sides on the day, the settlement, both transactions, the funds that are needed', async () => {
    const id = await paid(bank, 'domestic', toEven('100.00'));
    expect((await change(id, { amount: nok('250.50') })).status).toBe(200);
    await bank.control('PUT', '/sandbox/clock', { now: `${day}T04:00:00+02:00` });
    const [payer, payee] = [await bank.consents('13039319955'), await bank.consents('12085592767')];
    expect(await balance(payer, '09232911044', 'expected')).toBe('17749.50');
    expect(await balance(payee, '74712699947', 'expected')).toBe('16046.50');
    await bank.advance({ runs: 2 });
    const seen = await inspected(bank, id);
    expect(seen.attempts).toMatchObject([{ needed: nok('250.50'), outcome: 'settle' }]);
    expect(await linesOf(bank, id)).toEqual(['-250.50 NOK Totalkonto', '250.50 NOK Totalkonto']);
    for (const [headers, bban, left] of [
      [payer, '09232911044', '17749.50'],
      [payee, '74712699947', '16046.50'],
    ] as const) {
      expect(await balance(headers, bban, 'interimBooked')).toBe(left);
    }
    expect((await bank.control('GET', '/sandbox/ledger/proof')).body.ok).toBe(true);
  });

  test('a raised amount is judged by the funds, and rejected after five attempts', async () => {
    const id = await paid(bank, 'domestic', toEven('100.00'));
    await change(id, { amount: nok('18000.01') });
    await bank.advance({ to: '2027-04-16' });
    const { status, attempts, initiation } = await inspected(bank, id);
    expect([status, attempts.length, attempts[0].needed.amount]).toEqual(['RJCT', 5, '18000.01']);
    expect(initiation.instructedAmount).toEqual(nok('18000.01'));
    expect((await bank.signed('GET', `${singlePath}/${id}`)).body.instructedAmount).toEqual(nok('18000.01'));
  });

  test('the PSU who signs its cancellation sees it', async () => {
    const id = await paid(bank, 'domestic', toEven('100.00'));
    await change(id, { amount: nok('250.50') });
    const headers = { 'x-psu-identity': '13039319955' };
    await bank.signed('DELETE', `${singlePath}/${id}`, { headers });
    const started = await bank.signed('POST', `${singlePath}/${id}/cancellation-authorisations`, { headers });
    const first = await openPage(started.body._links.scaRedirect.href);
    const page = await answer(first, { action: 'identify', psu: '13039319955' });
    const text = await page.text();
    expect(text).toContain('250.50');
    expect(text).not.toContain('100,00');
  });
});

describe('P14: what has no amount of its own, or was priced already, keeps it', () => {
  test('a bulk payment: SERVICE_INVALID, and its items stay', async () => {
    const headers = { 'x-psu-identity': '13039319955', 'psu-context': 'PRIVATE' };
    const body = bulkPayment([bulkItem('10.00'), bulkItem('11.00')], { requestedExecutionDate: day });
    const made = await bank.signed('POST', bulkPath, { headers, body });
    await bank.approve(made.body);
    const id = made.body.paymentId;
    const refused = await change(id, { amount: nok('12.00') });
    expect(refused).toMatchObject({ status: 400, body: { code: 'SERVICE_INVALID', errors: [{ path: 'amount' }] } });
    expect((await change(id, { requestedExecutionDate: '2027-04-19' })).status).toBe(200);
    await bank.advance({ to: '2027-04-20' });
    const seen = await inspected(bank, id);
    expect(seen.initiation.payments).toEqual([bulkItem('10.00'), bulkItem('11.00')]);
    expect([seen.status, seen.executionDate]).toEqual(['ACSC', '2027-04-19']);
  });

  test('a foreign payment: SERVICE_INVALID; on another day it costs what was signed', async () => {
    const body = sepaPayment({ requestedExecutionDate: day, debtorAccount: accounts.noraNok });
    const id = await paid(bank, 'sepa', body);
    const refused = await change(id, { amount: { amount: '50.00', currency: 'EUR' } });
    expect(refused).toMatchObject({ status: 400, body: { code: 'SERVICE_INVALID' } });
    expect((await change(id, { requestedExecutionDate: '2027-04-19' })).status).toBe(200);
    await bank.advance({ to: '2027-04-20' });
    expect(await linesOf(bank, id)).toEqual(expect.arrayContaining(['-1183.05 NOK Totalkonto']));
  });
});
