import { join } from 'node:path';
import type { Bank } from '../../engine/bank.ts';
import { formatInstant, type Instant } from '../../engine/values/instant.ts';
import { localDate } from '../../engine/values/local-date.ts';
import { advanceClock, followClock } from '../../engine/runs/advance-clock.ts';
import { readClock } from '../../engine/bank/read-clock.ts';
import { resetBank, restoreSnapshot } from '../../engine/reset-and-restore.ts';
import { saveSnapshot } from '../../engine/bank/snapshots.ts';
import { setClock } from '../../engine/set-clock.ts';
import { openDays } from '../lab/simulation/days.ts';
import { at, manualClock, memoryBank, type ManualClock } from '../lab/bank.ts';
import { order, pay, sign } from '../lab/payments.ts';
import { rowsOf } from '../lab/rows.ts';
import type { Seeded } from '../lab/seeded.ts';
import { type Campaign, demand, demandBooks, type Soak, Violation } from './campaign.ts';

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
export const clock: Campaign<Change> = {
  unit: 'jumps',
  usualCount: 20_000,
  run: async (soak, change) => {
    const world = new World(soak, join(soak.folder(), 'ledger.sqlite'), change);
    soak.after(() => world.end());
    await world.begin();
    await soak.each(() => world.move());
    await world.audit();
  },
};

/** Changes of the clocks, each drawn as often as the others. */
const moves: Readonly<Record<string, (world: World, random: Seeded) => unknown>> = {
  'time passes': (world, random) => world.pass(Math.ceil(bankMs(random) / world.model.rate)),
  'a moment passes': (world, random) => world.pass(1 + random.below(2 * second)),
  sleep: (world, random) => world.jump(ahead(world, random)),
  'sleep of 8 h': (world, random) => world.jump(world.model.rate === 1 ? 8 * hour : ahead(world, random)),
  'sleep of 72 h': (world, random) => world.jump(world.model.rate === 1 ? 72 * hour : ahead(world, random)),
  '3 days back': (world) => world.jump(-3 * day),
  '10 minutes back': (world) => world.jump(-10 * minute),
  'set back': (world, random) => world.jump(-1_001 - random.below(30 * day)),
  drift: (world, random) => world.jump(random.below(2_001) - second),
  'stop and start': (world) => world.restart(true),
  'kill and start': (world) => world.restart(false),
  'kill after a step back': (world, random) => {
    world.jump(-random.below(3 * day));
    return world.restart(false);
  },
  advance: (world, random) => world.advance(bankMs(random)),
  rate: (world, random) => world.set({ rate: random.pick(rates) }),
  'freeze or run': (world) => world.set({ mode: world.model.isFrozen ? 'running' : 'frozen' }),
  snapshot: (world) => world.save(),
  restore: (world) => world.restore(),
  reset: (world, random) => (random.below(4) === 0 ? world.reset() : undefined),
};

/** Bank time of one move, in ms. */
const bankMs = (random: Seeded): number => 1 + random.below(furthest);
/** As far on the wall clock, and far enough to be a jump. */
const ahead = (world: World, random: Seeded): number => Math.max(1_001, Math.ceil(bankMs(random) / world.model.rate));

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

class World {
  readonly #given: { readonly soak: Soak; readonly file: string; readonly change: Change };
  readonly #wall = manualClock(at(begin));
  readonly model = new ClockModel(at(begin));
  readonly #told: string[] = [];
  #bank: Bank | null = null;
  #tick: () => Promise<void> = () => Promise.resolve();
  /** Latest bank time of a writing transaction. */
  #written = 0;
  /** The model's clock when the snapshot was saved. */
  #saved: Pick<ClockModel, 'bank' | 'rate' | 'isFrozen'> | null = null;

  constructor(soak: Soak, file: string, change: Change = (bank) => Promise.resolve(bank)) {
    this.#given = { soak, file, change };
  }

  async begin(): Promise<void> {
    await this.#open();
    await this.#order();
  }

  async end(): Promise<void> {
    await this.#bank?.ledger.close();
  }

  /** Makes one change to the clocks, with payments around it, then compares bank and model. */
  async move(): Promise<void> {
    const { random, tally } = this.#given.soak;
    const [name, move] = random.pick(Object.entries(moves));
    tally(name);
    this.#told.push(name);
    try {
      await move(this, random);
      await this.#compare();
      if (random.below(3) === 0) await this.#write();
      await this.#tick();
      await this.#compare();
      const { now, lastRun, nextRun } = await readClock(this.bank);
      const isCaughtUp = lastRun.at <= now && now < nextRun.at;
      demand(isCaughtUp, `at ${text(now)} the last run was ${text(lastRun.at)}, and the next ${text(nextRun.at)}`);
      if (this.model.bank > latest) await this.reset();
    } catch (error) {
      const message = error instanceof Violation ? error.message : `threw ${String(error)}`;
      throw new Violation(`${message}; after ${this.#told.slice(-8).join(', ')}`);
    }
  }

