import { describe, expect, test } from '@jest/globals';
import { createBank } from '../../api/harness/create-bank.ts';
import { localDate } from '../../engine/values/local-date.ts';
import { orderSigned, pay, payBulk, paySigned, people, type Person, sign } from '../lab/payments.ts';
import { controlForEach } from './control-client.ts';

interface Window {
  readonly payments: readonly { readonly tries: readonly { readonly at: string }[] }[];
}

// Wednesday before Easter 2027; closed from Thursday to Monday.
const control = controlForEach('2027-03-24T12:00:00.000+01:00');
const easter = '/sandbox/timeline?from=2027-03-22&to=2027-04-01';

const look = async (more = '') => (await control.get(easter + more)).body;
const advance = (to: string) => control.post('/sandbox/clock/advance', { to });

async function signed(from: Person, to: Person, amount: string, on?: string): Promise<string> {
  const { payment } = await paySigned(control.bank, { from, to, amount }, on === undefined ? undefined : localDate(on));
  return payment.resource_id;
}

/** `2027-03-30/1 settle` of what happened, `(2027-03-30/1 settle)` of what the forecast says. */
const triesOf = (payment: { tries: { run: string; outcome: string; hasHappened: boolean }[] }): string[] =>
  payment.tries.map(({ run, outcome, hasHappened }) => (hasHappened ? `${run} ${outcome}` : `(${run} ${outcome})`));

describe('K19: GET /sandbox/timeline', () => {
  test('a payment asked for Maundy Thursday, whole: the forecast becomes fact where the clock passes it', async () => {
    const paymentId = await signed('nora', 'even', '250.00', '2027-03-25');
    const before = await look();
    expect(before.now).toBe('2027-03-24T12:00:00.000+01:00');
    expect(before.days).toHaveLength(11);
    expect(before.totals).toMatchObject({ settles: 1, settled: 0 });
    expect(before.coming).toEqual([{ at: '2027-03-30T05:30:00.000+02:00', settle: 1, retry: 0, reject: 0 }]);
    const row = {
      paymentId,
      service: 'payments',
      product: 'norwegian-domestic-credit-transfers',
      status: 'ACSP',
      amount: { amount: '250.00', currency: 'NOK' },
      account: people.nora.bban,
      payee: 'even',
      orderedAt: before.now,
      signedAt: before.now,
      askedFor: '2027-03-25',
      nextDate: '2027-03-30',
      outcome: 'settles',
      changedAt: before.now,
      returns: [],
      tries: [
        {
          at: '2027-03-30T05:30:00.000+02:00',
          run: '2027-03-30/1',
          outcome: 'settle',
          hasHappened: false,
          count: 1,
          attempt: 1,
          movedFrom: '2027-03-25',
          moved: 'Thu 25 Mar, closed: Skjærtorsdag to Andre påskedag, due Tue 30 Mar',
          reason: 'Thu 25 Mar, closed: Skjærtorsdag to Andre påskedag, due Tue 30 Mar; funds suffice',
        },
      ],
    };
    expect(before.payments).toEqual([row]);
    await advance('2027-03-30T05:30:00+02:00');
    const after = await look();
    expect(after.payments).toEqual([
      {
        ...row,
        status: 'ACSC',
        nextDate: null,
        outcome: 'settled',
        changedAt: after.now,
        tries: [{ ...row.tries[0], hasHappened: true }],
      },
    ]);
    expect([after.totals.settled, after.totals.settles, after.coming]).toEqual([1, 0, []]);
  });

  test('five tries, of which one has happened; an unsigned payment has none', async () => {
    await signed('even', 'nora', '99999.00');
    await pay(control.bank, { from: 'nora', to: 'even', amount: '5.00' });
    await advance('2027-03-24T13:30:00+01:00');
    const { payments, totals } = await look();
    expect(payments.map(triesOf)).toEqual([
      [
        '2027-03-24/4 retry',
        '(2027-03-24/5 retry)',
        '(2027-03-30/1 retry)',
        '(2027-03-30/2 retry)',
        '(2027-03-30/3 reject)',
      ],
      [],
    ]);
    expect(payments.map(({ outcome, signedAt }: Record<string, unknown>) => [outcome, signedAt === null])).toEqual([
      ['is rejected', false],
      ['waits for a signature', true],
    ]);
    expect(totals).toMatchObject({ 'is rejected': 1, 'waits for a signature': 1 });
  });

  test('a standing order is tried on each of its dates, and parts of a bulk payment that go alike are one try', async () => {
    const plan = { startDate: localDate('2027-03-25'), frequency: 'Daily', executionRule: 'following' } as const;
    await orderSigned(control.bank, { from: 'nora', to: 'shop', amount: '10.00' }, plan);
    const parts = [
      { from: 'nora', to: 'even', amount: '1.00' },
      { from: 'nora', to: 'shop', amount: '2.00' },
    ] as const;
    const { payment } = await payBulk(control.bank, parts);
    await sign(control.bank, payment.resource_id, 'nora');
    const { payments } = await look();
    expect(payments.map(({ service }: { service: string }) => service)).toEqual(['periodic-payments', 'bulk-payments']);
    const [order, bulk] = payments;
    expect(triesOf(order).slice(0, 3)).toEqual([
      '(2027-03-30/1 settle)',
      '(2027-03-30/1 settle)',
      '(2027-03-30/1 settle)',
    ]);
    expect(order.tries[0]).toMatchObject({ nominalDate: '2027-03-25', movedFrom: '2027-03-25' });
    expect([bulk.payee, bulk.amount.amount, bulk.tries]).toEqual([
      null,
      '3.00',
      [expect.objectContaining({ run: '2027-03-24/4', outcome: 'settle', count: 2, hasHappened: false })],
    ]);
  });
});

