import { join } from 'node:path';
import type { Bank } from '../../engine/bank.ts';
import { formatInstant, type Instant } from '../../engine/values/instant.ts';
import { localDate } from '../../engine/values/local-date.ts';
import { advanceClock, followClock } from '../../engine/runs/advance-clock.ts';
import { readClock } from '../../engine/bank/read-clock.ts';
import { resetBank, restoreSnapshot, setClock } from '../../engine/reset-and-restore.ts';
import { saveSnapshot } from '../../engine/bank/snapshots.ts';
import { openDays } from '../lab/simulation/days.ts';
import { at, manualClock, memoryBank, type ManualClock } from '../lab/bank.ts';
import { pay, orderSigned } from '../lab/payments.ts';
import { rowsIn } from '../lab/rows.ts';
import { type Campaign, demand, demandBooks, type Search, Violation } from './campaign.ts';

const [second, minute, hour] = [1_000, 60_000, 3_600_000];
const day = 24 * hour;
/** Monday, and the next day. */
const begin = '2027-01-04T12:00:00.000+01:00';
const [firstDay, lastDay] = ['2027-01-05', '2039-12-30'];
/** Bank time in one move at most: a run takes a while. */
const furthest = 20 * day;
/** A reset comes long before the standing order ends. */
const latest = at('2039-01-01');
const rates = [1, 60, 3_600, 86_400] as const;

/** A test changes a bank after it is opened. */
export type Change = (bank: Bank, wall: ManualClock) => Promise<Bank>;

/**
 * A bank on a file with a daily standing order, on a machine that sleeps, has its clock set, and restarts. The bank's time must
 * equal the model's and never go back; each run must take place once and in order, by the auditor's calendar.
 */
export const clock: Campaign<Change> = run;

/**
 * Model of the clocks by the rules (rules.md T1, T7), in milliseconds; shares no code with the bank. The wall clock has jumped
 * if it differs by more than a second from the time that has passed; it moves the steady clock to a time that is new, and not otherwise.
 */
class ClockModel {
  wall: number;
  /** The wall clock without its steps back. */
  steady: number;
  /** Bank clock and steady clock when the bank clock was last set. */
  #set: { readonly bank: number; readonly steady: number };
  #jumped = 0;
  rate = 1;
  isFrozen = false;

  constructor(wall: number) {
    this.wall = wall;
    this.steady = wall;
    this.#set = { bank: wall, steady: wall };
  }

  get bank(): number {
    return this.isFrozen ? this.#set.bank : this.#set.bank + this.rate * (this.steady - this.#set.steady);
  }

  pass(ms: number): void {
    this.wall += ms;
    this.steady += ms;
  }

