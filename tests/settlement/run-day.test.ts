import { expect, test } from '@jest/globals';
import { createBank } from '../../api/harness/create-bank.ts';
import type { Bank } from '../../api/harness/index.ts';
import { formatInstant, type Instant } from '../../engine/values/instant.ts';
import { instantOf } from '../lab/simulation/days.ts';

const inOslo = (time: string) => formatInstant(instantOf(time) as Instant);
const [nora, anna, shop] = ['09232911044', '74712699947', '90491105991'];

/** Initiated and signed at 16:00 on the Wednesday before Easter, after the last run and the cut-off of foreign payments. */
async function madeLate(bank: Bank): Promise<Record<string, string>> {
  const order = { from: nora, to: shop, amount: '25.00', allowDuplicate: true } as const;
  return {
    today: await bank.tpp().pay(order),
    unsigned: await bank.tpp().pay({ ...order, signedBy: [] }),
    abroad: await bank
      .tpp()
      .pay({ ...order, to: 'DE89370400440532013000', product: 'sepa-credit-transfers', currency: 'EUR' }),
    later: await bank.tpp().pay({ ...order, on: '2027-04-06' }),
    standing: await bank.tpp().pay({ from: nora, to: shop, amount: '25.00', on: '2027-03-24', every: 'Monthly' }),
  };
}

async function seen(bank: Bank, made: Record<string, string>): Promise<string[]> {
  const lines: string[] = [];
  for (const [name, id] of Object.entries(made)) {
    const { status, executionDate, occurrences, nextAttempt } = await bank.payments(id);
    const date = executionDate ?? occurrences[0]?.executionDate;
    lines.push([name, status, date, nextAttempt?.at.slice(0, 16), occurrences[0]?.moved].join(' '));
  }
  return lines;
}

test('S6b, register 56, 57: what is signed after the last run or the cut-off has the day of its run; without the quirk P3b holds', async () => {
  const bankDay = { now: inOslo('2027-03-24 16:00'), cutOffs: { foreign: '14:00' } };
  await using quirky = await createBank({ ...bankDay, quirks: { 'value-date': 'run-day' } });
  await using usual = await createBank(bankDay);
  const [late, asUsual] = [await madeLate(quirky), await madeLate(usual)];
  const why = 'Wed 24 Mar, signed too late for that day, due Tue 30 Mar';
  expect(await seen(quirky, late)).toEqual([
    `today ACSP 2027-03-30 2027-03-30T05:30 ${why}`,
    'unsigned RCVD 2027-03-30  ',
    `abroad ACSP 2027-03-30 2027-03-30T05:30 ${why}`,
    'later ACSP 2027-04-06 2027-04-06T05:30 ',
    `standing ACSP 2027-03-30 2027-03-30T05:30 ${why}`,
  ]);
  expect(await seen(usual, asUsual)).toEqual([
    'today PDNG 2027-03-24 2027-03-30T05:30 ',
    'unsigned RCVD 2027-03-24  ',
    'abroad PDNG 2027-03-24 2027-03-30T05:30 ',
    'later ACSP 2027-04-06 2027-04-06T05:30 ',
    'standing ACSP 2027-03-24 2027-03-30T05:30 ',
  ]);
  const { tppMessages = [] } = await quirky.tpp().status(late['today'] ?? '');
  expect(tppMessages.map(({ text }) => text)).toEqual([
    '2027-03-24 had no run left when the payment was signed. The payment is executed on 2027-03-30.',
  ]);
  const listed = async (query: string) => {
    const answer = await quirky.fetch(`/sandbox/payments${query}`);
    const { payments, total } = await answer.json<{
      payments: { paymentId: string; executionDate: string }[];
      total: number;
    }>();
    const names = Object.keys(late).filter((name) => payments.some(({ paymentId }) => paymentId === late[name]));
    expect(total).toBe(payments.length);
    return { names, dates: new Set(payments.map(({ executionDate }) => executionDate)) };
  };
  expect(await listed('?from=2027-03-24&to=2027-03-29')).toEqual({ names: [], dates: new Set() });
  expect(await listed('?from=2027-03-30&to=2027-03-30')).toEqual({
    names: ['today', 'unsigned', 'abroad', 'standing'],
    dates: new Set(['2027-03-30']),
  });
  const { executions } = await quirky.forecast(inOslo('2027-03-30 09:30'));
  expect(executions.map(({ executionDate, run, outcome }) => `${executionDate} ${run.at} ${outcome}`)).toEqual(
    Array.from({ length: 3 }, () => '2027-03-30 2027-03-30T05:30:00.000+02:00 settle'),
  );
  for (const bank of [quirky, usual]) await bank.clock.advance(inOslo('2027-03-30 09:30'));
  const values = async (bank: Bank, id = '') =>
    (await bank.payments(id)).entries.map(({ bookingDate, valueDate }) => `${bookingDate} ${valueDate}`);
  for (const name of ['today', 'abroad', 'standing']) {
    expect([name, ...new Set(await values(quirky, late[name]))]).toEqual([name, '2027-03-30 2027-03-30']);
    expect([name, ...new Set(await values(usual, asUsual[name]))]).toEqual([name, '2027-03-30 2027-03-24']);
  }
});

