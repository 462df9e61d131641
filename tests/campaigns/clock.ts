import { join } from 'node:path';
import type { Bank } from '../../engine/open-bank.ts';
import { formatInstant, type Instant } from '../../engine/values/instant.ts';
import { localDate } from '../../engine/values/local-date.ts';
import { advanceClock, followClock } from '../../engine/runs/advance-clock.ts';
import { type ClockReading, readClock } from '../../engine/bank/read-clock.ts';
import { resetBank, restoreSnapshot, setClock } from '../../engine/reset-and-restore.ts';
import { saveSnapshot } from '../../engine/bank/snapshots.ts';
import { openDays } from '../lab/simulation/days.ts';
import { at, manualClock, memoryBank, type ManualClock } from '../lab/bank.ts';
import { pay, orderSigned } from '../lab/payments.ts';
import { rowsIn } from '../lab/rows.ts';
import { type Campaign, demand, demandBooks, Violation } from './campaign.ts';

const [second, hour, day] = [1_000, 3_600_000, 86_400_000];
/** Monday, and the next day. */
const begin = '2027-01-04T12:00:00.000+01:00';
const firstDay = '2027-01-05';
const rates = [1, 60, 3_600, 86_400] as const;

/** A test changes a bank after it is opened. */
export type Change = (bank: Bank, wall: ManualClock) => Promise<Bank>;

/**
 * Model of the clocks by the rules (rules.md T1, T7), in milliseconds; shares no code with the bank. The wall clock has jumped
 * if it differs by more than a second from the time that has passed; it moves the steady clock to a time that is new, and not otherwise.
 */
class ClockModel {
  rate = 1;
  isFrozen = false;
  readonly #wall: ManualClock;
  /** The wall clock without its steps back. */
  #steady: number;
  /** Bank clock and steady clock when the bank clock was last set. */
  #set: { readonly bank: number; readonly steady: number };
  #jumped = 0;

  constructor(wall: ManualClock) {
    this.#wall = wall;
    this.#steady = wall.now();
    this.#set = { bank: this.#steady, steady: this.#steady };
  }

  get bank(): number {
    return this.isFrozen ? this.#set.bank : this.#set.bank + this.rate * (this.#steady - this.#set.steady);
  }

  pass(ms: number): void {
    this.#wall.set((this.#wall.now() + ms) as Instant);
    this.#steady += ms;
  }

