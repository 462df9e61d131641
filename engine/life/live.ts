import { changeReservations } from '../accounts/reservations.ts';
import { type AccountMovement, ensureClearing, postInOrder } from '../accounts/post.ts';
import { reservationsOfLives, reservedOnAccounts } from '../accounts/rows/reservations.ts';
import { type BankContext, writingIn } from '../bank/bank-context.ts';
import type { Row, Writer } from '../ledger/database.ts';
import { lastRunAtOrBefore } from '../time/rules/settlement-run.ts';
import { assert } from '../values/assert.ts';
import type { TransactionDetails } from '../accounts/rules/transaction-details.ts';
import { type Instant, osloDate, startOfDay } from '../values/instant.ts';
import { addDays, type LocalDate } from '../values/local-date.ts';
import { isWithinBalanceLimit } from '../values/money.ts';
import { ownChannel, payerOf, paySalaries } from './bank-orders.ts';
import { moveAway } from './close-account.ts';
import { type Living, livesOf, type PersonasRead } from './lives.ts';
import { countRejected, keepMarks, markedAmong, markOf, movedOnDays } from './rows/lives.ts';
import { textsOfBank } from './rules/event-on.ts';
import { type EventBooking, type Happening, isEnd } from './rules/happening.ts';
import { interpret, type Purse, type Reserve, type Teller } from './rules/interpret.ts';
import type { InterestOrFee } from './rules/persona.ts';
import { hundredths, interestDue } from './rules/interest.ts';

/** The last run or midnight up to an instant: what happened until then is on the ledger. */
export function lastStepUntil({ schedule }: Pick<BankContext, 'schedule'>, at: Instant): Instant {
  return Math.max(lastRunAtOrBefore(at, schedule.all).at, startOfDay(osloDate(at))) as Instant;
}

/** Maximum number of days in one step, of all lives together and of each life: other requests wait for the step. */
const [lifeDaysAtOnce, daysAtOnce] = [9_000, 31];

/**
 * The next midnight at which lives need the bank as it is then: to book interest and fees, to pay salaries, or because
 * enough has passed, so that no step takes long. Returns null if no account has a life.
 */
export async function nextLifeSettlement(
  bank: BankContext,
  tx: Writer,
  state: Row<'bank_state'>,
  lives: LivesRead,
): Promise<Instant | null> {
  const { lived_until: livedUntil } = state;
  if (livedUntil === null) return null;
  const today = osloDate(livedUntil);
  const living = (lives.living ??= await livesOf(bank, tx, undefined, lives.personas));
  const days = Math.max(1, Math.min(daysAtOnce, Math.floor(lifeDaysAtOnce / Math.max(1, living.length))));
  let next = addDays(today, days);
  const almanacs = new Set(living.map(({ persona }) => persona.almanac));
  for (const almanac of almanacs) next = almanac.nextSettlement(today, next);
  return startOfDay(next);
}

/** What a transaction has read of lives; it begins with none. */
export interface LivesRead {
  /** Their balances may have changed. Null if they must be read again. */
  living: readonly Living[] | null;
  readonly personas: PersonasRead;
}

/** What lives did in a step of an advance. */
interface LifeStep {
  readonly state: Row<'bank_state'>;
  /** Salaries were ordered, so that executions have changed. */
  readonly hasOrdered: boolean;
}

/**
 * Lets everything happen that lives hold for the time from the last step through this one (docs/life.md), in order of
 * time: bookings, reservations, interest and fees. An event exists from the first run or midnight after it. A purchase
 * without funds is declined, and so is a direct debit; the balance of an account and of clearing never passes its limit
 * (rules.md P4).
 */
export async function liveThrough(
  bank: BankContext,
  tx: Writer,
  { state, at, lives }: { readonly state: Row<'bank_state'>; readonly at: Instant; readonly lives: LivesRead },
): Promise<LifeStep> {
  const { lived_until: from } = state;
  if (from === null) return { state, hasOrdered: false };
  const through = lastStepUntil(bank, at);
  if (through <= from) return { state, hasOrdered: false };
  const living = (lives.living = await livesOf(bank, tx, undefined, lives.personas));
  const due = living.flatMap((one) => {
    const begins = Math.max(from, one.row.began_at);
    const happenings = one.course.between(osloDate(begins as Instant), osloDate(through), true);
    const isDue = (each: Happening): boolean => each.at <= through && (each.at > begins || isEnd(each));
    return happenings.filter(isDue).map((happening) => ({ at: happening.at, happening, one }));
  });
  // The sort is stable: at one instant the oldest life comes first.
  due.sort((one, other) => one.at - other.at);
  if (due.length === 0) return { state: { ...state, lived_until: through }, hasOrdered: false };
  const scene = await LifeStepWriter.open(bank, tx, living, await marksFor(tx, due));
  let hasOrdered = false;
  for (const { happening, one } of due) {
    const ordering = scene.carryOut(one, happening);
    if (ordering !== null) hasOrdered = (await ordering) || hasOrdered;
  }
  await scene.store();
  const { left } = scene;
  if (left > 0) lives.living = null;
  const livedUntil = left === living.length ? null : through;
  return { state: { ...state, lived_until: livedUntil }, hasOrdered: hasOrdered || left > 0 };
}

