import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { listedProfile, quirksOf } from '../../api/start/profile.ts';
import { type Bank, openBank } from '../../engine/open-bank.ts';
import { hashLedger } from '../../engine/bank/change-state.ts';
import { takeLedgerImage, saveSnapshot } from '../../engine/bank/snapshots.ts';
import { beginLife, endLife, listLives } from '../../engine/life/begin-life.ts';
import { resetBank, restoreSnapshot } from '../../engine/reset-and-restore.ts';
import { addTransactions } from '../../engine/accounts/mock-transactions.ts';
import { accountByNumber } from '../../engine/accounts/rows/accounts.ts';
import { deleteAccount } from '../../engine/sandbox-data/customers.ts';
import { truthOf } from '../../engine/sandbox-data/life-truth.ts';
import { advanceClock } from '../../engine/runs/advance-clock.ts';
import { forecast } from '../../engine/runs/forecast.ts';
import { localDate } from '../../engine/values/local-date.ts';
import { at, calendar, manualClock } from '../lab/bank.ts';
import { brokenProofs } from '../lab/proof.ts';
import { rowsIn } from '../lab/rows.ts';
import { tempFolder } from '../support/temp-folder.ts';
import {
  now,
  family,
  personaNamed,
  numbers,
  knownState,
  open,
  statement,
  personaWith,
  ownBank,
} from './lived-banks.ts';

const bien = quirksOf(await listedProfile('bien-sparebank'));
const oneRun = { private: ['08:00'], corporate: ['08:00'] } as const;
const folder = tempFolder();

test.each([
  ['by default', {}],
  ['at Bien, if it had one run a day', { quirks: bien, settlementTimes: oneRun }],
])(
  'L3, D3c, S6: a past that was made equals one that was lived, and ends at the balance of today: %s',
  async (_, settings) => {
    const bank = await open(settings);
    const lived = await open({ ...settings, now: '2026-05-23T10:00:00+02:00' });
    for (const [index, name] of ['family', 'student', 'shop'].entries()) {
      const number = numbers[index] ?? '';
      const before = await statement(bank, number);
      await beginLife(bank, number, { persona: personaNamed(name), months: 6 });
      const after = await statement(bank, number);
      expect(after.balances.interimBooked).toBe(before.balances.interimBooked);
      await beginLife(lived, number, { persona: personaNamed(name), months: 1 });
    }
    await advanceClock(lived, at(now));
    for (const [index, name] of ['family', 'student', 'shop'].entries()) {
      const number = numbers[index] ?? '';
      const leftOver = new Set(['Sparekonto', 'BSU', 'Plasseringskonto']);
      const reckoned = new Set(personaNamed(name).events.flatMap((event) => ('rate' in event ? [event.text] : [])));
      const told = async (of: Bank): Promise<string[]> => {
        const { entries } = await statement(of, number);
        // From the second month on, so that no refund of a purchase of before the past is among them.
        return entries
          .filter(({ bookingDate, text }) => bookingDate > '2026-06-20' && !reckoned.has(text) && !leftOver.has(text))
          .map(({ bookingDate, valueDate, amount, text }) => `${bookingDate} ${valueDate} ${amount.minor} ${text}`)
          .toSorted();
      };
      const made = await told(bank);
      expect(made.length).toBeGreaterThan(150);
      expect(made).toEqual(await told(lived));
    }
  },
  60_000,
);

test('L5, D3e: the forecast has salaries as executions, without an id before the midnight that orders them, and never as planned', async () => {
  const bank = await open();
  const [number = ''] = numbers;
  await beginLife(bank, number, { persona: personaNamed('shop') });
  const haveIds = async (): Promise<boolean[]> => {
    const { planned, executions } = await forecast(bank, { to: at('2026-12-15T23:00:00+01:00') });
    expect(planned.some(({ event }) => event === 'salaries')).toBe(false);
    const salaries = executions.filter(({ item, executionDate }) => item !== null && executionDate === '2026-12-15');
    return [...new Set(salaries.map(({ paymentId }) => paymentId !== null))];
  };
  await advanceClock(bank, at('2026-12-14T23:59:59+01:00'));
  expect(await haveIds()).toEqual([false]);
  await advanceClock(bank, at('2026-12-15T00:00:00+01:00'));
  expect(await haveIds()).toEqual([true]);
});

