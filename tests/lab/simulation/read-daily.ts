import { loadPriceList } from '../../../api/start/fixtures.ts';
import type { Bank } from '../../../engine/bank.ts';
import type { KnownState } from '../../../engine/bank/known-state.ts';
import { noQuirks, type Quirks } from '../../../engine/bank/rules/quirk.ts';
import { checkSettlementTimes } from '../../../engine/bank/change-state.ts';
import { addTransactions } from '../../../engine/accounts/mock-transactions.ts';
import type { Frequency } from '../../../engine/time/rules/occurrences.ts';
import { runSchedule } from '../../../engine/time/rules/settlement-run.ts';
import type { DayTimes } from '../../../engine/time/rules/cut-offs.ts';
import { products } from '../../../engine/values/product.ts';
import type { Instant } from '../../../engine/values/instant.ts';
import { localDate } from '../../../engine/values/local-date.ts';
import { accountIdOf } from '../consented.ts';
import { knownState as usualState, manualClock, memoryBank } from '../bank.ts';
import {
  initiate,
  order,
  orRefusal,
  pay,
  payBulk,
  payInstantly,
  people,
  sign,
  type Person,
  type Transfer,
} from '../payments.ts';
import { accounts } from '../products.ts';
import { seeded, type Seeded } from '../seeded.ts';
import { DailyReader, type KnownById } from './daily-reader.ts';
import { dayAfter, instantOf } from './days.ts';
import { type Passing, passing, passTo, timeOf, two } from './passing.ts';

export interface ReadingOptions {
  /** Left out: 2 January 2027, a Saturday. */
  readonly firstDay?: string;
  /** Called at the beginning of each day, from 0. A test of the reader does something to the bank. */
  readonly eachDay?: (bank: Bank, day: number) => Promise<void>;
  /** The habits of the bank. Left out: none. */
  readonly quirks?: Quirks;
  /** The people of the bank. Left out: those of the known state, on whose accounts nothing happens by itself. */
  readonly knownState?: KnownState;
}

/** Schedules of runs that a bank can have; the first is the usual one. */
const schedules: readonly [DayTimes, ...DayTimes[]] = [
  ['05:30', '09:30', '11:30', '13:30', '15:30'],
  ['08:00', '16:00'],
  ['00:00', '12:00', '23:59'],
  ['00:30'],
  ['23:30'],
  ['06:00', '06:01', '18:00'],
];

/** On the first days only instant payments are made, so that no run has work before one books the first of them. */
const firstDays = 5;

/** Accounts of two PSUs, in two currencies. */
const read = [
  { number: people.nora.bban, holder: 'nora' },
  { number: people.even.bban, holder: 'even' },
  { number: accounts.evenEur.iban, holder: 'even' },
] as const;

interface World extends Passing {
  bank: Bank;
  readonly random: Seeded;
  payments: number;
  changes: number;
}

/**
 * Lives some days with a bank and a {@link DailyReader} of three accounts: payments of every kind, instant ones at night and
 * on closed days, other settlement times in the first days, while the clock is moved, runs, or jumps. The same seed, the same
 * days. Tells what the reader saw, how often it renewed a consent and the settlement times changed, what it has booked too often by ids, and
 * in `problems` what it could not reconcile, or missed; it ends there.
 */
export async function readDaily(
  seed: number,
  days: number,
  {
    firstDay = '2027-01-02',
    eachDay = () => Promise.resolve(),
    quirks = noQuirks,
    knownState = usualState,
  }: ReadingOptions = {},
) {
  const wall = manualClock(instantOf(`${firstDay} 00:00`) as Instant);
  const start = { mode: 'running', now: wall.now() } as const;
  const prices = await loadPriceList();
  const bank = await memoryBank(firstDay, { ids: { seed: 'counted' }, wall, start, prices, quirks, knownState });
  const random = seeded(seed);
  const world: World = { bank, ...passing(wall, random), random, payments: 0, changes: 0 };
  const reader = await DailyReader.begin(bank, read, firstDay);
  let problems = await reader.read(bank, firstDay, false);
  let byId: KnownById = { twiceInWindows: 0, unknownAtTheEnd: 0 };
  let today = firstDay;
  for (let day = 0; day < days && problems.length === 0; day += 1) {
    await eachDay(world.bank, day);
    for (const time of timesOf(world.random)) {
      today = dayAfter(firstDay, day);
      await passTo(world.bank, world, instantOf(`${today} ${time}`) as Instant);
      if (day < firstDays) await changeTimes(world);
      problems = await reader.read(world.bank, today, world.random.below(3) === 0);
      if (problems.length > 0) break;
      if (day < firstDays || world.random.below(4) === 0) await payAtOnce(world);
      else await act(world, today);
    }
  }
  if (problems.length === 0) {
    today = dayAfter(firstDay, days + 6);
    await passTo(world.bank, world, instantOf(`${today} 12:00`) as Instant);
    problems = await reader.read(world.bank, today, true);
    const again = await reader.readAgain(world.bank);
    problems.push(...again.problems);
    byId = again.byId;
  }
  await bank.close();
  const { payments, changes } = world;
  const { seen, renewals } = reader;
  return { seen, renewals, payments, changes, problems: problems.map((one) => `by ${today}: ${one}`), byId };
}

