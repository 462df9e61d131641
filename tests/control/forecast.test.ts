import { describe, expect, test } from '@jest/globals';
import { localDate } from '../../engine/values/local-date.ts';
import { at, manualClock } from '../lab/bank.ts';
import {
  deposit,
  payBulk,
  people,
  type Person,
  type Plan,
  pay,
  sign,
  paySigned,
  orderSigned,
} from '../lab/payments.ts';
import { dump } from '../lab/rows.ts';
import { openControl, type Answer, controlForEach } from './control-client.ts';

// Wednesday before Easter 2027; closed from Thursday to Monday.
const now = '2027-03-24T12:00:00.000+01:00';
const control = controlForEach(now);

const look = (to: string): Promise<Answer> => control.get(`/sandbox/forecast?to=${to}`);
const advance = (body: unknown): Promise<Answer> => control.post('/sandbox/clock/advance', body);

async function signed(from: Person, to: Person, amount: string, on?: string): Promise<string> {
  const { payment } = await paySigned(control.bank, { from, to, amount }, on === undefined ? undefined : localDate(on));
  return payment.resource_id;
}

async function ordered(amount: string, plan: Plan, from: Person = 'nora'): Promise<string> {
  const { payment } = await orderSigned(control.bank, { from, to: 'shop', amount }, plan);
  return payment.resource_id;
}

/** `2027-03-30/1 settle 10.00 of 100.00: funds suffice` */
function lines({ body }: Answer): string[] {
  return body.executions.map((each: Answer['body']) => {
    const { run, outcome, needed, available, reason } = each;
    return `${run.date}/${run.number} ${outcome} ${needed.amount} of ${available.amount}: ${reason}`;
  });
}

