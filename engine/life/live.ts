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
import { type Booking, type Happening, isEnd, isFree } from './rules/happening.ts';
import { leftOver } from './rules/past.ts';
import type { InterestOrFee } from './rules/persona.ts';
import { hundredths, interestOf } from './rules/interest.ts';

/** The last run or midnight up to an instant: what happened until then is on the ledger. */
export function lastStepUntil({ runs }: Pick<BankContext, 'runs'>, at: Instant): Instant {
  return Math.max(lastRunAtOrBefore(at, runs.all).at, startOfDay(osloDate(at))) as Instant;
}

/** Maximum number of days in one step, of all lives together and of each life: other requests wait for the step. */
const [lifeDaysAtOnce, daysAtOnce] = [9_000, 31];

/**
 * The next midnight at which lives need the bank as it is then: to book interest and fees, to pay salaries, or because enough has passed, so that no
 * step takes long. Null: no account has a life.
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
  /** Their balances may have changed; null: they must be read again. */
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
 * Lets everything happen that lives hold for the time from the last step through this one (docs/life.md), in order of time: bookings,
 * reservations, interest and fees. An event exists from the first run or midnight after it. A purchase without funds is
 * declined, and so is a direct debit; the balance of an account and of clearing never passes its limit (rules.md P4).
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

/** An account while its life happens. Amounts in øre. */
interface AccountState {
  balance: bigint;
  /** Zero or positive. */
  reserved: bigint;
  readonly creditLine: bigint;
  /** Bookings that are not stored yet. */
  unposted: AccountMovement[];
  /** Open reservations by the keys of their purchases. */
  readonly open: Map<string, OpenReservation>;
}

/** `id` null: it is not stored yet. */
interface OpenReservation {
  readonly id: number | null;
  readonly amount: bigint;
}

type Reserve = Extract<Happening['action'], { readonly kind: 'reserve' }>;

/** A reservation to insert, if it is still open in the end. */
interface Begun extends Reserve {
  readonly resourceId: string;
  readonly accountId: number;
  /** The key of its happening. */
  readonly event: string;
  readonly actor: AccountState;
}

/** A booking with the key of its event. */
type Keyed = Booking & { readonly key: string };

/** What a step works on. */
interface Stage {
  readonly bank: BankContext;
  readonly tx: Writer;
  readonly actors: ReadonlyMap<number, AccountState>;
  /** Keys of accounts with a life, by their numbers. */
  readonly numbers: ReadonlyMap<string, number>;
  readonly clearingId: number;
  readonly marked: ReadonlySet<string>;
}

