import { loadPriceList } from '../../../api/start/fixtures.ts';
import type { Bank } from '../../../engine/open-bank.ts';
import type { KnownState } from '../../../engine/bank/known-state.ts';
import { noQuirks, type Quirks } from '../../../engine/bank/rules/quirk.ts';
import { checkSettlementTimes } from '../../../engine/bank/change-state.ts';
import { addTransactions } from '../../../engine/accounts/mock-transactions.ts';
import { runSchedule } from '../../../engine/time/rules/settlement-run.ts';
import type { DayTimes } from '../../../engine/time/rules/cut-offs.ts';
import { products } from '../../../engine/values/product.ts';
import type { Instant } from '../../../engine/values/instant.ts';
import { localDate } from '../../../engine/values/local-date.ts';
import { accountIdOf } from '../consented.ts';
import { knownState as usualState, manualClock, memoryBank } from '../bank.ts';
import { orRefusal, people, sign, type Person } from '../payments.ts';
import { initiate, takeProductStep } from '../random-actions.ts';
import { accounts } from '../products.ts';
import { seeded, type Seeded } from '../seeded.ts';
import { beginReading } from './daily-reader.ts';
import { dayAfter, instantOf } from './days.ts';
import { passTo, timeOf } from './passing.ts';

export interface ReadingOptions {
  /** Left out: 2 January 2027, a Saturday. */
  readonly firstDay?: string;
  /** Called at the beginning of each day, from 0. A test of the reader does something to the bank. */
  readonly eachDay?: (bank: Bank, day: number) => Promise<void>;
  /** The quirks of the bank. Left out: none. */
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

/**
 * Lives some days with a bank and a reader ({@link beginReading}) of three accounts: payments of every kind, instant ones at night and
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
  let bank = await memoryBank(firstDay, { ids: { seed: 'counted' }, wall, start, prices, quirks, knownState });
  const random = seeded(seed);
  const machine = { wall, jumps: random, behind: 0 };
  let [payments, changes] = [0, 0];
  const reader = await beginReading(bank, read, firstDay);
  let problems = await reader.read(bank, firstDay, false);
  let byId = { twiceInWindows: 0, unknownAtTheEnd: 0 };
  let today = firstDay;
  for (let day = 0; day < days && problems.length === 0; day += 1) {
    await eachDay(bank, day);
    for (const time of timesOf(random)) {
      today = dayAfter(firstDay, day);
      await passTo(bank, machine, instantOf(`${today} ${time}`) as Instant);
      if (day < firstDays) await changeTimes();
      problems = await reader.read(bank, today, random.below(3) === 0);
      if (problems.length > 0) break;
      const isAtOnce = day < firstDays || random.below(4) === 0;
      await act(isAtOnce ? 'instant' : random.pick(kinds));
    }
  }
  if (problems.length === 0) {
    today = dayAfter(firstDay, days + 6);
    await passTo(bank, machine, instantOf(`${today} 12:00`) as Instant);
    problems = await reader.read(bank, today, true);
    const again = await reader.readAgain(bank);
    problems.push(...again.problems);
    byId = again.byId;
  }
  await bank.close();
  return { ...reader.counts(), payments, changes, problems: problems.map((one) => `by ${today}: ${one}`), byId };

  /** The program is started with other settlement times, which a ledger takes while no run has had work (rules.md T4). */
  async function changeTimes(): Promise<void> {
    const [ofPrivate, corporate] = [random.pick(schedules), random.pick(schedules)];
    const changed = { ...bank, schedule: runSchedule({ private: ofPrivate, corporate }, bank.schedule.calendar) };
    if ((await orRefusal(checkSettlementTimes(changed))) === 'CONFLICT') return;
    bank = changed;
    changes += 1;
  }

  /** A payment that is made and signed, mostly a small one, so that the money lasts; or money from outside, booked today. */
  async function act(kind: (typeof kinds)[number] | 'instant'): Promise<void> {
    const from = random.pick(['nora', 'even'] as const);
    if (kind === 'top-up') {
      const dates = { bookingDate: localDate(today), valueDate: localDate(today) };
      const wanted = { amount: BigInt(1 + random.below(100_000)), currency: 'NOK', ...dates, details: {} } as const;
      return void (await addTransactions(bank, await accountIdOf(bank, from), [wanted]));
    }
    payments += 1;
    if (kind === 'abroad') return takeProductStep(bank, { ...abroad, minor: BigInt(1 + random.below(1_000)) });
    const to = random.pick<Person>(from === 'nora' ? ['even', 'savings', 'shop'] : ['nora', 'shop']);
    const kroner = random.below(12) === 0 ? 20_000 : 1 + random.below(60);
    const transfer = { from, to, kroner, inDays: random.below(5) };
    const frequency = random.pick(['Daily', 'Weekly', 'Monthly'] as const);
    const plan = { frequency, forDays: 1 + random.below(40), executionRule: 'following' as const };
    const action: Parameters<typeof initiate>[2] =
      kind === 'bulk'
        ? { do: kind, ...transfer, to: [to, 'shop'] }
        : kind === 'order'
          ? { do: kind, ...transfer, ...plan }
          : kind === 'instant'
            ? { do: kind, ...transfer }
            : { do: kind, ...transfer };
    const made = await orRefusal(initiate(bank, payments, action, localDate(today)));
    // What is exempt from SCA is signed already.
    if (typeof made !== 'string') await orRefusal(sign(bank, made.payment.resource_id, from));
  }
}

/** Up to four minutes of a day, some at a midnight or at the instant of a run; none in the hour in which clocks change. */
function timesOf(random: Seeded): string[] {
  const minutes = Array.from({ length: random.below(4) }, () => 180 + random.below(1260));
  if (random.below(3) === 0) minutes.push(random.pick([0, 1, 330, 570, 690, 810, 930, 1439]));
  return [...new Set(minutes)].sort((a, b) => a - b).map(timeOf);
}

const kinds = [
  ...(['pay', 'pay', 'pay', 'pay', 'order', 'bulk', 'bulk'] as const),
  ...(['abroad', 'abroad', 'abroad', 'top-up', 'top-up'] as const),
] as const;

/** In EUR from nora's account in NOK: a debit, its fee, and a credit in another currency. */
const abroad = {
  product: products.sepa,
  debtor: { from: 'nora', iban: 'NO7809232911044', currency: 'NOK' },
  to: accounts.evenEur.iban,
  ...({ currency: 'EUR', isSigned: true, runs: 0 } as const),
} as const;