describe('what it tells', () => {
  test('a payment on Maundy Thursday, whole: the member names and the holiday', async () => {
    const id = await signed('nora', 'even', '250.00', '2027-03-25');
    const { status, body } = await look('2027-03-31');
    expect([status, body]).toEqual([
      200,
      {
        from: now,
        to: '2027-03-31T00:00:00.000+02:00',
        executions: [
          {
            paymentId: id,
            account: people.nora.bban,
            payee: 'even',
            executionDate: '2027-03-30',
            movedFrom: '2027-03-25',
            moved: 'Thu 25 Mar, closed: Skjærtorsdag to Andre påskedag, due Tue 30 Mar',
            run: { date: '2027-03-30', number: 1, at: '2027-03-30T05:30:00.000+02:00' },
            outcome: 'settle',
            available: { amount: expect.stringMatching(/^\d+\.\d\d$/), currency: 'NOK' },
            needed: { amount: '250.00', currency: 'NOK' },
            credit: { account: people.even.bban, amount: { amount: '250.00', currency: 'NOK' } },
            reason: 'Thu 25 Mar, closed: Skjærtorsdag to Andre påskedag, due Tue 30 Mar; funds suffice',
          },
        ],
        planned: [],
      },
    ]);
  });

  test('S4: each of the five attempts of a payment that lacks funds, or fewer when money comes in before', async () => {
    await deposit(control.bank, 'anne', 88_00n);
    await signed('anne', 'shop', '150.00');
    const short = '50.00 NOK short at the';
    expect(lines(await look('2027-04-30'))).toEqual([
      `2027-03-24/4 retry 150.00 of 100.00: ${short} first attempt, run of Wed 24 Mar, 13:30`,
      `2027-03-24/5 retry 150.00 of 100.00: ${short} second attempt, run of Wed 24 Mar, 15:30`,
      `2027-03-30/1 retry 150.00 of 100.00: ${short} third attempt, run of Tue 30 Mar, 05:30`,
      `2027-03-30/2 retry 150.00 of 100.00: ${short} fourth attempt, run of Tue 30 Mar, 09:30`,
      `2027-03-30/3 reject 150.00 of 100.00: ${short} fifth attempt, run of Tue 30 Mar, 11:30`,
    ]);
    await signed('nora', 'anne', '80.00', '2027-03-30');
    expect(lines(await look('2027-04-30')).slice(2)).toEqual([
      `2027-03-30/1 retry 150.00 of 100.00: ${short} third attempt, run of Tue 30 Mar, 05:30`,
      expect.stringMatching(/^2027-03-30\/1 settle 80.00 of .*: funds suffice$/),
      '2027-03-30/2 settle 150.00 of 180.00: funds suffice at the fourth attempt, run of Tue 30 Mar, 09:30',
    ]);
  });

  test('R6, R9: occurrences that are not laid yet, to the end of the order, with their nominal dates', async () => {
    const id = await ordered('10.00', {
      startDate: localDate('2027-04-17'),
      endDate: localDate('2027-07-16'),
      frequency: 'Monthly',
      executionRule: 'preceeding',
    });
    const { body } = await look('P1Y');
    expect(
      body.executions.map((each: Answer['body']) => [each.paymentId, each.nominalDate, each.executionDate]),
    ).toEqual([
      [id, '2027-04-17', '2027-04-16'],
      [id, '2027-05-17', '2027-05-14'],
      [id, '2027-06-17', '2027-06-17'],
    ]);
    expect(body.executions[1].reason).toMatch(
      /^Mon 17 May, closed: weekend, .*Grunnlovsdagen.*, due Fri 14 May \(preceding\); /,
    );
  });

  test('what accounts of the bank receive is what they have then', async () => {
    await signed('nora', 'even', '250.00');
    const fromNora = (to: Person, amount: string) => ({ from: 'nora', to, amount }) as const;
    const items = [fromNora('anne', '7.50'), fromNora('shop', '1.00'), fromNora('even', '2.00')] as const;
    const { payment } = await payBulk(control.bank, items);
    await sign(control.bank, payment.resource_id, 'nora');
    await signed('anne', 'even', '99999.00');
    const { body } = await look('PT2H');
    const booked = async (who: Person): Promise<number> =>
      Number((await control.get(`/sandbox/accounts/${people[who].bban}`)).body.available.amount);
    const foreseen = (who: Person): number =>
      body.executions
        .filter(({ credit }: Answer['body']) => credit?.account === people[who].bban)
        .reduce((sum: number, { credit }: Answer['body']) => sum + Number(credit.amount.amount), 0);
    const before = { even: await booked('even'), anne: await booked('anne') };
    await advance({ by: 'PT2H' });
    expect([foreseen('even'), foreseen('anne')]).toEqual([252, 7.5]);
    expect((await booked('even')) - before.even).toBeCloseTo(foreseen('even'), 2);
    expect((await booked('anne')) - before.anne).toBeCloseTo(foreseen('anne'), 2);
    // Nobody of the bank is paid by the one to the shop, nor by one that does not settle.
    expect(body.executions.filter(({ credit }: Answer['body']) => credit === undefined)).toHaveLength(2);
  });

  test('each item of a bulk payment, with the debits before it', async () => {
    await deposit(control.bank, 'anne', 88_00n);
    const to = (amount: string) => ({ from: 'anne', to: 'shop', amount }) as const;
    const { payment } = await payBulk(control.bank, [to('60.00'), to('50.00'), to('40.00')]);
    await sign(control.bank, payment.resource_id, 'anne');
    const answer = await look('PT2H');
    expect(answer.body.executions.map(({ item }: Answer['body']) => item)).toEqual([
      'payments[0]',
      'payments[1]',
      'payments[2]',
    ]);
    expect(lines(answer)).toEqual([
      '2027-03-24/4 settle 60.00 of 100.00: funds suffice',
      '2027-03-24/4 retry 50.00 of 40.00: 10.00 NOK short at the first attempt, run of Wed 24 Mar, 13:30',
      '2027-03-24/4 settle 40.00 of 40.00: funds suffice',
    ]);
  });

  test('T4: signed when the runs of its day were over', async () => {
    await advance({ to: '2027-03-24T15:45:00+01:00' });
    await signed('nora', 'shop', '10.00');
    expect(lines(await look('P7D'))).toEqual([
      expect.stringMatching(/: signed after the runs of Wed 24 Mar, tried on Tue 30 Mar; funds suffice$/),
    ]);
  });

  test('what is not signed is not foretold; what was is found in the attempts afterwards', async () => {
    await pay(control.bank, { from: 'nora', to: 'shop', amount: '5.00' });
    const id = await signed('anne', 'shop', '150.00');
    const { body } = await look('P10D');
    await advance({ by: 'P10D' });
    const { attempts } = (await control.get(`/sandbox/payments/${id}`)).body;
    const told = body.executions.map(({ run, outcome, available, needed }: Answer['body']) => {
      return { run: `${run.date}/${run.number}`, at: run.at, outcome, available, needed };
    });
    expect(attempts).toMatchObject(told);
    expect((await look('P1Y')).body.executions).toEqual([]);
  });
});