  /** The wall clock jumps, and the bank reads it. */
  jump(ms: number): void {
    this.wall += ms;
    this.#jumped += ms;
    if (Math.abs(this.#jumped) <= 1_000) return;
    if (this.wall > this.steady) this.steady = this.wall;
    this.#jumped = 0;
  }

  set(bank: number, rate = this.rate, isFrozen = this.isFrozen): void {
    this.#set = { bank, steady: this.steady };
    this.rate = rate;
    this.isFrozen = isFrozen;
  }

  /** Another process continues from the steady clock stored in the ledger. */
  restart(kept: number): void {
    this.steady = Math.max(this.wall, kept);
    this.#jumped = 0;
  }
}

async function run(search: Search, change: Change = (bank) => Promise.resolve(bank)): Promise<void> {
  const { random, tally } = search;
  const file = join(search.folder(), 'ledger.sqlite');
  const wall = manualClock(at(begin));
  const model = new ClockModel(at(begin));
  const done: string[] = [];
  let bank: Bank;
  let tick: () => Promise<void>;
  /** Latest bank time of a writing transaction. */
  let written = 0;
  /** The model's clock when the snapshot was saved. */
  let saved: Pick<ClockModel, 'bank' | 'rate' | 'isFrozen'> | null = null;

  const open = async (): Promise<void> => {
    const start = { mode: 'running', now: at(begin) } as const;
    bank = await change(await memoryBank(begin, { ledger: file, wall, start }), wall);
    tick = followClock(bank).catchUp;
  };
  /** Creates the daily standing order; dates on closed days move to the next banking day. */
  const orderDaily = async (): Promise<void> => {
    const plan = { startDate: localDate(firstDay), endDate: localDate(lastDay), frequency: 'Daily' } as const;
    await orderSigned(bank, { from: 'nora', to: 'even', amount: '0.01' }, plan);
    written = model.bank;
  };
  const write = async (): Promise<void> => {
    const amount = `${1 + random.below(1_000_000)}.00`;
    await pay(bank, { from: 'anne', to: 'shop', amount }).catch(requireDuplicate);
    written = model.bank;
  };
  const compare = async (): Promise<void> => {
    const { now } = await readClock(bank);
    demand(now === model.bank, `the bank clock shows ${text(now)}, and ${text(model.bank)} by the model`);
  };
  /** Compares the standing order's executions, in posting order, with the auditor's calendar, and proves the books. */
  const audit = async (): Promise<void> => {
    const { lastRun } = await readClock(bank);
    const posted = await rowsIn(
      bank,
      `select t.run_date as date, t.run_number as number from entry e join attempt t on t.execution_id = e.execution_id
          where e.amount_minor < 0 order by e.id`,
    );
    const runs = posted.map((row) => `${String(row['date'])}/${String(row['number'])}`);
    tally('occurrences settled', runs.length);
    demand(runs.join() === runs.toSorted().join(), 'postings are not in the order of the runs');
    const expected = lastRun.date < firstDay ? [] : openDays(firstDay, lastRun.date).map((date) => `${date}/1`);
    const days = [...new Set(runs)];
    const isComplete = days.join() === expected.join();
    demand(isComplete, `by ${lastRun.date} there are runs on ${days.length} days of ${expected.length}`);
    await demandBooks(bank);
  };

  const pass = (ms: number): void => {
    wall.set((wall.now() + ms) as Instant);
    model.pass(ms);
  };
  const jump = (ms: number): void => {
    wall.jump(ms);
    model.jump(ms);
    bank.steady.now();
  };
  const restart = async (isClean: boolean): Promise<void> => {
    const { lastRun } = await readClock(bank);
    const before = model.bank;
    const [stored] = await rowsIn(bank, 'select clock_seen from bank_state');
    // A killed process writes nothing any more.
    await (isClean ? bank : bank.ledger).close();
    const floor = isClean ? model.steady : Number(stored?.['clock_seen']);
    if (random.below(2) === 0) {
      // The wall clock moves while the bank is down.
      const ms = random.pick([-3 * day, -10 * minute, Math.ceil(bankMs() / model.rate)]);
      wall.jump(ms);
      model.wall += ms;
    }
    await open();
    const { now } = await readClock(bank);
    demand(now >= lastRun.at, `${text(now)} after a restart, behind the run at ${text(lastRun.at)}`);
    const least = isClean ? before : written;
    demand(now >= least, `${text(now)} after a restart, behind ${text(least)}, which was kept`);
    model.restart(floor);
  };
  const set = async (mode: 'running' | 'frozen' | null, rate: number | null): Promise<void> => {
    await setClock(bank, { now: null, mode, rate });
    model.set(model.bank, rate ?? model.rate, mode === null ? model.isFrozen : mode === 'frozen');
    written = model.bank;
  };
  const reset = async (): Promise<void> => {
    await audit();
    await resetBank(bank);
    model.set(at(begin), 1, false);
    await orderDaily();
  };

  /** Bank time of one move, in ms. */
  const bankMs = (): number => 1 + random.below(furthest);
  /** As far on the wall clock, and far enough to be a jump. */
  const ahead = (): number => Math.max(1_001, Math.ceil(bankMs() / model.rate));
  /** Changes of the clocks, each drawn as often as the others. */
  const moves: Readonly<Record<string, () => unknown>> = {
    'time passes': () => pass(Math.ceil(bankMs() / model.rate)),
    'a moment passes': () => pass(1 + random.below(2 * second)),
    sleep: () => jump(ahead()),
    'sleep of 8 h': () => jump(model.rate === 1 ? 8 * hour : ahead()),
    'sleep of 72 h': () => jump(model.rate === 1 ? 72 * hour : ahead()),
    '3 days back': () => jump(-3 * day),
    '10 minutes back': () => jump(-10 * minute),
    'set back': () => jump(-1_001 - random.below(30 * day)),
    drift: () => jump(random.below(2_001) - second),
    'stop and start': () => restart(true),
    'kill and start': () => restart(false),
    'kill after a step back': () => {
      jump(-random.below(3 * day));
      return restart(false);
    },
    advance: async () => {
      const to = model.bank + bankMs();
      await advanceClock(bank, to as Instant);
      model.set(to);
      written = to;
    },
    rate: () => set(null, random.pick(rates)),
    'freeze or run': () => set(model.isFrozen ? 'running' : 'frozen', null),
    snapshot: async () => {
      await saveSnapshot(bank, 'one');
      saved = { bank: model.bank, rate: model.rate, isFrozen: model.isFrozen };
    },
    restore: async () => {
      if (saved === null) return;
      await audit();
      await restoreSnapshot(bank, 'one');
      model.set(saved.bank, saved.rate, saved.isFrozen);
      written = saved.bank;
    },
    reset: () => (random.below(4) === 0 ? reset() : undefined),
  };

  /** Makes one change to the clocks, with payments around it, then compares bank and model. */
  const move = async (): Promise<void> => {
    const [name, change] = random.pick(Object.entries(moves));
    tally(name);
    done.push(name);
    try {
      await change();
      await compare();
      if (random.below(3) === 0) await write();
      await tick();
      await compare();
      const { now, lastRun, nextRun } = await readClock(bank);
      const isCaughtUp = lastRun.at <= now && now < nextRun.at;
      demand(isCaughtUp, `at ${text(now)} the last run was ${text(lastRun.at)}, and the next ${text(nextRun.at)}`);
      if (model.bank > latest) await reset();
    } catch (error) {
      const message = error instanceof Violation ? error.message : `threw ${String(error)}`;
      throw new Violation(`${message}; after ${done.slice(-8).join(', ')}`);
    }
  };
  await open();
  search.after(() => bank.ledger.close());
  await orderDaily();
  await search.each(move);
  await audit();
}

/** Rethrows unless the refusal is that of a logical duplicate, which may happen by chance (rules.md P7). */
function requireDuplicate(error: unknown): void {
  if (!String(error).includes('CONFLICT')) throw error;
}

function text(instant: number): string {
  return formatInstant(instant as Instant);
}