test('L5, L11: the truth tells salaries from holiday pay, in the past and lived', async () => {
  const bank = await open();
  const [number = '', other = ''] = numbers;
  const bulk = (month: number, amount: string, event: string) => {
    const when = { days: [15], rule: 'preceeding', months: [month] };
    return [15, { event, kind: 'bulk', when, text: 'Lønn', payees: [{ name: 'Z', account: other, amount }] }] as const;
  };
  const persona = await personaWith([bulk(5, '30.00', 'salaries'), bulk(6, '40.00', 'holiday-pay')]);
  await beginLife(bank, number, { persona });
  await advanceClock(bank, at('2027-06-20T10:00:00+02:00'));
  const told = (await truthOf(bank, number, { from: localDate('2026-01-01'), to: null })).map(
    ({ bookingDate, event }) => `${bookingDate.slice(0, 7)} ${event}`,
  );
  expect(told).toEqual(['2026-05 salaries', '2026-06 holiday-pay', '2027-05 salaries', '2027-06 holiday-pay']);
});

test('L11b: the truth says what comes again by agreement, and names the shop of each card purchase', async () => {
  const bank = await open();
  const [number = ''] = numbers;
  await beginLife(bank, number, { persona: family, months: 12 });
  const truth = await truthOf(bank, number, { from: null, to: null });
  const told = (event: string) => [
    ...new Set(
      truth.flatMap((one) => (one.event === event && one.refundOf === null ? [JSON.stringify(one.recurring)] : [])),
    ),
  ];
  expect(told('common-charges')).toEqual(['{"every":"P1M","kind":"rent"}']);
  expect(told('salary')).toEqual(['{"every":"P1M","kind":"salary"}']);
  expect(told('streaming')).toEqual(['{"every":"P1M","kind":"subscription"}']);
  expect(told('music-school')).toEqual(['{"every":"P6M","kind":"fee"}']);
  for (const habit of ['groceries', 'vipps-out', 'left-over', 'interest', 'trip-abroad'])
    expect(told(habit)).toEqual(['null']);
  const refunds = truth.filter(({ refundOf }) => refundOf !== null);
  expect(refunds.length).toBeGreaterThan(0);
  expect(new Set(refunds.map(({ recurring }) => recurring))).toEqual(new Set([null]));
  const shops = (wanted: RegExp) => [
    ...new Set(truth.flatMap(({ text, merchant, mcc }) => (wanted.test(text) ? [`${merchant} ${mcc}`] : []))),
  ];
  expect(shops(/TRÅD OG TVIST/)).toEqual(['TRÅD OG TVIST 5651']);
  expect(shops(/KURV OG KASSE 114/)).toEqual(['KURV OG KASSE 5411']);
  expect(shops(/STRØMMLY/)).toEqual(['STRØMMLY 5815']);
  expect(shops(/(?:ROMA|LISBOA|MALAGA) Kurs/).every((shop) => /^[^*]+ \d{4}$/.test(shop))).toBe(true);
  const isCard = ({ text }: { readonly text: string }): boolean => /^(?:\*\d{4} )?\d\d\.\d\d /.test(text);
  expect(truth.filter((one) => isCard(one) !== (one.merchant !== null))).toEqual([]);
  expect(truth.filter(({ merchant, mcc }) => (merchant === null) !== (mcc === null))).toEqual([]);
});

