import type { Person, Plan, Transfer } from '../payments.ts';
import { dayAfter, daysFrom, isClosed, isDayOfExecution } from './days.ts';
import { halfEven } from './money.ts';
import { bankingDayFrom, type ModelQuirks, type Order, type Terms } from './terms.ts';

/*
 * The bank as its rules tell it, in the plainest way that works: everything in objects, every run looks at everything.
 * It shares no code with the engine. Times are texts `YYYY-MM-DD HH:MM` of Oslo's clocks, money is øre.
 */

/** The statuses in which a run can take a payment (rules.md S3). */
const underwayStatuses = ['ACSP', 'PDNG', 'ACCP', 'PART'];

export type ModelPlan = Plan & Required<Pick<Plan, 'endDate'>>;

interface ModelTransfer extends Omit<Transfer, 'from' | 'amount'> {
  /** Minor units of its currency. */
  readonly amount: bigint;
  /** Left out: the transfer is domestic, and free. */
  readonly fee?: bigint;
  /** Whether it goes to another account of the payer. */
  readonly isOwn?: boolean;
}

interface ModelExecution extends ModelTransfer {
  readonly nominal: string;
  readonly date: string;
  /** The day asked for, before closed days moved it. */
  readonly wanted: string;
  readonly signedAt: string;
  /** T4d, T4f. */
  readonly receivedAt: string;
  /** S3b: the number of its payment's signature. */
  readonly signature: number;
  /** Its number among the executions that the bank scheduled; Infinity: it is not scheduled yet. */
  laid: number;
  attempts: number;
  status: 'open' | 'ACSC' | 'RJCT' | 'CANC';
  /** The run, or the moment of the signature (P10b). */
  settledIn: string | null;
}

export interface ModelPayment {
  readonly id: string;
  readonly from: Person;
  /** One, or the items of a bulk payment. */
  readonly transfers: readonly ModelTransfer[];
  readonly isBulk: boolean;
  /** The day asked for, of a single or bulk payment. */
  readonly requested: string;
  readonly plan: ModelPlan | null;
  status: string;
  finalIn: string | null;
  /** R9c: its debtor account was closed after it ended. */
  hasLeft: boolean;
  readonly executions: ModelExecution[];
}

/** S8b, D3d: announced and not posted; a debit is below zero. */
interface ModelReservation {
  readonly id: string;
  readonly account: string;
  readonly amount: bigint;
  /** Null: until it is deleted. */
  readonly booked: string | null;
}

/** What the model is told of a bank. */
export interface ModelBank {
  readonly quirks: ModelQuirks;
  readonly terms: Terms;
  /** The listed rate of a currency, or that of a fixing, in units of 1/10^scale NOK. */
  readonly rateOf: (currency: string, fixing: string | null) => { readonly digits: bigint; readonly scale: number };
}

/** An account of a person at the beginning. */
export interface ModelAccount {
  readonly name: string;
  readonly balance: bigint;
  readonly creditLine: bigint;
  readonly kind: 'private' | 'corporate';
}

export class Model {
  readonly balances: Map<string, bigint>;
  readonly creditLines: Map<string, bigint>;
  /** P5c: accounts that were closed, or opened again in a currency that no payment here is in. */
  readonly closed = new Map<string, 'closed' | 'EUR'>();
  readonly payments: ModelPayment[] = [];
  /** The payments that a run may take, now or later. */
  private live: ModelPayment[] = [];
  reservations: ModelReservation[] = [];
  now: string;
  lastRun = '';
  toClosed = 0;
  /** Every attempt of a run, in words: payment, dates, run, outcome and funds. */
  readonly attempts: string[] = [];
  readonly terms: Terms;
  private laid = 0;
  private signatures = 0;
  private readonly firstOpenDays = new Map<ModelPayment, string>();
  private readonly kinds: ReadonlyMap<string, ModelAccount['kind']>;
  private readonly bank: ModelBank;

  constructor(now: string, accounts: readonly ModelAccount[], bank: ModelBank) {
    this.now = now;
    this.bank = bank;
    this.terms = bank.terms;
    this.kinds = new Map(accounts.map((one) => [one.name, one.kind]));
    this.balances = new Map(accounts.map((one) => [one.name, one.balance]));
    this.creditLines = new Map(accounts.map((one) => [one.name, one.creditLine]));
  }

