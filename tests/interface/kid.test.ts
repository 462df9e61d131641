import { describe, expect, test } from '@jest/globals';
import {
  bulkItem,
  bulkPath,
  bulkPayment,
  periodicPath,
  periodicPayment,
  singlePath,
  singlePayment,
} from '../lab/bodies.ts';
import { productPath, sepaPayment } from '../lab/products.ts';
import { consentedTransactions } from '../support/transactions.ts';
import type { Reply } from '../lab/server.ts';
import { testBank } from '../support/test-bank.ts';

const psu = '13039319955';
const headers = { 'x-psu-identity': psu, 'psu-context': 'PRIVATE' };
/** Kari Kidkrav's account with a MOD10 agreement. */
const kidAccount = { creditorAccount: { bban: '34400000028', currency: 'NOK' } };
const list = 'remittanceInformationStructuredArray';
const kid = (reference: string) => ({ reference, referenceType: 'SCOR' });
const invoice = { reference: '33523568', referenceType: 'CINV', referenceIssuer: 'BITS-EFAKTURA' };

const bank = testBank('2027-03-24T12:00:00+01:00');

let sent = 0;
function pay(changes: object, product = 'norwegian-domestic-credit-transfers'): Promise<Reply> {
  sent += 1;
  const amount = `${sent}.00`;
  const body = singlePayment({ instructedAmount: { amount, currency: 'NOK' }, ...changes });
  return bank.signed('POST', `/v1/payments/${product}`, { body, headers });
}

describe('P6: over HTTP', () => {
  test.each<[string, object, string, string]>([
    ['a missing KID', kidAccount, 'KID_MISSING', list],
    ['a text instead of it', { ...kidAccount, remittanceInformationUnstructured: 'Rent' }, 'KID_MISSING', list],
    ['a wrong KID', { ...kidAccount, [list]: [kid('2345670')] }, 'KID_INVALID', `${list}[0].reference`],
    ['an e-invoice without KID', { [list]: [invoice] }, 'KID_MISSING', list],
    ['two invoices', { [list]: [invoice, invoice, kid('2345676')] }, 'FORMAT_ERROR', `${list}[1]`],
    ['two KIDs of an invoice', { [list]: [invoice, kid('2345676'), kid('2345676')] }, 'FORMAT_ERROR', `${list}[2]`],
  ])('%s', async (_, changes, code, path) => {
    for (const product of [
      'norwegian-domestic-credit-transfers',
      'instant-norwegian-domestic-credit-transfers-straks',
    ]) {
      const answer = await pay(changes, product);
      expect(answer).toMatchObject({ status: 400, body: { tppMessages: [{ code, path }] } });
    }
  });

  test.each<[string, object]>([
    ['a right KID', { ...kidAccount, [list]: [kid('2345676')] }],
    ['any check digit to an account without agreement', { [list]: [kid('2345670')] }],
    ['an e-invoice with its KID', { ...kidAccount, [list]: [invoice, kid('2345676')] }],
  ])('%s is accepted', async (_, changes) => {
    expect((await pay(changes)).status).toBe(201);
  });

  test('P6b: a periodic payment to an account with an agreement: KID_MISSING, which says first what cannot be done', async () => {
    const answer = await bank.signed('POST', periodicPath, { body: periodicPayment(kidAccount), headers });
    expect(answer).toMatchObject({
      status: 400,
      body: { tppMessages: [{ code: 'KID_MISSING', path: 'creditorAccount' }] },
    });
    expect(answer.body.tppMessages[0].text).toMatch(
      /^A periodic payment carries no structured reference, and the creditor/,
    );
  });

  const other = 'remittanceInformationStructured';
  test.each<[string, string, object]>([
    [singlePath, other, singlePayment({ [other]: { reference: '2345676' } })],
    [productPath('straks'), other, singlePayment({ [other]: '2345676' })],
    [bulkPath, `payments[0].${other}`, bulkPayment([bulkItem('1.00', { [other]: [kid('2345676')] })])],
  ])('P6b: at %s %s is refused with the member that carries a KID', async (path, at, body) => {
    const answer = await bank.signed('POST', path, { body, headers });
    expect(answer).toMatchObject({ status: 400, body: { tppMessages: [{ code: 'FORMAT_ERROR', path: at }] } });
    expect(answer.body.tppMessages[0].text).toContain(`a KID is carried by ${list}: [{"reference"`);
  });

  test.each<[string, string, object]>(
    [other, list].flatMap((name): [string, string, object][] => [
      [periodicPath, name, periodicPayment({ [name]: [kid('2345676')] })],
      [productPath('sepa'), name, sepaPayment({ [name]: [kid('2345676')] })],
    ]),
  )('P6b: at %s %s is refused with the payments that carry a KID', async (path, name, body) => {
    const answer = await bank.signed('POST', path, { body, headers });
    expect(answer).toMatchObject({ status: 400, body: { tppMessages: [{ code: 'FORMAT_ERROR', path: name }] } });
    expect(answer.body.tppMessages[0].text).toContain(
      `"${name}" is no member here. Leave it out; this payment carries no KID. A single norwegian-domestic-credit-transfers or ` +
        'instant-norwegian-domestic-credit-transfers-straks payment, and each item of a bulk payment, carries one in ' +
        `${list}.`,
    );
  });

  test.each([other, list])('P6b: at the top of a bulk payment %s is refused with its place', async (name) => {
    const body = bulkPayment([bulkItem('1.00')], { [name]: [kid('2345676')] });
    const answer = await bank.signed('POST', bulkPath, { body, headers });
    expect(answer).toMatchObject({ status: 400, body: { tppMessages: [{ code: 'FORMAT_ERROR', path: name }] } });
    expect(answer.body.tppMessages[0].text).toContain(
      `"${name}" is no member here. Put it into the items: payments[n].${list}.`,
    );
  });
});

test('P6: the references show in the transaction of the account', async () => {
  const references = [invoice, kid('2345676')];
  const payment = await pay({ ...kidAccount, [list]: references });
  expect(await bank.signed('GET', `${singlePath}/${payment.body.paymentId}`)).toMatchObject({
    body: { [list]: references },
  });
  await bank.approve(payment.body, psu);
  await bank.advance({ runs: 2 });
  for (const [holder, bban] of [
    [psu, '09232911044'],
    ['02818550068', '34400000028'],
  ] as const) {
    const { booked } = await consentedTransactions(bank, holder, bban);
    expect(booked).toMatchObject([{ [list]: references }]);
  }
});