test('L4: without funds purchases are declined and standing orders fail, and fees and overdraft interest follow', async () => {
  const bank = await open({ knownState: knownState('900.00', '3000.00') });
  const [number = ''] = numbers;
  await beginLife(bank, number, { persona: personaNamed('short-of-funds'), months: 1 });
  await advanceClock(bank, at('2028-11-30T03:00:00+01:00'));
  const { entries } = await statement(bank, number);
  const times = (wanted: string): number => entries.filter(({ text }) => text === wanted).length;
  expect(times('Gebyr avvist fast oppdrag')).toBeGreaterThan(2);
  expect(times('Overtrekksrente')).toBeGreaterThan(5);
  const rejected = await rowsIn(bank, `select id from execution where status = 'RJCT'`);
  const fees = entries
    .filter(({ text, bookingDate }) => text === 'Gebyr avvist fast oppdrag' && bookingDate > '2026-11-23')
    .reduce((sum, { amount }) => sum - amount.minor, 0n);
  expect(fees).toBe(BigInt(rejected.length) * 6_000n);
  const rent = entries.filter(({ text }) => text === 'Utleie Fjordvik AS').length;
  expect(rent).toBeLessThan(24);
  // Fees and what was booked for more than was reserved may go below the line, by little.
  const sinceToday = entries.filter(({ bookingDate }) => bookingDate > '2026-11-23');
  const lowest = sinceToday.reduce((low, { balance }) => (balance.minor < low ? balance.minor : low), 0n);
  expect(Number(lowest)).toBeGreaterThan(-450_000);
  expect(await brokenProofs(bank)).toEqual({});
});

test('L4: a purchase may reserve the last øre of balance and credit line; then the fees of the bank alone are booked', async () => {
  const bank = await open({ knownState: knownState('100.00', '50.00') });
  const [number = ''] = numbers;
  const deposit = { kind: 'card', card: 'visa', shops: ['X'], lapsesAfterDays: 7 };
  const persona = await personaWith([
    [25, { ...deposit, amount: '-60.00' }],
    [26, { ...deposit, amount: '-90.00' }],
    [27, { ...deposit, amount: '-0.01' }],
    [27, { kind: 'transfer', amount: '-0.01', text: 'Gave', parties: [{ name: 'Y' }] }],
    [27, { kind: 'transfer', amount: '-5.00', text: 'Gebyr' }],
    // It means to be short of funds: its past ends at the balance of today (L3).
    [30, { kind: 'left over', keeps: '1.00', text: 'Inkasso', party: { name: 'Z' } }],
  ]);
  await beginLife(bank, number, { persona, months: 1 });
  await advanceClock(bank, at('2026-11-28T00:00:00+01:00'));
  const { pending, entries } = await statement(bank, number);
  expect(pending.map(({ amount }) => amount.minor)).toEqual([-6_000n, -9_000n]);
  const booked = entries.filter(({ bookingDate }) => bookingDate > '2026-11-23');
  expect(booked.map(({ text, balance }) => [text, balance.minor])).toEqual([['Gebyr', 9_500n]]);
});

test.each([
  ['before the first run of the day', '05:29', {}, '2026-11-23'],
  ['at the first run', '05:30', {}, '2026-11-23'],
  ['between the first run and the next', '08:00', {}, '2026-11-23'],
  ['after the only run of the day', '10:00', { settlementTimes: oneRun }, '2026-11-23'],
  ['before the only run of the day', '07:00', { settlementTimes: oneRun }, '2026-11-24'],
])(
  'L3, S6: an order and salaries of today are paid once by a life that begins %s',
  async (_, time, settings, booked) => {
    const bank = await open({ ...settings, now: `2026-11-23T${time}:00+01:00` });
    const [number = '', other = ''] = numbers;
    const persona = await personaWith([
      [23, { kind: 'standing order', amount: '10.00', text: 'Leie', party: { name: 'Y', account: other } }],
      [23, { kind: 'bulk', text: 'Lønn', payees: [{ name: 'Z', account: other, amount: '20.00' }] }],
    ]);
    await beginLife(bank, number, { persona, months: 1 });
    await advanceClock(bank, at('2026-11-25T20:00:00+01:00'));
    const { entries } = await statement(bank, number);
    const ofNovember = entries.filter(({ bookingDate }) => bookingDate > '2026-11-01');
    expect(ofNovember.map(({ bookingDate, amount }) => `${bookingDate} ${amount.minor}`).toSorted()).toEqual([
      `${booked} -1000`,
      `${booked} -2000`,
    ]);
  },
);

