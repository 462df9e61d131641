import { expect, test } from '@jest/globals';
import { beginHousehold } from '../../engine/life/begin-household.ts';
import { beginLife } from '../../engine/life/begin-life.ts';
import type { Role } from '../../engine/life/rules/persona.ts';
import { advanceClock } from '../../engine/runs/advance-clock.ts';
import { forecast } from '../../engine/runs/forecast.ts';
import { topUp } from '../../engine/sandbox-data/inspect-accounts.ts';
import { limitOf } from '../../engine/values/money.ts';
import { truthOf } from '../../engine/sandbox-data/life-truth.ts';
import { localDate } from '../../engine/values/local-date.ts';
import { at } from '../lab/bank.ts';
import { lifeDifferences } from '../lab/simulation/lived.ts';
import { brokenProofs } from '../lab/proof.ts';
import { oneOf } from '../support/sample.ts';
import { personaNames, personaOf } from '../../api/start/fixtures.ts';
import { family, knownState, lowestOf, numbers, open, personaNamed, personaWith, statement } from './lived-banks.ts';

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
    const { planned, executions } = await forecast(bank, { to });
    await advanceClock(bank, to);
    const lived: string[] = [];
    for (const { account } of lives)
      for (const { bookingDate, amount, isPlanned } of await truthOf(bank, account, { from: today, to: null }))
        if (isPlanned) lived.push(`${bookingDate} ${account} ${amount.minor}`);
    const paid = executions.filter(({ outcome }) => outcome === 'settle');
    const named = [
      ...planned.map(({ date, account, amount }) => `${date} ${account} ${amount.minor}`),
      ...paid.map(({ run: { date }, account, needed }) => `${date} ${account} ${-needed.minor}`),
    ];
    expect([planned.length > 30, paid.length > 0]).toEqual([true, true]);
    expect(lived.toSorted()).toEqual(named.toSorted());
  }
});

test('L11: in a made past each event says the same as once lived, for every persona', async () => {
  for (const persona of oneOf('personas of the truth', personaNames().map(personaNamed))) {
    const bank = await open({ knownState: knownState('2500000.00') });
    const { account } = await beginLife(bank, shared, { persona, months: 3 });
    await advanceClock(bank, at('2027-02-23T10:00:00+01:00'));
    const said = new Map<string, Set<string>>();
    for (const line of await truthOf(bank, account, { from: null, to: null })) {
      const { event, amount, isPlanned, isPayment, paymentId, bookingDate } = line;
      if (event !== null && bookingDate < today) expect([event, paymentId]).toEqual([event, null]);
      const key = `${event} ${amount.minor < 0n ? 'out' : 'in'}`;
      const says = said.get(key) ?? new Set();
      said.set(key, says.add(`${isPlanned}-${isPayment} ${bookingDate < today ? 'past' : 'lived'}`));
    }
    for (const [event, says] of said) {
      const both = [...says].map((one) => one.split(' ')[0]);
      if (event !== 'invoice-paid-twice in') expect([event, new Set(both).size]).toEqual([event, 1]);
    }
  }
});

test('L11: no forecast names the second payment of what is paid twice', async () => {
  const bank = await open();
  const event = { event: 'twice', kind: 'transfer', amount: '100.00', text: 'Faktura', againAfterDays: 3 };
  const persona = await personaWith([[1, event]]);
  const { account } = await beginLife(bank, shared, { persona, months: 2 });
  const to = at('2026-12-20T10:00:00+01:00');
  const { planned } = await forecast(bank, { to });
  await advanceClock(bank, to);
  const truth = (await truthOf(bank, account, { from: null, to: null })).filter(({ event }) => event !== null);
  expect(planned).toHaveLength(1);
  expect(truth.map(({ isPlanned }) => isPlanned)).toEqual([true, false, true, false, true, false]);
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

test.each([
  ['has room for it: booked on both', limitOf('customer') - 10_000n, -5_000n, 5_000n],
  ['is at its limit: booked on neither', limitOf('customer'), undefined, undefined],
])('P4, L12: a transfer to an account of the household that %s', async (_what, balance, sent, came) => {
  const bank = await open({ knownState: knownState('900.00') });
  await topUp(bank, own, { minor: balance - 90_000n, currency: 'NOK' });
  const saving = { event: 'saving', kind: 'transfer', amount: '-50.00', text: 'Sparing', to: 'savings' };
  const persona = await personaOf({
    name: 'saver',
    description: 'Saves',
    netPerYear: '0.00',
    household: [{ role: 'savings', name: 'Sparekonto', balance: '0.00' }],
    events: [{ ...saving, when: { days: [25], rule: 'following' }, parties: [{ name: 'Sparekonto' }] }],
  });
  const given = new Map<Role, string>([
    ['shared', shared],
    ['savings', own],
  ]);
  await beginHousehold(bank, given, { persona, months: 0 });
  await advanceClock(bank, at('2026-11-27T10:00:00+01:00'));
  const moved = async (number: string) =>
    (await statement(bank, number)).entries.find(({ bookingDate }) => bookingDate > '2026-11-24')?.amount.minor;
  expect([await moved(shared), await moved(own)]).toEqual([sent, came]);
  expect(await brokenProofs(bank)).toEqual({});
});
