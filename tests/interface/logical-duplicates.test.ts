import { describe, expect, test } from '@jest/globals';
import { testBank } from '../support/test-bank.ts';
import {
  bulkItem,
  bulkPath,
  bulkPayment,
  periodicPath,
  periodicPayment,
  singlePath,
  singlePayment,
} from '../lab/bodies.ts';
import { crossBorderPayment, productPath } from '../lab/products.ts';
import { validCertificate, type Reply } from '../lab/server.ts';

const psu = '13039319955';
const headers = { 'x-psu-identity': psu, 'psu-context': 'PRIVATE' };

// A Wednesday, 12:00, the day before the Easter of 2027 begins.
const bank = testBank('2027-03-24T12:00:00+01:00');

const pay = (amount: string, changes: object = {}, query = ''): Promise<Reply> =>
  bank.signed('POST', singlePath + query, {
    body: singlePayment({ instructedAmount: { amount, currency: 'NOK' }, ...changes }),
    headers,
  });
const bulk = (items: readonly object[], query = ''): Promise<Reply> =>
  bank.signed('POST', bulkPath + query, { body: bulkPayment(items), headers });

const refused = { status: 400, body: { tppMessages: [{ category: 'ERROR', code: 'CONFLICT' }] } };

describe('interface, Further rules 3: P7: a logical duplicate', () => {
  test('interface, Further rules 6: is refused with 400 CONFLICT, which names the other payment and the way out', async () => {
    const first = await pay('1.00');
    const second = await pay('1.00', { creditorName: 'Another name', remittanceInformationUnstructured: 'Other' });
    expect(second).toMatchObject(refused);
    const [message] = second.body.tppMessages;
    expect(message.text).toContain(first.body.paymentId);
    expect(message.text).toContain('allowLogicalDuplicate=true');
    expect(message).not.toHaveProperty('path');
  });

  test('P7: the same number of another currency is another amount', async () => {
    const abroad = (currency: string): Promise<Reply> =>
      bank.signed('POST', productPath('crossBorder'), {
        body: crossBorderPayment({ instructedAmount: { amount: '111.00', currency } }),
        headers,
      });
    expect((await abroad('SEK')).status).toBe(201);
    expect((await abroad('EUR')).status).toBe(201);
    expect(await abroad('SEK')).toMatchObject(refused);
  });

  test('is not named to another TPP', async () => {
    const first = await pay('1.10');
    const certificate = validCertificate({ organizationIdentifier: 'PSDNO-FSA-111111111' });
    const body = singlePayment({ instructedAmount: { amount: '1.10', currency: 'NOK' } });
    const second = await bank.signed('POST', singlePath, { body, headers, certificate });
    expect(second).toMatchObject(refused);
    expect(second.body.tppMessages[0].text).toContain('a payment of another TPP');
    expect(second.body.tppMessages[0].text).not.toContain(first.body.paymentId);
  });

  test.each<[string, object]>([
    ['another amount', { instructedAmount: { amount: '1.21', currency: 'NOK' } }],
    ['another day', { requestedExecutionDate: '2027-04-06' }],
    ['another creditor account', { creditorAccount: { bban: '90412263056', currency: 'NOK' } }],
    ['another debtor account', { debtorAccount: { bban: '70323119469', currency: 'NOK' } }],
  ])('%s makes it another payment', async (_, changes) => {
    await pay('1.20', {}, '?allowLogicalDuplicate=true');
    expect((await pay('1.20', changes)).status).toBe(201);
  });

  test('the same account by its IBAN is the same account', async () => {
    await pay('1.30');
    const asIban = { creditorAccount: { iban: 'NO62 9049 1105 991', currency: 'NOK' } };
    expect(await pay('1.30', asIban)).toMatchObject(refused);
  });

  test('P3: the execution date counts, not the one asked for: Easter moves both to the day after it', async () => {
    expect((await pay('1.40', { requestedExecutionDate: '2027-03-26' })).status).toBe(201);
    expect(await pay('1.40', { requestedExecutionDate: '2027-03-29' })).toMatchObject(refused);
    expect(await pay('1.40', { requestedExecutionDate: '2027-03-30' })).toMatchObject(refused);
  });

  test('a deleted payment stands in the way of none', async () => {
    const first = await pay('1.50');
    await bank.signed('DELETE', `${singlePath}/${first.body.paymentId}`);
    expect((await pay('1.50')).status).toBe(201);
  });

  test('a periodic payment is none, and takes the parameter', async () => {
    const body = periodicPayment({ startDate: '2027-04-15' });
    for (const query of ['', '', '?allowLogicalDuplicate=true']) {
      expect((await bank.signed('POST', periodicPath + query, { body, headers })).status).toBe(201);
    }
  });
});