test('L3: a purchase of the day before the past is neither booked in it nor reserved', async () => {
  const bank = await open();
  const [number = ''] = numbers;
  const persona = await personaWith([[22, { kind: 'card', card: 'visa', amount: '-7.00', shops: ['KIOSK'] }]]);
  await beginLife(bank, number, { persona, months: 1 });
  const { entries, pending } = await statement(bank, number);
  expect([...entries, ...pending].filter(({ amount }) => amount.minor === -700n)).toEqual([]);
  await beginLife(bank, numbers[1] ?? '', { persona, months: 2 });
  const texts = (await statement(bank, numbers[1] ?? '')).entries.map(({ text }) => text);
  expect(texts).toEqual(['Opening balance', expect.stringContaining('22.10 NOK 7.00 KIOSK')]);
});

test.each([
  ['by default', {}, '2026-11-16', '2026-10-30'],
  ['under weekend-values', { quirks: bien }, '2026-11-15', '2026-10-30'],
])(
  'L3, D3c: the value dates of orders of the past that closed days moved later and earlier, %s',
  async (_, settings, later, earlier) => {
    const bank = await open(settings);
    const [number = '', other = ''] = numbers;
    const party = { name: 'Y', account: other };
    const order = (day: number, rule: string, text: string) =>
      [day, { kind: 'standing order', when: { days: [day], rule }, amount: '10.00', text, party }] as const;
    const persona = await personaWith([order(15, 'following', 'Leie'), order(1, 'preceeding', 'Avdrag')]);
    await beginLife(bank, number, { persona, months: 1 });
    const { entries } = await statement(bank, number);
    const values = entries.filter(({ amount }) => amount.minor === -1_000n).map(({ valueDate }) => valueDate);
    expect(values.toSorted()).toEqual([earlier, later]);
  },
);

test('L2: interest is booked on the last day of the year, on the balances of the days', async () => {
  const bank = await open();
  const [number = ''] = numbers;
  const quiet = { ...family, events: family.events.filter(({ kind }) => kind === 'interest') };
  await beginLife(bank, number, { persona: quiet });
  await advanceClock(bank, at('2028-01-02T10:00:00+01:00'));
  const { entries } = await statement(bank, number);
  // 0.25 per cent of 249,934.95, which was made so that today's balance is 250,000.00, for 38 days; then of 250,000.00 and of 250,625.00 for a year.
  expect(
    entries.filter(({ text }) => text === 'Renter').map(({ bookingDate, amount }) => [bookingDate, amount.minor]),
  ).toEqual([
    ['2025-12-31', 6_505n],
    ['2026-12-31', 62_500n],
    ['2027-12-31', 62_656n],
  ]);
});

test('L2: what is booked on the way earns interest from its day on, in one advance and in several', async () => {
  const [number = ''] = numbers;
  const interestAfter = async (...days: readonly string[]) => {
    const bank = await open();
    const persona = await personaWith([
      [14, { kind: 'transfer', amount: '36500.00', text: 'Gave' }],
      [15, { kind: 'interest', text: 'Renter', rate: '1.00' }],
    ]);
    await beginLife(bank, number, { persona, months: 1 });
    for (const day of days) await advanceClock(bank, at(`${day}T10:00:00+01:00`));
    const { entries } = await statement(bank, number);
    return entries
      .filter(({ text }) => text === 'Renter')
      .map(({ bookingDate, amount }) => [bookingDate, amount.minor]);
  };
  // From the interest of the past on: 1 per cent of 250,000.00 for 28 days and of 286,500.00 for one; then, with the interest of December, of
  // 286,699.63 for 30 days and of 323,199.63 for one.
  const wanted = [
    ['2026-11-16', 14_029n],
    ['2026-12-15', 19_963n],
    ['2027-01-15', 24_450n],
  ];
  expect(await interestAfter('2027-01-20')).toEqual(wanted);
  expect(await interestAfter('2026-12-14', '2026-12-15', '2027-01-01', '2027-01-20')).toEqual(wanted);
});

