import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { connectBank, createBank } from '../../api/harness/index.ts';
import type { Bank } from '../../api/harness/index.ts';
import '../../api/harness/jest.ts';
import { startTestBank } from '../lab/server.ts';
import { testBank } from '../support/test-bank.ts';

// The ten tasks of somebody who has the package alone: its types and its pages say all of this.
const now = '2027-03-24T12:00:00+01:00';
const token = 'a-token-of-the-control-plane';
const server = testBank(now, ['--control-token', token]);

const nora = { number: '13039319955', account: '09232911044' };
const order = { from: nora.account, to: '90491105991', amount: '250.00' };
/** Has 12.00 NOK. */
const poor = '34300000012';

describe.each([
  ['createBank', () => createBank({ now })],
  ['connectBank to a named bank', () => connectBank(`${server.address}/`, { token, name: 'worker-1', now })],
])('%s', (_name, open) => {
  let bank: Bank;
  beforeAll(async () => {
    bank = await open();
  });
  beforeEach(() => bank.reset());
  afterAll(() => bank.close());

  test('1. pay', async () => {
    const payment = await bank.tpp().pay(order);
    await bank.clock.advance({ runs: 1 });
    await expect(bank.payments(payment)).toSettleOn('2027-03-24');
    await expect(bank.account(nora.account)).toHaveBalance('NOK 17750.00');
    expect((await bank.payments(payment)).entries).toMatchObject([{ amount: { amount: '-250.00' } }]);
  });

  test('2. Easter', async () => {
    const payment = await bank.tpp().pay({ ...order, on: '2027-03-25' });
    await bank.clock.advance('2027-03-31');
    await expect(bank.payments(payment)).toSettleOn('2027-03-30');
    expect((await bank.payments(payment)).occurrences[0]?.moved).toContain('closed: Skjærtorsdag to Andre påskedag');
  });

  test('3. month end', async () => {
    const payment = await bank.tpp().pay({ ...order, on: '2027-03-31', every: 'Monthly', until: '2027-06-30' });
    await bank.clock.advance('2027-07-01');
    for (const date of ['2027-03-31', '2027-04-30', '2027-05-31', '2027-06-30']) {
      await expect(bank.payments(payment)).toSettleOn(date);
    }
  });

  test('4. MonthlyVariable', async () => {
    const payment = await bank.tpp().pay({
      ...order,
      on: '2027-04-01',
      every: 'MonthlyVariable',
      dayOfExecution: 15,
      monthsOfExecution: [4, 9],
      until: '2027-12-31',
    });
    const { executions } = await bank.forecast('2027-12-31');
    expect(executions.map(({ executionDate }) => executionDate)).toEqual(['2027-04-15', '2027-09-15']);
    await bank.clock.advance('2027-12-31');
    await expect(bank.payments(payment)).toSettleOn('2027-09-15');
  });

  test('5. five attempts, and funds in time', async () => {
    const without = await bank.tpp().pay({ ...order, from: poor });
    await bank.snapshot();
    await bank.clock.advance({ until: { paymentId: without, status: 'RJCT' } });
    await expect(bank.payments(without)).toBeRejectedAfter(5);
    await bank.restore();
    await bank.clock.advance({ until: { paymentId: without, status: 'ACCP' } });
    await bank.tpp().pay({ ...order, to: poor });
    // The older one comes first in a run, so the money is there for the run after the next.
    await bank.clock.advance({ runs: 2 });
    expect((await bank.payments(without)).attempts.map(({ outcome }) => outcome)).toEqual(['retry', 'retry', 'settle']);
  });

  test('6. cancel', async () => {
    const payment = await bank.tpp().pay({ ...order, on: '2027-04-15' });
    await bank.tpp().cancel(payment);
    expect((await bank.payments(payment)).status).toBe('CANC');
  });

  test('7. two signers', async () => {
    const corporate = { ...order, from: '34330000017' };
    const payment = await bank.tpp().pay({ ...corporate, signedBy: ['17818050100'] });
    expect((await bank.payments(payment)).status).toBe('PATC');
    const page = await bank.tpp().authorise(payment);
    await bank.psu('20818850094').approve(page, { context: 'CORPORATE' });
    expect((await bank.payments(payment)).signatures.map(({ psu }) => psu)).toEqual(['17818050100', '20818850094']);
    expect((await bank.payments(payment)).status).toBe('PDNG');
  });

  test('8. read as an AISP', async () => {
    await bank.tpp().pay(order);
    await bank.clock.advance({ runs: 1 });
    const reader = await bank.tpp({ name: 'reader', roles: ['PSP_AI'] }).consent({ psu: nora.number });
    expect(await reader.accounts()).toContainEqual(expect.objectContaining({ bban: nora.account }));
    expect(await reader.transactions(nora.account)).toMatchObject({
      pending: [{ transactionAmount: { amount: '-250.00' } }],
    });
  });

  test('9. a wrong signature', async () => {
    const headers = await bank.tpp().sign('/v1/bank-offered-consents', { method: 'POST' });
    headers.Signature = headers.Signature.replace('signature="', 'signature="AAAA');
    const answer = await bank.fetch('/v1/bank-offered-consents', { method: 'POST', headers });
    expect(answer.status).toBe(400);
    expect((await answer.json()).tppMessages?.[0]?.code).toBe('SIGNATURE_INVALID');
  });

  test('10. two futures', async () => {
    const payment = await bank.tpp().pay({ ...order, on: '2027-04-15' });
    const signed = await bank.snapshot('signed');
    await bank.clock.advance('2027-04-16');
    await expect(bank.payments(payment)).toSettleOn('2027-04-15');
    await bank.restore(signed);
    await bank.reject(payment, { reason: 'the creditor account is closed' });
    await bank.clock.advance('2027-04-16');
    await expect(bank.payments(payment)).toBeRejectedAfter(1);
  });

  test('accounts, clock and refusals', async () => {
    expect(await bank.clock.now()).toBe('2027-03-24T12:00:00.000+01:00');
    await bank.topUp(poor, '1000.00');
    await bank.tpp().pay({ ...order, from: poor });
    await bank.clock.advance({ runs: 1 });
    const { transactions, ...state } = await bank.account(poor);
    expect(state).toMatchObject({ bban: poor, balance: { amount: '762.00', currency: 'NOK' } });
    const own = { bookingDate: null, booked: false, text: 'Payee' };
    expect(transactions).toEqual([
      { ...own, amount: { amount: '-250.00', currency: 'NOK' } },
      { bookingDate: '2027-03-24', booked: true, text: 'Innskudd', amount: { amount: '1000.00', currency: 'NOK' } },
    ]);
    await expect(bank.account('34300000013')).rejects.toThrow('The nearest is 34300000012');
    await expect(bank.tpp().pay({ ...order, from: '34300000013' })).rejects.toMatchObject({ code: 'RESOURCE_UNKNOWN' });
    // Unsigned.
    expect((await bank.fetch('/v1/accounts')).status).toBe(400);
  });
});