describe('K19: what the window takes', () => {
  test('payments that were over before it are left out, and those of which it tells too little to be shown are counted', async () => {
    await signed('nora', 'even', '1.00');
    await advance('2027-04-05T12:00:00+02:00');
    for (const amount of ['2.00', '3.00', '4.00']) await signed('nora', 'even', amount);
    await pay(control.bank, { from: 'nora', to: 'shop', amount: '5.00' });
    const { body } = await control.get('/sandbox/timeline?from=2027-04-05&to=2027-04-08&limit=2');
    expect(body.totals).toMatchObject({ settled: 0, settles: 3, 'waits for a signature': 1 });
    expect(body.payments.map(({ amount }: { amount: { amount: string } }) => amount.amount)).toEqual(['4.00', '5.00']);
    expect(body.coming).toEqual([{ at: '2027-04-05T13:30:00.000+02:00', settle: 3, retry: 0, reject: 0 }]);
    expect((await look()).totals).toMatchObject({ settled: 1 });
  });

  test('a payment that settled before it and comes back in it or later is there', async () => {
    const id = encodeURIComponent(await signed('nora', 'shop', '1.00'));
    await advance('2027-03-30T06:00:00+02:00');
    await control.post(`/sandbox/payments/${id}/return`, { reason: 'AC04', on: '2027-04-02' });
    const totals = async (from: string) =>
      (await control.get(`/sandbox/timeline?from=${from}&to=2027-04-09`)).body.totals.settled;
    expect(await totals('2027-03-30')).toBe(1);
    await advance('2027-04-05T06:00:00+02:00');
    expect([await totals('2027-04-02'), await totals('2027-04-03')]).toEqual([1, 0]);
  });

  test('a bulk payment of which a part failed is over with its last part', async () => {
    const parts = [
      { from: 'nora', to: 'even', amount: '1.00' },
      { from: 'nora', to: 'shop', amount: '99999.00' },
    ] as const;
    const { payment } = await payBulk(control.bank, parts);
    await sign(control.bank, payment.resource_id, 'nora');
    await advance('2027-03-24T13:30:00+01:00');
    const ids = async (from: string): Promise<string[]> => {
      const { body } = await control.get(`/sandbox/timeline?from=${from}&to=2027-04-09`);
      return body.payments.map(({ paymentId }: { paymentId: string }) => paymentId);
    };
    expect(await ids('2027-03-30')).toEqual([payment.resource_id]);
    await advance('2027-04-05T06:00:00+02:00');
    expect([await ids('2027-03-30'), await ids('2027-03-31')]).toEqual([[payment.resource_id], []]);
  });

  test('payments that nobody has signed for days leave the rows to those that are near', async () => {
    for (const amount of ['1.00', '2.00']) await pay(control.bank, { from: 'nora', to: 'shop', amount });
    await advance('2027-04-05T12:00:00+02:00');
    await signed('nora', 'even', '3.00');
    await pay(control.bank, { from: 'nora', to: 'shop', amount: '4.00' });
    const { body } = await control.get('/sandbox/timeline?from=2027-04-05&to=2027-04-08&limit=2');
    expect(body.payments.map(({ amount }: { amount: { amount: string } }) => amount.amount)).toEqual(['3.00', '4.00']);
    expect(body.totals).toMatchObject({ settles: 1, 'waits for a signature': 3 });
  });

  test('of an old standing order the tries of the window are told, and the last one before it', async () => {
    const plan = { startDate: localDate('2027-03-30'), frequency: 'Daily', executionRule: 'following' } as const;
    await orderSigned(control.bank, { from: 'nora', to: 'shop', amount: '1.00' }, plan);
    await advance('2027-04-15T12:00:00+02:00');
    const { body } = await control.get('/sandbox/timeline?from=2027-04-14&to=2027-04-15');
    expect(body.payments.map(triesOf)).toEqual([['2027-04-13/1 settle', '2027-04-14/1 settle', '2027-04-15/1 settle']]);
  });

  test('an unknown payment is 404', async () => {
    const { status, body } = await control.get(`${easter}&payment=nope`);
    expect([status, body.detail]).toEqual([404, expect.stringContaining('There is no payment nope.')]);
  });

  test('one payment by its id', async () => {
    const ids = [await signed('nora', 'even', '1.00'), await signed('nora', 'even', '2.00')];
    const { payments, totals } = await look(`&payment=${encodeURIComponent(ids[0] ?? '')}`);
    expect([payments.map(({ paymentId }: { paymentId: string }) => paymentId), totals.settles]).toEqual([[ids[0]], 1]);
  });

  test('what is kept goes when the ledger changes, and at midnight', async () => {
    const paymentId = await signed('nora', 'even', '1.00', '2027-03-31');
    const status = async () => (await look()).payments.map((each: { status: string }) => each.status);
    expect(await status()).toEqual(['ACSP']);
    expect(await status()).toEqual(['ACSP']);
    await advance('2027-03-31T01:00:00+02:00');
    expect(await status()).toEqual(['PDNG']);
    await control.post(`/sandbox/payments/${encodeURIComponent(paymentId)}/reject`, { reason: 'closed' });
    expect((await look()).payments[0].outcome).toBe('is rejected');
  });

  test('a run at midnight after the window is in it neither before it comes nor after', async () => {
    await using bank = await createBank({ now: '2027-02-01T12:00:00+01:00', profile: 'sparebanken-sor' });
    const window = async (to: string) =>
      (await (await bank.fetch(`/sandbox/timeline?from=2027-02-01&to=${to}`)).json()) as Window;
    await bank.fetch('/sandbox/payments', {
      ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
      body: JSON.stringify({ from: people.nora.bban, to: '90491105991', amount: '5.00', on: '2027-02-04' }),
    });
    const tries = async () =>
      [await window('2027-02-03'), await window('2027-02-04')].map(
        ({ payments }) => payments[0]?.tries.map(({ at }) => at) ?? [],
      );
    const expected = [[], ['2027-02-04T00:00:00.000+01:00']];
    expect(await tries()).toEqual(expected);
    await bank.fetch('/sandbox/clock/advance', {
      ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
      body: JSON.stringify({ to: '2027-02-05' }),
    });
    expect(await tries()).toEqual(expected);
  });

  test.each([
    ['', 'from', 'The query parameter from is missing: a date, YYYY-MM-DD.'],
    ['?from=2027-03-22', 'to', 'The query parameter to is missing: a date, YYYY-MM-DD.'],
    ['?from=2027-03-32&to=2027-04-01', 'from', 'from is "2027-03-32": expected a date, YYYY-MM-DD.'],
    ['?from=2027-04-01&to=2027-03-31', 'to', 'to 2027-03-31 is before from 2027-04-01.'],
    ['?from=2027-03-01&to=2027-05-02', 'to', 'One call shows 62 days at most, both ends counted.'],
    ['?from=1989-03-01&to=1990-01-03', 'from', 'from is 1989-03-01: the calendar shows 1990-01-01 to 2099-12-31.'],
    ['?from=2027-03-01&to=2027-03-03&limit=0', 'limit', 'limit is "0": expected a whole number from 1 to 200.'],
  ])('%s is refused at %s: %s', async (query, path, detail) => {
    const { status, body } = await control.get(`/sandbox/timeline${query}`);
    expect([status, body.detail, body.errors]).toEqual([400, detail, [{ path, detail }]]);
  });

  test('an unknown parameter is refused, and the longest window is not', async () => {
    expect((await control.get(`${easter}&days=3`)).status).toBe(400);
    const { status, body } = await control.get('/sandbox/timeline?from=2027-03-01&to=2027-05-01');
    expect([status, body.days.length]).toEqual([200, 62]);
  });
});
