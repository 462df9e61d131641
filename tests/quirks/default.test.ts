import { beforeEach, describe, expect, test } from '@jest/globals';
import { debtorBban, periodicPath, periodicPayment, singlePath, singlePayment } from '../lab/bodies.ts';
import { consentedTransactions } from '../support/transactions.ts';
import { testBankForEach } from '../support/test-bank.ts';

/* docs/habits.md: what the bank does without a quirk, and two quirks of the engine. */
const bank = testBankForEach('2027-03-24T12:00:00+01:00');
let path = '';
let headers: Readonly<Record<string, string | null>> = {};
beforeEach(async () => {
  ({ path, headers } = await consentedTransactions(bank, '13039319955', debtorBban));
});

const psu = { 'x-psu-identity': '13039319955', 'psu-context': 'PRIVATE' };
const purchase = { amount: -49.9, currency: 'NOK', remittanceInformationUnstructured: 'Kiosken' };

async function posted(day: string, times = 1): Promise<void> {
  const body = Array.from({ length: times }, () => ({ ...purchase, bookingDate: day, valueDate: day }));
  const answer = await bank.signed('POST', path.replace('/v1/', '/v1/sandbox/'), { body });
  expect(answer.status).toBe(201);
}

const read = (query: string, more: Readonly<Record<string, string | null>> = {}) =>
  bank.signed('GET', `${path}?bookingStatus=both${query}`, { headers: { ...headers, ...more } });
const put = (quirks: object) => bank.control('PUT', '/sandbox/quirks', { quirks });
const codeOf = ({ body }: Awaited<ReturnType<typeof read>>): string => body.tppMessages[0].code;

describe('lists', () => {
  test('H28, register 11: two purchases of one day, amount and text are two transactions', async () => {
    await posted('2027-03-20', 2);
    const [{ transactionId: one, ...first }, { transactionId: other, ...second }] = (await read('')).body.transactions
      .booked;
    expect(first).toEqual(second);
    expect(one).not.toBe(other);
  });

  test('H29, register 36: a limit of 499 is taken, and the next link says whether there is more', async () => {
    await posted('2027-03-20', 2);
    const [whole, part] = [await read('&limit=499'), await read('&limit=1')];
    expect([whole.status, whole.body.transactions._links.next]).toEqual([200, undefined]);
    expect(part.body.transactions._links.next.href).toContain('cursor=');
  });

  test('H30, register 37: without dateFrom it begins 90 days ago', async () => {
    for (const day of ['2026-12-23', '2026-12-24']) await posted(day);
    const dates = (query: string) =>
      read(query).then(({ body }) =>
        body.transactions.booked.map(({ bookingDate }: { bookingDate: string }) => bookingDate),
      );
    expect(await dates('')).toEqual(['2026-12-24']);
    expect(await dates('&dateFrom=2026-01-01')).toEqual(['2026-12-24', '2026-12-23']);
  });

  test('H32, register 39: without the PSU four reads a day, 90 days back', async () => {
    const alone = { 'psu-ip-address': null };
    expect(codeOf(await read('&dateFrom=2026-12-23', alone))).toBe('PERIOD_INVALID');
    for (let time = 1; time <= 4; time += 1) expect((await read('', alone)).status).toBe(200);
    expect(codeOf(await read('', alone))).toBe('ACCESS_EXCEEDED');
  });

  test('H35, register 45: the values of x-accept-fix that clients send are taken, and change nothing', async () => {
    await posted('2027-03-20');
    const fixes = [null, 'longer-names', 'amount-as-string,longer-names'];
    const amounts = fixes.map(async (fix) => (await read('', { 'x-accept-fix': fix })).body.transactions.booked);
    const [first, ...others] = await Promise.all(amounts);
    expect(first[0].transactionAmount).toEqual({ currency: 'NOK', amount: '-49.90' });
    for (const other of others) expect(other).toEqual(first);
  });
});

describe('payments', () => {
  test('H36, register 50: one of today cannot be deleted once it is signed, and has no link to sign it', async () => {
    const { body } = await bank.signed('POST', singlePath, { body: singlePayment(), headers: psu });
    const one = `${singlePath}/${encodeURIComponent(body.paymentId)}`;
    const links = async () => Object.keys((await bank.signed('GET', one, { headers: psu })).body._links);
    expect(await links()).toContain('startAuthorisation');
    await bank.approve(body);
    expect(await links()).not.toContain('startAuthorisation');
    const refused = await bank.signed('DELETE', one, { headers: psu });
    expect(codeOf(refused)).toBe('CANCELLATION_INVALID');
  });

  test('H1, register 48: the status can be read before the approval with the quirk, and not without', async () => {
    const { body } = await bank.signed('POST', singlePath, { body: singlePayment(), headers: psu });
    const status = () => bank.signed('GET', `${singlePath}/${encodeURIComponent(body.paymentId)}/status`);
    expect((await status()).status).toBe(403);
    await put({ 'status-before-approval': true });
    expect((await status()).body.transactionStatus).toBe('RCVD');
  });

  test('H2, register 44: a periodic payment needs x-accept-fix, and not with the quirk', async () => {
    const order = () =>
      bank.signed('POST', periodicPath, { body: periodicPayment(), headers: { ...psu, 'x-accept-fix': null } });
    expect((await order()).status).toBe(400);
    await put({ 'lenient-headers': true });
    expect((await order()).status).toBe(201);
  });
});

test('H20, register 10: with bank-codes=proprietary two purchases of a day have one code', async () => {
  await posted('2027-03-20', 2);
  await put({ 'bank-codes': 'proprietary' });
  const { booked } = (await read('')).body.transactions;
  expect(booked.map((one: Record<string, unknown>) => one['proprietaryBankTransactionCode'])).toEqual([
    'R_710',
    'R_710',
  ]);
});