const ore = ({ amount }: { amount: string }): bigint => BigInt(amount.replace('.', ''));

test('S8b: what is reserved lowers what is available, and not the balance, in this process and over HTTP', async () => {
  const states = [];
  for (const open of [
    () => createBank({ now }),
    () => connectBank(`${server.address}/`, { token, name: 'lives', now }),
  ]) {
    await using bank = await open();
    const body = JSON.stringify({ account: nora.account, persona: 'family' });
    const headers = { 'content-type': 'application/json' };
    expect((await bank.fetch('/sandbox/life', { method: 'POST', headers, body })).status).toBe(200);
    await bank.clock.advance('P3D');
    states.push(await bank.account(nora.account));
    const statement = await bank.fetch(`/sandbox/accounts/${nora.account}`);
    const { pending } = await statement.json<{ pending: { amount: { amount: string }; isPosted: boolean }[] }>();
    const reserved = pending.filter(({ isPosted }) => !isPosted).map(({ amount }) => ore(amount));
    const { balance, available } = await bank.account(nora.account);
    expect(reserved.length).toBeGreaterThan(0);
    expect(ore(available)).toBe(reserved.reduce((sum, one) => sum + one, ore(balance)));
  }
  const [own, served] = states;
  expect(served).toEqual(own);
});

test('bank.fetch takes bank.url, and a path with or without a slash before it, of a named bank too', async () => {
  await using open = await startTestBank(now);
  for (const bank of [await connectBank(open.address), await connectBank(open.address, { name: 'one' })]) {
    const wanted = [bank.url, `${bank.url}/`, `${bank.url}?lang=en`, '/', '', '/sandbox/clock', 'sandbox/clock'];
    const answers = await Promise.all(wanted.map((at) => bank.fetch(at)));
    expect(answers.map(({ status }) => status)).toEqual(wanted.map(() => 200));
  }
});

test('connectBank: a copy of a bank that is gone is refused as the server refuses it', async () => {
  const bank = await connectBank(server.address, { token, name: 'gone' });
  const end = { method: 'DELETE', headers: { authorization: `Bearer ${token}` } };
  expect((await fetch(`${server.address}/sandbox/banks/gone`, end)).status).toBe(200);
  const refused = bank.copy();
  await expect(refused).rejects.toMatchObject({ name: 'BankError', status: 404 });
  await expect(refused).rejects.toThrow(/^There is no bank "gone"\./);
});

test('connectBank says why it reaches no bank', async () => {
  await expect(connectBank('http://127.0.0.1:9')).rejects.toThrow(
    'connectBank: no bank answers at http://127.0.0.1:9 (ECONNREFUSED). npx --no sandbank serve starts one.',
  );
  expect((await connectBank(server.address, { token })).url).toBe(server.address);
  await expect(connectBank(server.address)).rejects.toMatchObject({ name: 'BankError', status: 401 });
  await expect(connectBank(`${server.address}/banks/none`, { token })).rejects.toMatchObject({ status: 404 });
  await expect(connectBank('localhost:7263')).rejects.toThrow('connectBank takes the address of a bank, such as');
  await expect(connectBank(server.address, { now })).rejects.toThrow('connectBank takes now with name');
  const wrong = connectBank(server.address, { token, name: 'x', quirks: ['nothing' as 'december-month'] });
  await expect(wrong).rejects.toMatchObject({ status: 400 });
});