test.each([
  ['on a banking day', '2027-02-02 10:00', '2027-02-03', '2027-02-02'],
  ['on Christmas Eve, a Friday', '2027-12-24 10:00', '2027-12-27', '2027-12-24'],
])(
  'P10b, register 60: inside Kvinesdal Sparebank money is available at once, and booked on the next banking day: %s',
  async (_, now, booked, value) => {
    await using bank = await createBank({ now: inOslo(now), profile: 'kvinesdal-sparebank' });
    const id = await bank.tpp().pay({ from: nora, to: anna, amount: '25.00' });
    const { status, entries } = await bank.payments(id);
    expect([status, ...entries.map((entry) => entry.booked)]).toEqual(['ACSC', false]);
    await bank.clock.advance(inOslo(`${now.slice(0, 10)} 23:00`));
    expect(await bank.tpp().status(id)).toMatchObject({ transactionStatus: 'ACSC' });
    await bank.clock.advance(inOslo(`${booked} 05:30`));
    const [entry] = (await bank.payments(id)).entries;
    expect(entry).toMatchObject({ booked: true, bookingDate: booked, valueDate: value });
    await expect(bank.tpp().status(id)).rejects.toThrow('RESOURCE_UNKNOWN');
  },
);

/** Payers, with an own account each; `anna` has another in the bank, the shop one outside. */
const payers = { private: [nora, '70323119469'], corporate: ['34110000016', '34110000024'] } as const;
const handelsbanken = [
  ['private', 'all', '2027-02-02 13:50', '2027-02-02 2027-02-02'],
  ['private', 'all', '2027-02-02 14:10', '2027-02-03 2027-02-03'],
  ['corporate', 'all', '2027-02-02 14:50', '2027-02-02 2027-02-02'],
  ['corporate', 'all', '2027-02-02 15:10', '2027-02-03 2027-02-03'],
  ['corporate', 'all', '2027-02-05 14:50', '2027-02-05 2027-02-05'],
  ['corporate', 'all', '2027-02-06 12:00', '2027-02-08 2027-02-08'],
] as const;
const ost = (['private', 'corporate'] as const).flatMap(
  (customer) =>
    [
      [customer, 'inside', '2027-02-02 16:00', '2027-02-03 2027-02-02'],
      [customer, 'inside', '2027-02-06 12:00', '2027-02-08 2027-02-06'],
      [customer, 'inside', '2027-02-02 10:00', '2027-02-02 2027-02-02'],
      [customer, 'outside', '2027-02-02 16:00', '2027-02-03 2027-02-03'],
      [customer, 'outside', '2027-02-06 12:00', '2027-02-08 2027-02-08'],
    ] as const,
);

test.each([
  ...handelsbanken.map((row) => ['handelsbanken-norge', ...row] as const),
  ...ost.map((row) => ['sparebanken-ost', ...row] as const),
])('S6c, Q8b: %s, %s, %s, signed %s: booked and valued %s', async (profile, customer, where, now, dates) => {
  await using bank = await createBank({ now: inOslo(now), profile });
  const [from, own] = payers[customer];
  const inside = where === 'outside' ? [] : [own, anna];
  const made: string[] = [];
  for (const to of where === 'inside' ? inside : [shop, ...inside]) {
    made.push(await bank.tpp().pay({ from, to, amount: '25.00', allowDuplicate: true }));
  }
  const told = await bank.forecast('P5D');
  await bank.clock.advance('P5D');
  for (const id of made) {
    const { entries, attempts } = await bank.payments(id);
    expect(new Set(entries.map(({ bookingDate, valueDate }) => `${bookingDate} ${valueDate}`))).toEqual(
      new Set([dates]),
    );
    expect(told.executions.filter(({ paymentId }) => paymentId === id).map(({ run }) => run.at)).toEqual(
      attempts.map(({ at }) => at),
    );
  }
  expect(await (await bank.fetch('/sandbox/ledger/proof')).json()).toMatchObject({ ok: true });
});

test('S6c: the last run books what it settles, once; the next run has nothing to book', async () => {
  await using bank = await createBank({ now: inOslo('2027-02-02 14:50'), profile: 'handelsbanken-norge' });
  const id = await bank.tpp().pay({ from: payers.corporate[0], to: shop, amount: '25.00' });
  const { runs } = await bank.clock.advance(inOslo('2027-02-03 12:00'));
  expect(runs.map(({ at, settled, booked }) => [at.slice(0, 16), settled, booked])).toEqual([
    ['2027-02-02T15:00', 1, 1],
  ]);
  expect((await bank.payments(id)).entries.every(({ booked }) => booked)).toBe(true);
  // What settles outside the runs waits for the next one, as ever.
  await bank.clock.advance(inOslo('2027-02-03 16:00'));
  const product = 'instant-norwegian-domestic-credit-transfers-straks';
  const straks = await bank.tpp().pay({ from: payers.corporate[0], to: shop, amount: '26.00', product });
  expect((await bank.payments(straks)).entries.map(({ booked, bookingDate }) => [booked, bookingDate])).toEqual([
    [false, null],
  ]);
});