/** Collects what happens, and stores it in a few statements. */
class LifeStepWriter {
  readonly #stage: Stage;
  #clearing: bigint;
  #movements: AccountMovement[] = [];
  #begun: Begun[] = [];
  #ended: number[] = [];
  readonly #moved = new Map<number, AccountState>();
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
    living: readonly Living[],
    marked: ReadonlySet<string>,
  ): Promise<LifeStepWriter> {
    const ids = living.map(({ row }) => row.account_id);
    const reserved = await reservedOnAccounts(tx, ids);
    const actors = new Map<number, AccountState>();
    for (const { row } of living) {
      const { account_id: id, balance_minor: balance, credit_line_minor: creditLine } = row;
      actors.set(id, { balance, creditLine, reserved: reserved.get(id) ?? 0n, unposted: [], open: new Map() });
    }
    for (const { id, account_id: accountId, event, amount_minor: amount } of await reservationsOfLives(tx, ids)) {
      if (event !== null) actors.get(accountId)?.open.set(event, { id, amount });
    }
    const numbers = new Map(living.map(({ row }) => [row.account, row.account_id]));
    const { id: clearingId, balance_minor: clearing } = await ensureClearing(bank.ids, tx, 'NOK');
    return new LifeStepWriter({ bank, tx, actors, numbers, clearingId, marked }, clearing);
  }

  /** How many accounts move to another bank in this step. */
  get left(): number {
    return this.#leaving.length;
  }

  /** Lets one event happen. Null: it is done. Else a promise of its end: true if it ordered a payment. */
  carryOut(living: Living, happening: Happening): Promise<boolean> | null {
    const { action, key, at } = happening;
    const { row } = living;
    const happened = (event: string): boolean => {
      const mark = markOf(row.account_id, event);
      return this.#stage.marked.has(mark) || this.#newMarks.has(mark);
    };
    if (!isFree(happening, happened)) return null;
    const actor = this.#stage.actors.get(row.account_id);
    assert(actor !== undefined, 'a life is of an account');
    switch (action.kind) {
      case 'post':
        if (action.needsFunds && !this.#hasFunds(actor, action.amount)) return null;
        if (this.#book(row.account_id, actor, { ...action, key }) && happening.isKnown)
          this.#tell(living, happening, action.amount);
        return null;
      case 'reserve':
        if (!this.#hasFunds(actor, action.amount)) return null;
        this.#reserve(row.account_id, actor, key, action);
        if (happening.isAwaited === true) this.#newMarks.add(markOf(row.account_id, key));
        return null;
      case 'book':
        if (this.#release(actor, key)) this.#book(row.account_id, actor, { ...action, key });
        return null;
      case 'release':
        this.#release(actor, key);
        return null;
      case 'left over': {
        const amount = -leftOver(actor.balance - actor.reserved, action.keeps);
        if (amount !== 0n && this.#book(row.account_id, actor, { ...action, amount, key }))
          this.#tell(living, happening, amount);
        return null;
      }
      case 'move':
        this.#leaving.push({ living, details: action.details, at });
        return null;
      // The bank keeps the standing order itself.
      case 'order':
        return null;
      case 'pay': {
        const writing = writingIn(this.#stage.bank, this.#stage.tx, at);
        return paySalaries(writing, payerOf(living), action.event, action.date).then(() => true);
      }
      case 'interest or fee':
        return this.#bookInterestOrFee(living, actor, { ...action, key }).then((booked) => {
          if (booked !== 0n) this.#tell(living, happening, booked);
          return false;
        });
    }
  }

  #tell({ row: { account } }: Living, { at, event }: Happening, minor: bigint): void {
    if (this.#stage.bank.isHeard('lived'))
      this.#stage.bank.tell({ kind: 'lived', at, account, amount: { minor, currency: 'NOK' }, event });
  }

  #hasFunds({ balance, reserved, creditLine }: AccountState, amount: bigint): boolean {
    return balance + creditLine - reserved + amount >= 0n;
  }

  #reserve(accountId: number, actor: AccountState, event: string, action: Reserve): void {
    // Drawn now, so that later ids do not depend on how long a reservation lasts.
    const resourceId = this.#stage.bank.ids.resourceId();
    actor.reserved -= action.amount;
    actor.open.set(event, { id: null, amount: action.amount });
    this.#begun.push({ ...action, resourceId, accountId, event, actor });
  }

  #release(actor: AccountState, key: string): boolean {
    const reservation = actor.open.get(key);
    if (reservation === undefined) return false;
    actor.open.delete(key);
    actor.reserved += reservation.amount;
    if (reservation.id !== null) this.#ended.push(reservation.id);
    return true;
  }

  /** Whether it is booked, on the household's other account too: a balance that would pass its limit keeps it from being. */
  #book(accountId: number, actor: AccountState, booking: Keyed): boolean {
    const { amount, to } = booking;
    const otherId = to === undefined ? undefined : this.#stage.numbers.get(to);
    const other = otherId === undefined ? undefined : this.#stage.actors.get(otherId);
    const isRoom =
      isWithinBalanceLimit(actor.balance + amount) && isWithinBalanceLimit((other?.balance ?? 0n) - amount);
    if (!isRoom || !isWithinBalanceLimit(this.#clearing - amount, 'clearing')) return false;
    this.#add(accountId, actor, booking);
    if (otherId !== undefined && other !== undefined) this.#add(otherId, other, { ...booking, amount: -amount });
    return true;
  }

  #add(accountId: number, actor: AccountState, { amount, bookingDate, valueDate, details, key: event }: Keyed): void {
    actor.balance += amount;
    this.#clearing -= amount;
    const movement = { accountId, amount, bookingDate, valueDate, details, event };
    this.#moved.set(accountId, actor);
    actor.unposted.push(movement);
    this.#movements.push(movement);
  }

  /** Books what the bank charges or pays, and returns it in øre. */
  async #bookInterestOrFee(
    living: Living,
    actor: AccountState,
    { event, date, key }: { readonly event: InterestOrFee; readonly date: LocalDate; readonly key: string },
  ): Promise<bigint> {
    const { account_id: accountId, from_date: begins } = living.row;
    // What is booked on the day itself does not count.
    if (actor.unposted.some(({ bookingDate }) => bookingDate < date)) await this.#post();
    const from = living.course.previousSettlement(event, date, begins);
    const due = await this.#due(event, accountId, actor, { from, to: addDays(date, -1) });
    if (due === 0n) return 0n;
    const details = textsOfBank(event);
    return this.#book(accountId, actor, { amount: due, bookingDate: date, valueDate: date, details, key }) ? due : 0n;
  }

  /** Interest in øre: below zero if the account owes it. */
  async #due(
    { kind, rate }: InterestOrFee,
    accountId: number,
    { balance, unposted }: AccountState,
    period: { readonly from: LocalDate; readonly to: LocalDate },
  ): Promise<bigint> {
    if (kind === 'fee for failed orders') {
      const orders = { accountId, channel: ownChannel.id, ...period };
      return -BigInt(await countRejected(this.#stage.tx, orders)) * hundredths(rate);
    }
    const moves = await movedOnDays(this.#stage.tx, accountId, { from: period.from, to: null });
    const course = { balance: unposted.reduce((left, { amount }) => left - amount, balance), moves };
    return kind === 'interest'
      ? interestOf(course, period, { rate, side: 'credit' })
      : -interestOf(course, period, { rate, side: 'debit' });
  }

  /** Stores the bookings since the last time. */
  async #post(): Promise<void> {
    const balances = new Map([...this.#moved].map(([id, { balance }]) => [id, balance]));
    if (balances.size > 0) balances.set(this.#stage.clearingId, this.#clearing);
    await postInOrder(this.#stage.tx, this.#stage.clearingId, this.#movements, balances);
    this.#movements = [];
    for (const actor of this.#moved.values()) actor.unposted = [];
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