describe('K11: how far', () => {
  test.each([
    ['2027-03-30', '2027-03-30T00:00:00.000+02:00'],
    ['2027-03-30T12:00:00%2B02:00', '2027-03-30T12:00:00.000+02:00'],
    ['2027-03-30T12:00:00+02:00', '2027-03-30T12:00:00.000+02:00'],
    ['2027-03-30T10:00:00Z', '2027-03-30T12:00:00.000+02:00'],
    ['P3D', '2027-03-27T12:00:00.000+01:00'],
    ['PT0S', now],
    ['P10Y', '2037-03-24T12:00:00.000+01:00'],
  ])('to=%s looks to %s', async (to, shown) => {
    const { status, body } = await look(to);
    expect([status, body]).toEqual([200, { from: now, to: shown, executions: [], planned: [] }]);
  });

  test.each([
    ['to=2027-03-24', 'has passed', { from: now }],
    ['to=1066-10-14', 'has passed', { to: '2037-03-24T12:00:00.000+01:00' }],
    ['to=P10YT1S', 'A forecast looks 10 years ahead at most', { from: now, to: '2037-03-24T12:00:00.000+01:00' }],
    ['to=2100-01-01', '2099', { to: '2099-12-31T23:59:59.999+01:00' }],
    ['to=P99Y', '2099', { to: '2099-12-31T23:59:59.999+01:00' }],
  ])('?%s: 400 that says %s, with what is allowed', async (query, words, allowed) => {
    const { status, body, headers } = await control.get(`/sandbox/forecast?${query}`);
    expect([status, headers['content-type']]).toEqual([400, expect.stringContaining('application/problem+json')]);
    expect(body).toMatchObject({ detail: expect.stringContaining(words), allowed });
  });

  test.each([
    '',
    'to=',
    'to=tomorrow',
    'to=2027-02-31',
    'to=2027-03-30T12:00',
    'to=-P1D',
    'to=P1.5D',
    'to=P3D&runs=1',
    'to=P1D&to=P2D',
  ])('?%s: 400, and what is expected', async (query) => {
    const { status, body } = await control.get(`/sandbox/forecast?${query}`);
    expect([status, body.status]).toEqual([400, 400]);
    if (!query.includes('&'))
      expect(body).toMatchObject({ code: 'FORMAT_ERROR', errors: [{ path: 'to' }], allowed: expect.any(Array) });
  });
});

test('it changes nothing: every row is as before, and the clock too', async () => {
  await ordered('90.00', { startDate: localDate('2027-03-25'), frequency: 'Weekly' }, 'anne');
  await signed('anne', 'shop', '150.00');
  const before = await dump(control.bank);
  expect((await look('P1Y')).body.executions.length).toBeGreaterThan(100);
  expect(await dump(control.bank)).toEqual(before);
});

test('while an advance is under way it answers from where the bank stands', async () => {
  await ordered('0.01', { startDate: localDate('2027-03-26'), frequency: 'Daily' });
  const long = advance({ by: 'P4Y' });
  let done = false;
  void long.then(() => (done = true));
  await new Promise((resolve) => setTimeout(resolve, 20));
  const { status, body } = await look('P1M');
  expect(done).toBe(false);
  expect([status, body.executions.length > 0]).toEqual([200, true]);
  const advanced = await long;
  expect(advanced.status).toBe(200);
  const { from, to } = advanced.body;
  expect([at(from) < at(body.from), at(body.from) < at(to)]).toEqual([true, true]);
});

test('a running clock that is behind: the overdue runs are told first', async () => {
  const wall = manualClock(at(now));
  await using behind = await openControl(now, { wall, start: { mode: 'running', now: at(now) } });
  await paySigned(behind.bank, { from: 'nora', to: 'shop', amount: '5.00' });
  wall.set(at('2027-03-24T14:00:00+01:00'));
  const { body } = await behind.get('/sandbox/forecast?to=PT0S');
  expect(body.executions.map(({ run }: Answer['body']) => run.at)).toEqual(['2027-03-24T13:30:00.000+01:00']);
});