  take(payment: ModelPayment): void {
    this.payments.push(payment);
    this.live.push(payment);
  }

  /** T4, T5: every run in between, one after the other. */
  advance(to: string): void {
    for (let day = this.now.slice(0, 10); day <= to.slice(0, 10); day = dayAfter(day, 1)) {
      this.book(day);
      for (const time of isClosed(day) ? [] : this.terms.runsOf(day)) {
        const run = `${day} ${time}`;
        if (run > this.now && run <= to) this.settle(run);
      }
    }
    this.now = to;
  }

  /** S8b: the sum of the reservations of an account, or else of what comes to it. */
  announced(name: string, isDebit: boolean): bigint {
    const own = this.reservations.filter(({ account, amount }) => account === name && amount < 0n === isDebit);
    return own.reduce((sum, { amount }) => sum + amount, 0n);
  }

  /** S4: what a run lets it spend. */
  available(name: string): bigint {
    return (this.balances.get(name) ?? 0n) + (this.creditLines.get(name) ?? 0n) + this.announced(name, true);
  }

  /** D3d: before the runs of the day. */
  private book(day: string): void {
    for (const { account, amount, booked } of this.reservations) {
      if (booked !== null && booked <= day) this.add(account, amount);
    }
    this.reservations = this.reservations.filter(({ booked }) => booked === null || booked > day);
  }

  /** S2, P13, R6: schedules the executions of a payment. False: none is left to execute. */
  sign(payment: ModelPayment): boolean {
    const today = this.now.slice(0, 10);
    this.signatures += 1;
    const signed = { signedAt: this.now, signature: this.signatures };
    const { plan } = payment;
    if (plan === null) {
      if (this.settlesAtOnce(payment)) return true;
      const due = bankingDayFrom(payment.requested < today ? today : payment.requested, 1);
      const date = this.isByRun ? this.terms.dayOfRunFor(this.now, this.orderOf(payment), due) : due;
      for (const transfer of payment.transfers) {
        const received = this.received(payment, transfer, date);
        payment.executions.push(
          open({ ...transfer, ...received }, [date, date, payment.requested], signed, received.receivedAt),
        );
      }
      this.layOut(payment, date);
      payment.status = date === today ? 'PDNG' : 'ACSP';
      return true;
    }
    const nextRun = this.terms.dayOfRunFor(this.now, this.orderOf(payment));
    const receivedAt = this.terms.receivedAt(this.now, this.orderOf(payment));
    for (const nominal of nominalDays(plan)) {
      const date = bankingDayFrom(nominal, plan.executionRule === 'preceeding' ? -1 : 1);
      if (nominal < today && date < today) continue;
      const laid = (date < nominal || this.isByRun) && date < nextRun ? nextRun : date;
      for (const transfer of payment.transfers) {
        payment.executions.push(open(transfer, [nominal, laid, nominal], signed, receivedAt));
      }
    }
    const [first] = payment.executions;
    if (first === undefined) return false;
    this.layOut(payment, nextRun > first.date ? nextRun : first.date);
    payment.status = 'ACSP';
    return true;
  }

  /** R9: the executions of a payment up to a date get their places; later ones when a run has tried these. */
  private layOut({ executions }: ModelPayment, through: string): void {
    for (const one of executions) {
      if (one.laid !== Infinity || one.date > through) continue;
      this.laid += 1;
      one.laid = this.laid;
    }
  }

  /** S6b. */
  private get isByRun(): boolean {
    return this.bank.quirks['value-date'] !== undefined;
  }

  /** S6c: a run books what it settles if it is the last of its day; a run that is not has the same day. */
  private get isBookedByRun(): boolean {
    return this.bank.quirks['value-date'] === 'run-day-booked';
  }

  /** T4g: what it is for its cut-off; a bulk payment is inside the bank if all its items are. */
  private orderOf({ from, transfers }: Pick<ModelPayment, 'from' | 'transfers'>): Order {
    const kind = this.kinds.get(from) ?? 'private';
    const [{ foreign } = { foreign: undefined }] = transfers;
    if (foreign !== undefined) return { kind, ...foreign };
    const isInside = transfers.every(({ to }) => this.creditLines.has(to) && !this.closed.has(to));
    const hasKid = transfers.some(({ hasReference }) => hasReference === true);
    return { kind, product: isInside ? (hasKid ? 'inside-kid' : 'inside') : 'domestic', currency: 'NOK' };
  }