describe('P7: allowLogicalDuplicate', () => {
  test('true takes it, as often as it is asked', async () => {
    await pay('2.00');
    const again = () => pay('2.00', {}, '?allowLogicalDuplicate=true');
    expect([(await again()).status, (await again()).status]).toEqual([201, 201]);
  });

  test('false is what leaving it out means', async () => {
    await pay('2.10');
    expect(await pay('2.10', {}, '?allowLogicalDuplicate=false')).toMatchObject(refused);
  });

  test.each(['yes', 'TRUE', '1', ''])('%j is a FORMAT_ERROR', async (value) => {
    const answer = await pay('2.20', {}, `?allowLogicalDuplicate=${value}`);
    const message = { code: 'FORMAT_ERROR', path: 'allowLogicalDuplicate' };
    expect(answer).toMatchObject({ status: 400, body: { tppMessages: [message] } });
  });

  test('an e-invoice is retried with it after an authorisation that failed', async () => {
    const invoice = {
      remittanceInformationStructuredArray: [
        { reference: '33523568', referenceType: 'CINV', referenceIssuer: 'BITS-EFAKTURA' },
        { reference: '99754667145676221', referenceType: 'SCOR' },
      ],
    };
    const first = await pay('2.30', invoice);
    const redirect = await bank.approve(first.body, psu, { outcome: 'fail' });
    expect(redirect.searchParams.get('code')).not.toBeNull();
    expect(await pay('2.30', invoice)).toMatchObject(refused);
    expect((await pay('2.30', invoice, '?allowLogicalDuplicate=true')).status).toBe(201);
  });
});

describe('P7: the items of bulk payments', () => {
  test('inside one body, against a single payment, and a single payment against them', async () => {
    const within = await bulk([bulkItem('3.00'), bulkItem('3.01'), bulkItem('3.00')]);
    expect(within).toMatchObject({ status: 400, body: { tppMessages: [{ code: 'CONFLICT', path: 'payments[2]' }] } });
    expect(within.body.tppMessages[0].text).toContain('payments[0]');

    const single = await pay('3.10');
    const against = await bulk([bulkItem('3.11'), bulkItem('3.10')]);
    expect(against).toMatchObject({ status: 400, body: { tppMessages: [{ code: 'CONFLICT', path: 'payments[1]' }] } });
    expect(against.body.tppMessages[0].text).toContain(single.body.paymentId);

    const made = await bulk([bulkItem('3.20'), bulkItem('3.21')]);
    expect(made.status).toBe(201);
    const other = await pay('3.21');
    expect(other).toMatchObject(refused);
    expect(other.body.tppMessages[0].text).toContain(made.body.paymentId);
  });

  test('one that is looked up alone, after the 2,000 before it, is told in its place', async () => {
    const single = await pay('0.01');
    const many = Array.from({ length: 2_000 }, (_, index) => bulkItem((10 + index / 100).toFixed(2)));
    const against = await bulk([...many, bulkItem('0.01')]);
    expect(against).toMatchObject({ status: 400, body: { tppMessages: [{ path: 'payments[2000]' }] } });
    expect(against.body.tppMessages[0].text).toContain(single.body.paymentId);
  });

  test('allowLogicalDuplicate=true takes them all', async () => {
    expect((await bulk([bulkItem('3.30'), bulkItem('3.30')], '?allowLogicalDuplicate=true')).status).toBe(201);
  });

  test('of many, 20 are told, and the last says how many more there are', async () => {
    const answer = await bulk(Array.from({ length: 50 }, () => bulkItem('3.40')));
    expect(answer.body.tppMessages).toHaveLength(20);
    expect(answer.body.tppMessages[19].text).toContain('29 more');
  });
});

test('P7: what is booked the same day counts, and what is rejected does not', async () => {
  const settled = await pay('4.00');
  await bank.approve(settled.body, psu);
  await bank.advance({ runs: 2 });
  expect(await bank.signed('GET', `${singlePath}/${settled.body.paymentId}`)).toMatchObject({ status: 403 });
  expect(await pay('4.00')).toMatchObject(refused);

  const poor = { debtorAccount: { bban: '34300000012', currency: 'NOK' }, requestedExecutionDate: '2027-04-06' };
  const body = bulkPayment([bulkItem('999.00'), bulkItem('1.00')], poor);
  const signedByAnne = { 'x-psu-identity': '01819050062', 'psu-context': 'PRIVATE' };
  const made = await bank.signed('POST', bulkPath, { body, headers: signedByAnne });
  await bank.approve(made.body, '01819050062');
  await bank.advance({ until: { paymentId: made.body.paymentId, status: 'ACSC' } });
  expect((await pay('999.00', poor)).status).toBe(201);
  expect(await pay('1.00', poor)).toMatchObject(refused);
});