  get bank(): Bank {
    if (this.#bank === null) throw new Error('the bank of the campaign is open');
    return this.#bank;
  }

  async #open(): Promise<void> {
    const start = { mode: 'running', now: at(begin) } as const;
    const bank = await memoryBank(begin, { ledger: this.#given.file, wall: this.#wall, start });
    this.#bank = await this.#given.change(bank, this.#wall);
    this.#tick = followClock(this.#bank).catchUp;
  }

  /** Creates the daily standing order; dates on closed days move to the next banking day. */
  async #order(): Promise<void> {
    const plan = { startDate: localDate(firstDay), endDate: localDate(lastDay), frequency: 'Daily' } as const;
    const { payment } = await order(this.bank, { from: 'nora', to: 'even', amount: '0.01' }, plan);
    await sign(this.bank, payment.resource_id, 'nora');
    this.#written = this.model.bank;
  }

  pass(ms: number): void {
    this.#wall.set((this.#wall.now() + ms) as Instant);
    this.model.pass(ms);
  }

  jump(ms: number): void {
    this.#wall.jump(ms);
    this.model.jump(ms);
    this.bank.steady.now();
  }

  async restart(isClean: boolean): Promise<void> {
    const { lastRun } = await readClock(this.bank);
    const before = this.model.bank;
    const [stored] = await this.bank.ledger.read((reader) => rowsOf(reader, 'select clock_seen from bank_state'));
    // A killed process writes nothing any more.
    await (isClean ? this.bank : this.bank.ledger).close();
    const floor = isClean ? this.model.steady : Number(stored?.['clock_seen']);
    if (this.#given.soak.random.below(2) === 0) this.#wallWhileDown();
    await this.#open();
    const { now } = await readClock(this.bank);
    demand(now >= lastRun.at, `${text(now)} after a restart, behind the run at ${text(lastRun.at)}`);
    const least = isClean ? before : this.#written;
    demand(now >= least, `${text(now)} after a restart, behind ${text(least)}, which was kept`);
    this.model.restart(floor);
  }

  #wallWhileDown(): void {
    const { random } = this.#given.soak;
    const ms = random.pick([-3 * day, -10 * minute, Math.ceil((1 + random.below(furthest)) / this.model.rate)]);
    this.#wall.jump(ms);
    this.model.wall += ms;
  }

  async advance(by: number): Promise<void> {
    const to = this.model.bank + by;
    await advanceClock(this.bank, to as Instant);
    this.model.set(to);
    this.#written = to;
  }

  async set(change: { readonly rate?: number; readonly mode?: 'running' | 'frozen' }): Promise<void> {
    await setClock(this.bank, { now: null, mode: change.mode ?? null, rate: change.rate ?? null });
    const isFrozen = change.mode === undefined ? this.model.isFrozen : change.mode === 'frozen';
    this.model.set(this.model.bank, change.rate, isFrozen);
    this.#written = this.model.bank;
  }

  async save(): Promise<void> {
    await saveSnapshot(this.bank, 'one');
    const { bank, rate, isFrozen } = this.model;
    this.#saved = { bank, rate, isFrozen };
  }

  async restore(): Promise<void> {
    if (this.#saved === null) return;
    await this.audit();
    await restoreSnapshot(this.bank, 'one');
    const { bank, rate, isFrozen } = this.#saved;
    this.model.set(bank, rate, isFrozen);
    this.#written = bank;
  }

  async reset(): Promise<void> {
    await this.audit();
    await resetBank(this.bank);
    this.model.set(at(begin), 1, false);
    await this.#order();
  }

  async #write(): Promise<void> {
    const amount = `${1 + this.#given.soak.random.below(1_000_000)}.00`;
    await pay(this.bank, { from: 'anne', to: 'shop', amount }).catch(requireDuplicate);
    this.#written = this.model.bank;
  }

  async #compare(): Promise<void> {
    const { now } = await readClock(this.bank);
    const expected = this.model.bank;
    demand(now === expected, `the bank clock shows ${text(now)}, and ${text(expected)} by the model`);
  }

  /** Compares the standing order's executions, in posting order, with the auditor's calendar, and proves the books. */
  async audit(): Promise<void> {
    const { lastRun } = await readClock(this.bank);
    const posted = await this.bank.ledger.read((reader) =>
      rowsOf(
        reader,
        `select t.run_date as date, t.run_number as number from entry e join attempt t on t.execution_id = e.execution_id
          where e.amount_minor < 0 order by e.id`,
      ),
    );
    const runs = posted.map((row) => `${String(row['date'])}/${String(row['number'])}`);
    this.#given.soak.tally('occurrences settled', runs.length);
    demand(runs.join() === runs.toSorted().join(), 'postings are not in the order of the runs');
    const expected = lastRun.date < firstDay ? [] : openDays(firstDay, lastRun.date).map((date) => `${date}/1`);
    const days = [...new Set(runs)];
    const isComplete = days.join() === expected.join();
    demand(isComplete, `by ${lastRun.date} there are runs on ${days.length} days of ${expected.length}`);
    await demandBooks(this.bank);
  }
}

/** Rethrows unless the refusal is that of a logical duplicate, which may happen by chance (rules.md P7). */
function requireDuplicate(error: unknown): void {
  if (!String(error).includes('CONFLICT')) throw error;
}

function text(instant: number): string {
  return formatInstant(instant as Instant);
}