  /** T4d, T4f, P11b: when a transfer that is signed now counts as received, and what the debtor pays for it. */
  private received(
    payment: ModelPayment,
    { amount, foreign }: ModelTransfer,
    date: string,
  ): { amount: bigint; receivedAt: string } {
    const { terms } = this;
    const receivedAt = terms.receivedAt(this.now, this.orderOf(payment));
    if (foreign === undefined || foreign.currency === 'NOK') return { amount, receivedAt };
    const fixing = terms.fixingFrom(receivedAt > `${date} 00:00` ? receivedAt : `${date} 00:00`);
    const { digits, scale } = this.bank.rateOf(foreign.currency, fixing);
    return { amount: halfEven(amount * digits, 10n ** BigInt(scale)), receivedAt: fixing ?? receivedAt };
  }

  /** P10b: inside the bank, wanted today or earlier, with funds. */
  private settlesAtOnce(payment: ModelPayment): boolean {
    const [transfer] = payment.transfers;
    const today = this.now.slice(0, 10);
    if (transfer === undefined || payment.isBulk || payment.requested > today) return false;
    const { to, amount, fee, isOwn = false, hasReference: hasKid = false } = transfer;
    if (fee !== undefined || this.closed.has(to) || !this.creditLines.has(to)) return false;
    const inside = this.bank.quirks['same-bank-at-once'];
    const isInside = inside === 'all' || inside === 'next-day' || (inside === 'without-kid' && !hasKid);
    if (!isInside && !(isOwn && this.bank.quirks['own-accounts-at-once'] === true)) return false;
    if (this.available(payment.from) < amount) return false;
    this.move(payment.from, to, amount);
    const signed = { signedAt: this.now, signature: this.signatures };
    const execution = open(transfer, [today, today, today], signed, this.now);
    payment.executions.push(Object.assign(execution, { status: 'ACSC', attempts: 1, settledIn: this.now }));
    this.layOut(payment, today);
    payment.status = 'ACSC';
    payment.finalIn = inside === 'next-day' ? `${today} 23:59` : this.now;
    return true;
  }

  private move(from: string, to: string, amount: bigint): void {
    this.add(from, -amount);
    this.add(to, amount);
  }

  /** Changes the balance of an account. */
  add(name: string, change: bigint): void {
    this.balances.set(name, (this.balances.get(name) ?? 0n) + change);
  }

  /** R10: cancels the payment with its open executions. */
  cancel(payment: ModelPayment): void {
    payment.status = 'CANC';
    for (const one of payment.executions) if (one.status === 'open') one.status = 'CANC';
  }

  /** D2, S9c, R9c: cancels the unsettled payments of a closed account; a bulk payment with a settled item stays PART. */
  close(name: string): void {
    for (const payment of this.payments.filter(({ from }) => from === name)) {
      if (payment.status === 'ACSC' && isKept(payment)) payment.hasLeft = true;
      if (payment.status !== 'RCVD' && !underwayStatuses.includes(payment.status)) continue;
      const isPart = payment.isBulk && payment.executions.some(({ status }) => status === 'ACSC');
      this.cancel(payment);
      if (isPart) payment.status = 'PART';
    }
    this.closed.set(name, 'closed');
    this.reservations = this.reservations.filter(({ account }) => account !== name);
    this.balances.delete(name);
  }

  /** The number is opened again, without money or credit line. */
  reopen(name: string, currency: 'NOK' | 'EUR'): void {
    if (currency === 'NOK') this.closed.delete(name);
    else this.closed.set(name, 'EUR');
    this.balances.set(name, 0n);
    this.creditLines.set(name, 0n);
  }

  /** S2b: a single payment that is due reads PDNG, whatever the bank has stored. */
  status({ status, plan, executions }: ModelPayment): string {
    const isDue = plan === null && executions.some(({ date }) => date <= this.now.slice(0, 10));
    return status === 'ACSP' && isDue ? 'PDNG' : status;
  }

