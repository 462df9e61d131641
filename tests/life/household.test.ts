import { expect, test } from '@jest/globals';
import { beginHousehold } from '../../engine/life/begin-household.ts';
import { beginLife } from '../../engine/life/begin-life.ts';
import type { Role } from '../../engine/life/rules/persona.ts';
import { advanceClock } from '../../engine/runs/advance-clock.ts';
import { forecast } from '../../engine/runs/forecast.ts';
import { truthOf } from '../../engine/sandbox-data/life-truth.ts';
import { localDate } from '../../engine/values/local-date.ts';
import { at } from '../lab/bank.ts';
import { lifeDifferences } from '../lab/simulation/lived.ts';
import { brokenProofs } from '../lab/proof.ts';
import { family, knownState, lowestOf, numbers, open, personaNamed, statement } from './lived-banks.ts';

const [shared = '', own = ''] = numbers;
/** The day after the banks open. */
const today = localDate('2026-11-24');

test('L12: a household has the accounts that are given and those that are made, and what leaves one comes in on the other', async () => {
  const bank = await open({ knownState: knownState('21500.00') });
  const given = new Map<Role, string>([
    ['shared', shared],
    ['own-1', own],
  ]);
  const lives = await beginHousehold(bank, given, { persona: family, months: 6 });
  expect(lives.map(({ role }) => role)).toEqual(['own-1', 'own-2', 'shared', 'own-3', 'savings', 'loan']);
  expect(lives.find(({ role }) => role === 'own-1')?.account).toBe(own);
  const numberOf = (role: Role): string => lives.find((life) => life.role === role)?.account ?? '';
  await advanceClock(bank, at('2027-02-23T10:00:00+01:00'));
  expect(await brokenProofs(bank)).toEqual({});
  expect(await lifeDifferences(bank, '2027-02-23')).toEqual([]);
  const all = { from: null, to: null };
  const truths = new Map<Role, Awaited<ReturnType<typeof truthOf>>>();
  for (const { role, account } of lives) if (role !== null) truths.set(role, await truthOf(bank, account, all));
  let transfers = 0;
  for (const [role, truth] of truths) {
    for (const { ownAccount, amount, bookingDate, event } of truth) {
      if (ownAccount === null || amount.minor > 0n) continue;
      transfers += 1;
      const other = lives.find(({ account }) => account === ownAccount)?.role ?? 'shared';
      const came = truths.get(other)?.filter((one) => {
        return one.event === event && one.bookingDate === bookingDate && one.amount.minor === -amount.minor;
      });
      expect([event, bookingDate, came?.map((one) => one.ownAccount)]).toEqual([event, bookingDate, [numberOf(role)]]);
    }
  }
  expect(transfers).toBeGreaterThan(70);
  const loan = (await statement(bank, numberOf('loan'))).entries;
  expect(loan.filter(({ text }) => text === 'Renter boliglån').length).toBe(9);
  expect(loan.filter(({ amount }) => amount.minor === 2_145_000n).length).toBe(9);
  for (const { role, account } of lives) {
    const { entries } = await statement(bank, account);
    if (role !== 'loan') expect([role, lowestOf(entries) >= 0n || lowestOf(entries)]).toEqual([role, true]);
  }
});

test('L11, D3e: the truth of a household and of a life alone marks what a forecast named, each transfer once', async () => {
  for (const isAlone of [false, true]) {
    const bank = await open({ knownState: knownState('21500.00') });
    const lives = isAlone
      ? [await beginLife(bank, shared, { persona: family, months: 2 })]
      : await beginHousehold(bank, new Map([['shared', shared]]), { persona: family, months: 2 });
    const to = at('2027-02-15T18:00:00+01:00');
    const { planned } = await forecast(bank, { to });
    await advanceClock(bank, to);
    const lived: string[] = [];
    for (const { account } of lives)
      for (const { bookingDate, amount, event, isPlanned } of await truthOf(bank, account, { from: today, to: null }))
        if (isPlanned) lived.push(`${bookingDate} ${account} ${event} ${amount.minor}`);
    const named = planned.map(({ date, account, event, amount }) => `${date} ${account} ${event} ${amount.minor}`);
    expect(named.length).toBeGreaterThan(30);
    expect(lived.toSorted()).toEqual(named.toSorted());
  }
});

test('L12, D3e: the forecast of a household happens, its transfers included', async () => {
  const bank = await open({ knownState: knownState('21500.00') });
  const lives = await beginHousehold(bank, new Map([['shared', shared]]), { persona: family, months: 2 });
  const to = at('2027-04-23T10:00:00+02:00');
  const { planned, executions } = await forecast(bank, { to });
  await advanceClock(bank, to);
  const again = await forecast(bank, { to: at('2027-04-24T10:00:00+02:00') });
  expect(again.executions).toEqual([]);
  expect(executions.filter(({ outcome }) => outcome === 'settle')).toHaveLength(executions.length);
  for (const { account, role } of lives) {
    const { entries } = await statement(bank, account);
    const booked = new Set(entries.map(({ bookingDate, amount }) => `${bookingDate} ${amount.minor}`));
    const own_ = planned.filter((one) => one.account === account);
    expect([role, own_.filter(({ date, amount }) => !booked.has(`${date} ${amount.minor}`))]).toEqual([role, []]);
  }
  expect(new Set(planned.map(({ event }) => event))).toEqual(expect.objectContaining({ size: expect.any(Number) }));
  expect(planned.filter(({ event }) => event === 'to-joint-account').length).toBeGreaterThan(4);
});

test('L12: a persona without a household, and an account that it does not have, are refused', async () => {
  const bank = await open();
  const student = { persona: personaNamed('student') };
  expect(() => beginHousehold(bank, new Map([['shared', shared]]), student)).toThrow(/student has no account beside/);
  const strange = new Map<Role, string>([
    ['shared', shared],
    ['own-4', own],
  ]);
  expect(() => beginHousehold(bank, strange, { persona: family })).toThrow(/family has no account own-4/);
});