/** Which of the purchases on which these hang happened before: the marks of their accounts. */
async function marksFor(
  tx: Writer,
  due: readonly { readonly one: Living; readonly happening: Happening }[],
): Promise<ReadonlySet<string>> {
  const wanted: string[] = [];
  for (const { one, happening } of due) {
    const { hangsOn, unless } = happening;
    if (hangsOn !== undefined) wanted.push(markOf(one.row.account_id, hangsOn));
    if (unless !== undefined) wanted.push(markOf(one.row.account_id, unless));
  }
  return wanted.length === 0 ? new Set() : markedAmong(tx, wanted);
}

/** An account while its life happens. */
interface Actor extends Purse<OpenReservation> {
  readonly living: Living;
  readonly id: number;
  /** Bookings that are not stored yet. */
  unposted: AccountMovement[];
}

/** `id` is null until it is stored. */
interface OpenReservation {
  readonly id: number | null;
  readonly amount: bigint;
}

/** A reservation to insert, if it is still open in the end. */
interface Begun extends Reserve {
  readonly resourceId: string;
  readonly accountId: number;
  /** The key of its happening. */
  readonly event: string;
  readonly actor: Actor;
}

/** What a step works on. */
interface Stage {
  readonly bank: BankContext;
  readonly tx: Writer;
  readonly actors: ReadonlyMap<number, Actor>;
  /** Keys of accounts with a life, by their numbers. */
  readonly numbers: ReadonlyMap<string, number>;
  readonly clearingId: number;
  readonly marked: ReadonlySet<string>;
}

/** Collects what happens, and stores it in a few statements. */
class LifeStepWriter implements Teller<Actor, OpenReservation, Promise<boolean>> {
  readonly #stage: Stage;
  #clearing: bigint;
  #movements: AccountMovement[] = [];
  #begun: Begun[] = [];
  #ended: number[] = [];
  readonly #moved = new Set<Actor>();
  /** Accounts that move to another bank at the end of the step. */
  readonly #leaving: { readonly living: Living; readonly details: TransactionDetails; readonly at: Instant }[] = [];
  readonly #newMarks = new Set<string>();

  private constructor(stage: Stage, clearing: bigint) {
    this.#stage = stage;
    this.#clearing = clearing;
  }

  static async open(
    bank: BankContext,
    tx: Writer,
    lives: readonly Living[],
    marked: ReadonlySet<string>,
  ): Promise<LifeStepWriter> {
    const ids = lives.map(({ row }) => row.account_id);
    const reserved = await reservedOnAccounts(tx, ids);
    const actors = new Map<number, Actor>();
    for (const living of lives) {
      const { account_id: id, balance_minor: balance, credit_line_minor: line } = living.row;
      const funds = { balance, line, reserved: reserved.get(id) ?? 0n };
      actors.set(id, { living, id, ...funds, unposted: [], open: new Map() });
    }
    for (const { id, account_id: accountId, event, amount_minor: amount } of await reservationsOfLives(tx, ids)) {
      if (event !== null) actors.get(accountId)?.open.set(event, { id, amount });
    }
    const numbers = new Map(lives.map(({ row }) => [row.account, row.account_id]));
    const { id: clearingId, balance_minor: clearing } = await ensureClearing(bank.ids, tx, 'NOK');
    return new LifeStepWriter({ bank, tx, actors, numbers, clearingId, marked }, clearing);
  }

  /** How many accounts move to another bank in this step. */
  get left(): number {
    return this.#leaving.length;
  }

  /** Lets one event happen. Returns null if it is done. Else a promise of its end: true if it ordered a payment. */
  carryOut({ row }: Living, happening: Happening): Promise<boolean> | null {
    const actor = this.#stage.actors.get(row.account_id);
    assert(actor !== undefined, 'a life is of an account');
    return interpret(actor, happening, this);
  }

  hasHappened({ id }: Actor, event: string): boolean {
    const mark = markOf(id, event);
    return this.#stage.marked.has(mark) || this.#newMarks.has(mark);
  }