  /** S6, S9: what the status of a payment reads as; null when it cannot be read. */
  seen(payment: ModelPayment): string | null {
    const isForeign = payment.transfers.some(({ fee }) => fee !== undefined);
    const isHidden = payment.status === 'RCVD' && !isForeign && this.bank.quirks['status-before-approval'] !== true;
    if (isHidden || payment.hasLeft) return null;
    if (isKept(payment)) return this.status(payment);
    if (payment.status === 'ACSC' && payment.finalIn !== null && payment.finalIn < this.lastRun) return null;
    return this.status(payment);
  }

  /** The booking day of what an execution posted: what settled inside the bank at once may be booked a banking day later (P10b). */
  bookedDayOf({ settledIn, signedAt }: Pick<ModelExecution, 'settledIn' | 'signedAt'>): string {
    const isAtOnce = settledIn === signedAt;
    if (!isAtOnce && settledIn !== null && this.isBookedByRun) return settledIn.slice(0, 10);
    const isLater = isAtOnce && this.bank.quirks['same-bank-at-once'] === 'next-day';
    return this.terms.dayOfBooking(isLater ? `${signedAt.slice(0, 10)} 23:59` : (settledIn ?? ''));
  }

  /** D3c: a fee stays in the month in which it was charged. */
  feeBookedOn(time: string): string {
    if (this.isBookedByRun) return time.slice(0, 10);
    let day = this.terms.dayOfBooking(time);
    if (this.bank.quirks['month-end-bookings'] !== true) return day;
    while (day.slice(0, 7) > time.slice(0, 7)) day = dayAfter(day, -1);
    return day;
  }

  /** The value date: the execution date (S6), the banking day after it (T4d), or the closed day that was wanted or signed on (D3c). */
  valueOf({ wanted, signedAt, date, fee, foreign, to }: ModelExecution, from: string): string {
    if (foreign !== undefined)
      return this.terms.valueDay(date, { kind: this.kinds.get(from) ?? 'private', ...foreign });
    if (fee !== undefined) return date;
    const first = [wanted, signedAt.slice(0, 10)].toSorted().at(-1) ?? date;
    if (first >= date) return date;
    if (this.bank.quirks['value-date'] === 'transfer-day' && this.creditLines.has(to)) return first;
    if (this.bank.quirks['weekend-values'] !== true) return date;
    for (let day = first; day < date; day = dayAfter(day, 1)) if (!isClosed(day)) return date;
    return first;
  }

  private settle(run: string): void {
    this.live = this.live.filter(({ status }) => status === 'RCVD' || underwayStatuses.includes(status));
    const day = run.slice(0, 10);
    const isDue = ({ status, date, receivedAt }: ModelExecution): boolean =>
      status === 'open' && date <= day && receivedAt <= run;
    const due = this.live
      .filter((payment) => payment.status !== 'RCVD' && this.firstOpenDay(payment) <= day)
      .filter(({ executions }) => executions.some(isDue))
      .filter((payment) => this.terms.tries(run, this.orderOf(payment)))
      .flatMap((payment) => payment.executions.filter(isDue).map((execution) => ({ payment, execution })))
      .sort((a, b) => byOrder(a.execution, b.execution));
    for (const { payment, execution } of due) this.attempt(run, payment, execution);
    const tried = new Set(due.map((one) => one.payment));
    for (const payment of tried) this.firstOpenDays.delete(payment);
    for (const payment of tried) this.follow(run, payment);
    for (const payment of this.live) if (tried.has(payment)) this.layOutNext(payment);
    if (this.terms.books(run)) this.lastRun = run;
  }

  /** The first day of an execution that is open, or was when a run last tried the payment: later ones need no look. */
  private firstOpenDay(payment: ModelPayment): string {
    const known = this.firstOpenDays.get(payment);
    if (known !== undefined) return known;
    const days = payment.executions.filter(({ status }) => status === 'open').map(({ date }) => date);
    const first = days.toSorted()[0] ?? '9999';
    this.firstOpenDays.set(payment, first);
    return first;
  }