  /** The wall clock jumps, and the bank is to read it. */
  jump(ms: number): void {
    this.#wall.jump(ms);
    this.#jumped += ms;
    if (Math.abs(this.#jumped) <= second) return;
    this.restart();
  }

  set(bank: number, rate = this.rate, isFrozen = this.isFrozen): void {
    this.#set = { bank, steady: this.#steady };
    this.rate = rate;
    this.isFrozen = isFrozen;
  }

  /** Another process continues from the steady clock that was kept; left out: from the last one. */
  restart(kept = this.#steady): void {
    this.#steady = Math.max(this.#wall.now(), kept);
    this.#jumped = 0;
  }
}

/**
 * A bank on a file with a daily standing order, on a machine that sleeps, has its clock set, and restarts. The bank's time must
 * equal the model's and never go back; each run must take place once and in order, by the auditor's calendar.
 */
export const clock: Campaign<Change> = async (search, change = (bank) => Promise.resolve(bank)) => {
  const { random, tally } = search;
  const ledger = join(search.folder(), 'ledger.sqlite');
  const wall = manualClock(at(begin));
  const model = new ClockModel(wall);
  const done: string[] = [];
  let bank: Bank;
  let tick: () => Promise<void>;
  /** Latest bank time of a writing transaction. */
  let written = 0;
  /** The model's clock when the snapshot was saved. */
  let saved: Pick<ClockModel, 'bank' | 'rate' | 'isFrozen'> | null = null;

  const open = async (): Promise<void> => {
    const start = { mode: 'running', now: at(begin) } as const;
    bank = await change(await memoryBank(begin, { ledger, wall, start }), wall);
    tick = followClock(bank).catchUp;
  };
  /** Creates the daily standing order; dates on closed days move to the next banking day. */
  const orderDaily = async (): Promise<void> => {
    const plan = { startDate: localDate(firstDay), frequency: 'Daily' } as const;
    await orderSigned(bank, { from: 'nora', to: 'even', amount: '0.01' }, plan);
    written = model.bank;
  };
  const write = async (): Promise<void> => {
    const amount = `${1 + random.below(1_000_000)}.00`;
    await pay(bank, { from: 'anne', to: 'shop', amount }).catch(requireDuplicate);
    written = model.bank;
  };
  const compare = async (): Promise<ClockReading> => {
    const reading = await readClock(bank);
    demand(
      reading.now === model.bank,
      `the bank clock shows ${text(reading.now)}, and ${text(model.bank)} by the model`,
    );
    return reading;
  };
  /** Compares the standing order's executions, in posting order, with the auditor's calendar, and proves the books. */
  const audit = async (): Promise<void> => {
    const { lastRun } = await readClock(bank);
    const posted = await rowsIn<{ readonly run: string }>(
      bank,
      `select t.run_date || '/' || t.run_number as run from entry e join attempt t on t.execution_id = e.execution_id
          where e.amount_minor < 0 order by e.id`,
    );
    tally('occurrences settled', posted.length);
    const runs = posted.map(({ run }) => run).filter((run, index, all) => run !== all[index - 1]);
    const expected = openDays(firstDay, lastRun.date).map((date) => `${date}/1`);
    const isComplete = runs.join() === expected.join();
    demand(isComplete, `by ${lastRun.date} runs posted ${runs.length} times in turn, on ${expected.length} open days`);
    await demandBooks(bank);
  };

  /** Ms on the wall clock, for up to a day or up to 20 days of bank time in one move: a run takes a while. */
  const some = (): number => Math.ceil((1 + random.below(random.pick([day, 20 * day]))) / model.rate);
  /** As many, and enough to be a jump. */
  const ahead = (): number => Math.max(second + 1, some());
  const back = (): number => -second - 1 - random.below(random.pick([hour, 30 * day]));
  const jump = (ms: number): void => {
    model.jump(ms);
    bank.steady.now();
  };
  const restart = async (isClean: boolean): Promise<void> => {
    const [stored] = await rowsIn(bank, 'select clock_seen from bank_state');
    // A killed process writes nothing any more.
    await (isClean ? bank : bank.ledger).close();
    // The wall clock moves while the bank is down.
    wall.jump(random.pick([0, back(), ahead()]));
    await open();
    const { now } = await readClock(bank);
    demand(now >= written, `${text(now)} after a restart, behind ${text(written)}, which was kept`);
    model.restart(isClean ? undefined : Number(stored?.['clock_seen']));
  };
  const set = async (rate: number, isFrozen: boolean): Promise<void> => {
    await setClock(bank, { now: null, mode: isFrozen ? 'frozen' : 'running', rate });
    model.set(model.bank, rate, isFrozen);
    written = model.bank;
  };

  /** Changes of the clocks, each drawn as often as the others. */
  const moves: Readonly<Record<string, () => unknown>> = {
    'time passes': () => model.pass(some()),
    'a moment passes': () => model.pass(1 + random.below(2 * second)),
    sleep: () => jump(ahead()),
    'set back': () => jump(back()),
    drift: () => jump(random.below(2 * second + 1) - second),
    'stop and start': () => restart(true),
    'kill and start': () => restart(false),
    advance: async () => {
      written = model.bank + model.rate * some();
      await advanceClock(bank, written as Instant);
      model.set(written);
    },
    rate: () => set(random.pick(rates), model.isFrozen),
    'freeze or run': () => set(model.rate, !model.isFrozen),
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
    reset: async () => {
      if (random.below(4) > 0) return;
      await audit();
      await resetBank(bank);
      model.set(at(begin), 1, false);
      await orderDaily();
    },
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
      const { now, lastRun, nextRun } = await compare();
      const isCaughtUp = lastRun.at <= now && now < nextRun.at;
      demand(isCaughtUp, `at ${text(now)} the last run was ${text(lastRun.at)}, and the next ${text(nextRun.at)}`);
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
};

/** Rethrows unless the refusal is that of a logical duplicate, which may happen by chance (rules.md P7). */
function requireDuplicate(error: unknown): void {
  if (!String(error).includes('CONFLICT')) throw error;
}

function text(instant: number): string {
  return formatInstant(instant as Instant);
}