  reserve(actor: Actor, { key, isAwaited }: Happening, action: Reserve): OpenReservation {
    // Drawn now, so that later ids do not depend on how long a reservation lasts.
    const resourceId = this.#stage.bank.ids.resourceId();
    this.#begun.push({ ...action, resourceId, accountId: actor.id, event: key, actor });
    if (isAwaited === true) this.#newMarks.add(markOf(actor.id, key));
    return { id: null, amount: action.amount };
  }

  release({ id }: OpenReservation): void {
    if (id !== null) this.#ended.push(id);
  }

  /**
   * Books on the household's other account too, or on neither: a balance that would pass its limit keeps it from being.
   */
  book(actor: Actor, { key, at, event, isKnown }: Happening, booking: EventBooking): void {
    const { amount, to } = booking;
    if (amount === 0n) return;
    const otherId = to === undefined ? undefined : this.#stage.numbers.get(to);
    const other = otherId === undefined ? undefined : this.#stage.actors.get(otherId);
    const isRoom =
      isWithinBalanceLimit(actor.balance + amount) && isWithinBalanceLimit((other?.balance ?? 0n) - amount);
    if (!isRoom || !isWithinBalanceLimit(this.#clearing - amount, 'clearing')) return;
    this.#add(actor, booking, key);
    if (other !== undefined) this.#add(other, { ...booking, amount: -amount }, key);
    const { bank } = this.#stage;
    if (!isKnown || !bank.isHeard('lived')) return;
    const { account } = actor.living.row;
    bank.tell({ kind: 'lived', at, account, amount: { minor: amount, currency: 'NOK' }, event });
  }

  #add(actor: Actor, { amount, bookingDate, valueDate, details }: EventBooking, event: string): void {
    actor.balance += amount;
    this.#clearing -= amount;
    const movement = { accountId: actor.id, amount, bookingDate, valueDate, details, event };
    this.#moved.add(actor);
    actor.unposted.push(movement);
    this.#movements.push(movement);
  }

  /** The bank keeps standing orders itself. */
  byBank(actor: Actor, happening: Happening): Promise<boolean> | null {
    const { action, at } = happening;
    if (action.kind === 'move') this.#leaving.push({ living: actor.living, details: action.details, at });
    if (action.kind === 'interest or fee') return this.#charge(actor, happening, action.event, action.date);
    if (action.kind !== 'pay') return null;
    const writing = writingIn(this.#stage.bank, this.#stage.tx, at);
    return paySalaries(writing, payerOf(actor.living), action.event, action.date).then(() => true);
  }

  /** Books what the bank charges or pays on a day. */
  async #charge(actor: Actor, happening: Happening, event: InterestOrFee, date: LocalDate): Promise<boolean> {
    const { course, row } = actor.living;
    // What is booked on the day itself does not count.
    if (actor.unposted.some(({ bookingDate }) => bookingDate < date)) await this.#post();
    const from = course.previousSettlement(event, date, row.from_date);
    const amount = await this.#due(event, actor, { from, to: addDays(date, -1) });
    const booking = { amount, bookingDate: date, valueDate: date, details: textsOfBank(event) };
    this.book(actor, happening, booking);
    return false;
  }

  /** Interest in øre: below zero if the account owes it. */
  async #due(
    event: InterestOrFee,
    { id: accountId, balance, unposted }: Actor,
    period: { readonly from: LocalDate; readonly to: LocalDate },
  ): Promise<bigint> {
    if (event.kind === 'fee for failed orders') {
      const orders = { accountId, channel: ownChannel.id, ...period };
      return -BigInt(await countRejected(this.#stage.tx, orders)) * hundredths(event.rate);
    }
    const moves = await movedOnDays(this.#stage.tx, accountId, { from: period.from, to: null });
    const course = { balance: unposted.reduce((left, { amount }) => left - amount, balance), moves };
    return interestDue(event, course, period);
  }

  /** Stores the bookings since the last time. */
  async #post(): Promise<void> {
    const balances = new Map([...this.#moved].map(({ id, balance }) => [id, balance]));
    if (balances.size > 0) balances.set(this.#stage.clearingId, this.#clearing);
    await postInOrder(this.#stage.tx, this.#stage.clearingId, this.#movements, balances);
    this.#movements = [];
    for (const actor of this.#moved) actor.unposted = [];
    this.#moved.clear();
  }

  /** Stores what has happened. A reservation that has ended meanwhile leaves no row. */
  async store(): Promise<void> {
    await this.#post();
    const begun = this.#begun.filter(({ actor, event }) => actor.open.has(event));
    await changeReservations(this.#stage.tx, { begun, ended: this.#ended });
    await keepMarks(this.#stage.tx, this.#newMarks);
    for (const leaving of this.#leaving) await moveAway(this.#stage.bank, this.#stage.tx, leaving);
  }
}