/** The program is started with other settlement times, which a ledger takes while no run has had work (rules.md T4). */
async function changeTimes(world: World): Promise<void> {
  const { bank, random } = world;
  const [ofPrivate, corporate] = [random.pick(schedules), random.pick(schedules)];
  const changed = { ...bank, runs: runSchedule({ private: ofPrivate, corporate }, bank.runs.calendar) };
  if ((await orRefusal(checkSettlementTimes(changed))) === 'CONFLICT') return;
  world.bank = changed;
  world.changes += 1;
}

/** Up to four minutes of a day, some at a midnight or at the instant of a run; none in the hour in which clocks change. */
function timesOf(random: Seeded): string[] {
  const minutes = Array.from({ length: random.below(4) }, () => 180 + random.below(1260));
  if (random.below(3) === 0) minutes.push(random.pick([0, 1, 330, 570, 690, 810, 930, 1439]));
  return [...new Set(minutes)].sort((a, b) => a - b).map(timeOf);
}

/** Mostly small ones, so that the money lasts; the øre make each another one, so that none is a logical duplicate. */
function amountOf({ random, payments }: World): string {
  const kroner = random.below(12) === 0 ? 20_000 : 1 + random.below(60);
  return `${kroner + Math.floor(payments / 100)}.${two(payments % 100)}`;
}

function transferOf(world: World): Transfer {
  const { random } = world;
  const from = random.pick<'nora' | 'even'>(['nora', 'even']);
  const others = { nora: ['even', 'savings', 'shop'], even: ['nora', 'shop'] } as const;
  const to = from === 'nora' ? random.pick<Person>(others.nora) : random.pick<Person>(others.even);
  const amount = amountOf(world);
  world.payments += 1;
  return { from, to, amount };
}

async function signed(world: World, from: Person, made: ReturnType<typeof pay>): Promise<void> {
  const found = await orRefusal(made);
  if (typeof found === 'string') return;
  // What is exempt from SCA is signed already.
  await orRefusal(sign(world.bank, found.payment.resource_id, from));
}

function payAtOnce(world: World): Promise<void> {
  const transfer = transferOf(world);
  return signed(world, transfer.from, payInstantly(world.bank, transfer));
}

async function act(world: World, today: string): Promise<void> {
  const { bank, random } = world;
  const chance = random.below(12);
  if (chance < 2) return topUp(world, today);
  const transfer = transferOf(world);
  const { from } = transfer;
  const day = localDate(dayAfter(today, random.below(5)));
  if (chance < 6) return signed(world, from, pay(bank, transfer, day));
  if (chance < 7) {
    const plan = { startDate: day, endDate: localDate(dayAfter(day, 1 + random.below(40))) };
    const frequency = random.pick<Frequency>(['Daily', 'Weekly', 'Monthly']);
    return signed(world, from, order(bank, transfer, { ...plan, frequency, executionRule: 'following' }));
  }
  if (chance < 9) {
    const more = { ...transfer, to: 'shop', amount: amountOf({ ...world, payments: world.payments + 50 }) } as const;
    return signed(world, from, payBulk(bank, [transfer, more], day));
  }
  return abroad(world);
}

/** A payment in EUR from nora's account in NOK: a debit, its fee, and a credit in another currency. */
async function abroad(world: World): Promise<void> {
  const body = {
    instructedAmount: { amount: `${1 + world.random.below(9)}.${two(world.payments % 100)}`, currency: 'EUR' },
    debtorAccount: accounts.noraNok,
    creditorAccount: accounts.evenEur,
    creditorName: 'Even',
  } as const;
  world.payments += 1;
  const made = initiate(world.bank, { from: 'nora' }, { service: 'payments', body }, products.sepa);
  return signed(world, 'nora', made);
}

/** Money from outside, booked today. */
async function topUp({ bank, random }: World, today: string): Promise<void> {
  const dates = { bookingDate: localDate(today), valueDate: localDate(today) };
  const amount = BigInt(1 + random.below(100_000));
  const id = await accountIdOf(bank, random.pick(['nora', 'even']));
  await addTransactions(bank, id, [{ amount, currency: 'NOK', ...dates, details: {} }]);
}