test('L2, S8b: what is reserved is booked as it would have been: after a restore, in a copy of the ledger, and when all is done again', async () => {
  const [number = ''] = numbers;
  const reserving = async (): Promise<Bank> => {
    const bank = await open();
    await beginLife(bank, number, { persona: family, months: 1 });
    await advanceClock(bank, at('2026-11-26T20:00:00+01:00'));
    const day = localDate('2026-12-01');
    const mock = { amount: -7_700n, currency: 'NOK', bookingDate: day, valueDate: day, details: {} } as const;
    const account = await bank.ledger.read((reader) => accountByNumber(reader, number));
    await addTransactions(bank, account?.resource_id ?? '', [mock]);
    return bank;
  };
  const later = async (bank: Bank) => {
    await advanceClock(bank, at('2026-12-06T12:00:00+01:00'));
    return { hash: await hashLedger(bank, 'left-out'), ...(await statement(bank, number)) };
  };
  const bank = await reserving();
  const before = await statement(bank, number);
  expect(before.pending.length).toBeGreaterThan(1);
  await saveSnapshot(bank, 'reserved');
  const copy = await openBank({ ...ownBank, ledger: ':memory:', copied: await takeLedgerImage(bank) });
  const wanted = await later(bank);
  expect(wanted.entries.some(({ amount }) => amount.minor === -7_700n)).toBe(true);
  await restoreSnapshot(bank, 'reserved');
  expect(await statement(bank, number)).toEqual(before);
  expect(await later(bank)).toEqual(wanted);
  expect(await later(copy)).toEqual(wanted);
  expect(await later(await reserving())).toEqual(wanted);
});

test('L7: DELETE cancels the standing orders and releases what is reserved; what is booked stays, and nothing comes any more', async () => {
  const bank = await open();
  const [number = ''] = numbers;
  await beginLife(bank, number, { persona: family });
  await advanceClock(bank, at('2026-11-26T20:00:00+01:00'));
  const before = await statement(bank, number);
  expect(before.pending.length).toBeGreaterThan(0);
  await endLife(bank, number);
  const after = await statement(bank, number);
  expect(after.entries).toEqual(before.entries.map((entry) => ({ ...entry, event: null })));
  expect(after.pending).toEqual([]);
  expect(after.balances.interimAvailable).toBe(after.balances.interimBooked);
  const open_ = await rowsIn(bank, `select id from execution where status not in ('CANC', 'ACSC')`);
  expect(open_).toEqual([]);
  await advanceClock(bank, at('2027-03-26T20:00:00+01:00'));
  expect((await statement(bank, number)).entries).toEqual(after.entries);
  expect(await listLives(bank)).toEqual([]);
  // Without lives nothing is read or written.
  expect(await rowsIn(bank, 'select lived_until from bank_state')).toEqual([{ lived_until: null }]);
  await expect(endLife(bank, number)).rejects.toThrow(/has no life/);
  await beginLife(bank, number, { persona: family, months: 1 });
  const account = await bank.ledger.read((reader) => accountByNumber(reader, number));
  await deleteAccount(bank, account?.resource_id ?? '');
  expect(await listLives(bank)).toEqual([]);
});

test('L7: a reset brings the life of the fixtures back', async () => {
  const state = knownState('1000.00');
  const [customer] = state.customers;
  if (customer === undefined) throw new Error('there is a customer');
  const [account, ...others] = customer.accounts;
  if (account === undefined) throw new Error('there is an account');
  const lived = { ...state, customers: [{ ...customer, accounts: [{ ...account, persona: family }, ...others] }] };
  const bank = await open({ knownState: lived });
  const begun = [{ account: account.bban, persona: 'family', seed: 'sandbank', from: '2025-11-23', role: null }];
  expect(await listLives(bank)).toEqual(begun);
  const hash = await hashLedger(bank, 'left-out');
  await endLife(bank, account.bban);
  await advanceClock(bank, at('2026-12-23T10:00:00+01:00'));
  await resetBank(bank);
  expect(await listLives(bank)).toEqual(begun);
  expect(await hashLedger(bank, 'left-out')).toBe(hash);
});