  private attempt(run: string, payment: ModelPayment, execution: ModelExecution): void {
    const { from } = payment;
    const { to, amount, fee = 0n, nominal, date } = execution;
    const available = this.available(from);
    execution.attempts += 1;
    if (this.closed.has(to)) {
      execution.status = 'RJCT';
      this.toClosed += 1;
    } else if (available >= amount + fee) {
      this.move(from, to, amount);
      this.move(from, 'fees', fee);
      execution.status = 'ACSC';
      execution.settledIn = run;
    } else if (execution.attempts === 5) execution.status = 'RJCT';
    const outcome = { open: 'retry', ACSC: 'settle', RJCT: 'reject', CANC: '' }[execution.status];
    const what = `${payment.id} ${nominal} ${date} ${this.terms.runId(run)} ${execution.attempts}`;
    this.attempts.push(`${what} ${outcome} ${available} of ${amount + fee}`);
  }

  /** R9: schedules the next day of a standing order when all its scheduled executions have been tried. */
  private layOutNext(payment: ModelPayment): void {
    const laid = payment.executions.filter((one) => one.laid !== Infinity);
    const next = payment.executions.find((one) => one.laid === Infinity && one.status === 'open');
    if (next !== undefined && laid.every(({ attempts }) => attempts > 0)) this.layOut(payment, next.date);
  }

  /** S9b, R9, R9b: derives the status of a payment from its executions, after a run that tried some of them. */
  private follow(run: string, payment: ModelPayment): void {
    const has = (wanted: string): boolean => payment.executions.some(({ status }) => status === wanted);
    const isOver = !has('open');
    if (payment.isBulk && has('ACSC')) payment.status = isOver && !has('RJCT') ? 'ACSC' : 'PART';
    else if (isOver) payment.status = has('ACSC') ? 'ACSC' : 'RJCT';
    else if (payment.plan === null) payment.status = 'ACCP';
    if (payment.status === 'ACSC') payment.finalIn = run;
  }
}

/** R9c: a standing order with a rejected occurrence stays after its last booking. */
function isKept({ plan, executions }: ModelPayment): boolean {
  return plan !== null && executions.some(({ status }) => status === 'RJCT');
}

const inDays: Readonly<Record<string, number>> = { Daily: 1, Weekly: 7, EveryTwoWeeks: 14 };
const inMonths: Readonly<Record<string, number>> = {
  Monthly: 1,
  EveryTwoMonths: 2,
  Quarterly: 3,
  SemiAnnual: 6,
  Annual: 12,
};

/** R2-R7: finds the nominal days by checking every day from the first to the last. */
export function nominalDays(plan: ModelPlan): string[] {
  const { frequency, startDate, endDate, dayOfExecution = startDate.slice(8), monthsOfExecution = [] } = plan;
  const [everyDays, everyMonths] = [inDays[frequency], inMonths[frequency]];
  const found: string[] = [];
  let hits = 0;
  for (let day: string = startDate; day <= endDate; day = dayAfter(day, 1)) {
    if (everyDays !== undefined) {
      if (daysFrom(startDate, day) % everyDays === 0) found.push(day);
    } else if (isDayOfExecution(day, Number(dayOfExecution))) {
      const month = Number(day.slice(5, 7));
      const isHit = everyMonths === undefined ? monthsOfExecution.includes(month) : hits % everyMonths === 0;
      if (isHit) found.push(day);
      hits += 1;
    }
  }
  return found;
}

function open(
  transfer: ModelTransfer,
  [nominal, date, wanted]: readonly [nominal: string, date: string, wanted: string],
  signed: Pick<ModelExecution, 'signedAt' | 'signature'>,
  receivedAt: string,
): ModelExecution {
  const begun = { ...signed, receivedAt, laid: Infinity, attempts: 0, status: 'open', settledIn: null } as const;
  return { ...transfer, nominal, date, wanted, ...begun };
}

/** S3b: what is received at one instant goes in the order of the signatures; occurrences of one order by their nominal dates. */
function byOrder(one: ModelExecution, other: ModelExecution): number {
  const [a, b] = [one, other].map(({ date, receivedAt }) => `${date} ${receivedAt}`);
  if (a !== b) return (a ?? '') < (b ?? '') ? -1 : 1;
  if (one.signature !== other.signature) return one.signature - other.signature;
  return one.nominal === other.nominal ? one.laid - other.laid : one.nominal < other.nominal ? -1 : 1;
}