test('L2: with a running clock a life goes on at runs and midnights', async () => {
  const wall = manualClock(at(now));
  const bank = await openBank({
    ledger: ':memory:',
    wall,
    ids: { seed: 'running' },
    calendar,
    knownState: knownState('250000.00'),
    start: { mode: 'running', now: at(now) },
  });
  const [number = ''] = numbers;
  await beginLife(bank, number, { persona: family });
  const saturday = at('2026-11-28T18:00:00+01:00');
  wall.set(saturday);
  await advanceClock(bank, 'now');
  const evening = await statement(bank, number);
  wall.set(at('2026-11-29T00:00:01+01:00'));
  await advanceClock(bank, 'now');
  const sunday = await statement(bank, number);
  expect(sunday.entries).toEqual(evening.entries);
  expect(sunday.pending.length).toBeGreaterThanOrEqual(evening.pending.length);
  await bank.close();
});
test('L3: a past before the calendar of the banks, and an account in another currency, are refused', async () => {
  const bank = await open({ now: '1994-06-01T10:00:00+02:00' });
  await expect(beginLife(bank, numbers[0] ?? '', { persona: family, months: 60 })).rejects.toThrow(
    /banking calendar begins/,
  );
  await expect(beginLife(bank, numbers[0] ?? '', { persona: family, months: 48 })).resolves.toMatchObject({
    from: '1990-06-01',
  });
  await expect(beginLife(bank, numbers[1] ?? '', { persona: family, months: 51 })).resolves.toMatchObject({
    from: '1990-03-01',
  });
});

test('L2, L5: a life that begins between two advances has its salaries on their days, however long the next advance is', async () => {
  const quiet = await personaWith([
    [15, { kind: 'transfer', amount: '-100.00', text: 'Takk', parties: [{ name: 'Ola' }] }],
  ]);
  const lived = async (steps: readonly string[]) => {
    const bank = await open();
    await beginLife(bank, numbers[0] ?? '', { persona: quiet, months: 1 });
    await advanceClock(bank, at('2026-11-24T10:00:00+01:00'));
    await beginLife(bank, numbers[1] ?? '', { persona: personaNamed('shop'), months: 1 });
    for (const step of steps) await advanceClock(bank, at(`${step}T10:00:00+01:00`));
    const booked = await statement(bank, numbers[1] ?? '');
    await bank.close();
    return booked.entries.map(({ bookingDate, amount, balance }) => [bookingDate, amount, balance]);
  };
  const days = Array.from({ length: 28 }, (_, day) => `2026-12-${String(day + 1).padStart(2, '0')}`);
  expect(await lived(['2026-12-28'])).toEqual(await lived(days));
});

test('L4: a bank that opens again with earlier runs books each purchase that it had reserved, once', async () => {
  const [number = ''] = numbers;
  const late = { private: ['14:00', '20:00'], corporate: ['20:00'] } as const;
  const early = { private: ['06:00'], corporate: ['06:00'] } as const;
  // Some are booked on the day itself: at 15:00, and with the earlier runs at 06:00, which has passed.
  const amounts = Array.from({ length: 20 }, (_, index) => `-${index + 1}.00`);
  const purchase = { kind: 'card', card: 'domestic', shops: ['KIOSK'] };
  const persona = await personaWith(amounts.map((amount) => [24, { ...purchase, amount }]));
  const ledger = join(folder, 'reopened.sqlite');
  const bank = await open({ ledger, settlementTimes: late });
  await beginLife(bank, number, { persona, months: 0 });
  await advanceClock(bank, at('2026-11-24T14:30:00+01:00'));
  const reserved = (await statement(bank, number)).pending.map(({ amount }) => amount.minor);
  expect(reserved.length).toBeGreaterThan(5);
  await bank.close();
  await using again = await open({ ledger, settlementTimes: early });
  await advanceClock(again, at('2026-12-10T12:00:00+01:00'));
  const { entries, pending } = await statement(again, number);
  const booked = entries.slice(1).map(({ amount }) => amount.minor);
  expect([pending, new Set(booked).size]).toEqual([[], booked.length]);
  expect(booked).toEqual(expect.arrayContaining(reserved));
});
