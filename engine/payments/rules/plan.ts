import type { Quirks } from '../../bank/rules/quirk.ts';
import { type Cause, lateRunCause } from '../../settlement/rules/cause.ts';
import { bookingIn, datesOf, type PostingDates } from '../../settlement/rules/posting-dates.ts';
import { executionDateWhenSigned, isBankingDay, movedDate, type MovedDate } from '../../time/rules/banking-calendar.ts';
import { fixingFrom } from '../../time/rules/cut-offs.ts';
import type { Lane } from '../../time/rules/lanes.ts';
import {
  firstIndexToPay,
  notBeforeRun,
  type Occurrence,
  occurrences,
  occurrencesFrom,
  type Schedule,
} from '../../time/rules/occurrences.ts';
import {
  firstRunAfter,
  firstRunIfSigned,
  firstRunOnOrAfter,
  type LaneRuns,
  type RunSchedule,
  runThatTakes,
  type SettlementRun,
  valueDateOf,
  whenReceived,
} from '../../time/rules/settlement-run.ts';
import { assert } from '../../values/assert.ts';
import type { CustomerType } from '../../values/customer-type.ts';
import type { Fault } from '../../values/fault.ts';
import { type Instant, osloDate, osloInstant, startOfDay } from '../../values/instant.ts';
import { addDays, type LocalDate } from '../../values/local-date.ts';
import type { PriceList } from '../../values/price-list.ts';
import { isDomestic, isForeign, isInstant, type Product, productWords } from '../../values/product.ts';
import { type InitiatedTransfer, type Initiation, scheduleOf, transfersOf } from './payment-initiation.ts';
import type { Currency } from '../../values/money.ts';
import { type ForeignOrder, type ForeignTransfer, priceForeignTransfer, pricesAt } from './foreign-transfer.ts';

/** What is ordered, as far as it decides when the bank pays. It is made of the rows of a payment, or of a question. */
export interface Order {
  readonly isSingle: boolean;
  readonly product: Product;
  /**
   * Null unless it is domestic, and all creditor accounts are open ones of this bank in its currency (rules.md T4g).
   */
  readonly inside: Inside | null;
  /** The requested day, or that of the initiation (rules.md P3); of a standing order its schedule. */
  readonly wanted: LocalDate | Schedule;
  /** The owner of the debtor account. */
  readonly customer: CustomerType;
  /** Of a foreign payment, else null. */
  readonly foreign: ForeignOrder | null;
  /** Whether it would settle if it were tried now; only what may settle at once is asked (rules.md P10b, P3d). */
  readonly settlesNow: boolean;
}

/** What decides whether an order may settle at once. */
type WhatIsPaid = Pick<Order, 'isSingle' | 'product' | 'inside'>;

/** A domestic order inside the bank. */
export interface Inside {
  /** Whether one customer holds both accounts. */
  readonly isOwn: boolean;
  /** Whether it has a structured reference, in a bulk payment one item. */
  readonly hasReference: boolean;
}

/** What decides when a bank pays. */
export interface PayingTerms {
  readonly schedule: RunSchedule;
  readonly quirks: Quirks;
  readonly prices: PriceList;
}

/** When an order is signed. */
export interface Moment {
  readonly at: Instant;
  /** The last scheduled run that has passed. */
  readonly lastRunAt: Instant;
  /** False means that nobody has signed it, and it is told as if it were signed at this moment. */
  readonly isSigned: boolean;
}

/** What the ledger has of a signed order that no run has tried: it answers, whatever terms have changed since. */
export interface Stored {
  readonly lane: Lane;
  readonly receivedAt: Instant;
  readonly executions: readonly Occurrence[];
  /** The first occurrence of a standing order without an execution. */
  readonly nextIndex: number | null;
}

/** When an order is paid, and why then. */
export interface Plan extends Pick<Order, 'wanted'> {
  readonly lane: Lane;
  /** Whether it settles when it is signed, without a run (rules.md P10, P10b). */
  readonly isAtOnce: boolean;
  /** When it counts as received (rules.md T4d, T4f). */
  readonly receivedAt: Instant;
  /** The cut-off of the banking day on which it is signed, and whether it comes in time. */
  readonly cutOff: { readonly time: string; readonly at: Instant; readonly isMet: boolean } | null;
  /** When its rate is fixed. Null if it has no rate, or keeps it. */
  readonly fixing: Instant | null;
  /** A foreign payment at the rates of its fixing; without a fixing at those of the price list. */
  readonly price: ForeignTransfer | null;
  /** Why it cannot be signed at this moment. */
  readonly refusal: Fault | null;
  /**
   * One for each transfer is alike; of a standing order those of its first execution date, none if every date has
   * passed.
   */
  readonly executions: readonly PlannedExecution[];
  /** The first occurrence of a standing order after these. Null at its end, and for any other order. */
  readonly nextIndex: number | null;
  /**
   * Of a standing order, the occurrences without an execution; from an earlier index on, those that have passed too.
   */
  readonly ahead: (from?: number) => Iterable<PlannedOccurrence>;
}

/** A date of an order. */
export interface PlannedOccurrence extends Occurrence {
  /** The day wanted: that of {@link Order}, or the nominal date. */
  readonly wanted: LocalDate;
  /** Why its execution date is another. */
  readonly moved: MovedDate | null;
}

/** An execution if funds suffice. */
export interface PlannedExecution extends PlannedOccurrence, PostingDates {
  /** The run that tries it first. Null if it settles at once. */
  readonly run: SettlementRun | null;
  readonly settlesAt: Instant;
  /** Why it is on that day and in that run (rules.md S11). */
  readonly causes: readonly Cause[];
}

/** What all parts of a plan depend on. */
interface Planning {
  readonly order: Order;
  readonly terms: PayingTerms;
  readonly moment: Moment;
  readonly runs: LaneRuns;
  readonly today: LocalDate;
}

/** Plans an order that is signed at a moment; `stored`: one that was signed, and that no run has tried. */
export function planOf(order: Order, terms: PayingTerms, moment: Moment, stored: Stored | null = null): Plan {
  const lane = stored?.lane ?? laneOf(order);
  const runs = terms.schedule.of(lane);
  const planning = { order, terms, moment, runs, today: osloDate(moment.at) };
  const base = { wanted: order.wanted, lane, cutOff: cutOffOf(planning), nextIndex: null, ahead: () => [] };
  if (stored === null && order.settlesNow && maySettleAtOnce(order, order.wanted, planning.today, terms.quirks)) {
    const { at: receivedAt } = moment;
    const executions = [executionAtOnce(planning)];
    return { ...base, isAtOnce: true, receivedAt, fixing: null, price: null, refusal: null, executions };
  }
  const dates = stored ?? datesWhenSigned(planning);
  const received = receivedFor(planning, dates.executions[0]?.executionDate ?? null);
  const receivedAt = stored?.receivedAt ?? received.at;
  const price = priceAtFixing(planning, received.fixing);
  const refusal = dates.executions.length === 0 && stored === null ? allPassed(planning.today) : null;
  return {
    ...base,
    isAtOnce: false,
    receivedAt,
    fixing: received.fixing,
    price: price !== null && 'code' in price ? null : price,
    refusal: refusal ?? (price !== null && 'code' in price ? price : null),
    executions: dates.executions.map((dated) => executionByRun(planning, dated, receivedAt)),
    nextIndex: dates.nextIndex,
    ahead: (from) => occurrencesAhead(planning, stored, from),
  };
}

/** The accounts of this bank among the creditors of a question, by the numbers of the creditors. */
export type OwnCreditors = ReadonlyMap<string, { readonly currency: Currency; readonly isOwn: boolean }>;

/** The order of an initiation on this day by a payer with funds. */
export function orderOf(
  { product, ...initiation }: Initiation & { readonly product: Product },
  payer: { readonly type: CustomerType; readonly currency: Currency },
  creditors: OwnCreditors,
  today: LocalDate,
  transfers: readonly InitiatedTransfer[] = transfersOf(initiation),
): Order {
  const [{ amount: instructed, creditorNumber } = { amount: null, creditorNumber: '' }] = transfers;
  const creditorCurrency = creditors.get(creditorNumber)?.currency ?? null;
  const isPriced = isForeign(product) && instructed !== null;
  return {
    customer: payer.type,
    product,
    isSingle: initiation.service === 'payments',
    wanted:
      initiation.service === 'periodic-payments'
        ? scheduleOf(initiation.body)
        : (initiation.body.requestedExecutionDate ?? today),
    inside: insideOf(product, transfers, creditors),
    foreign: isPriced ? { product, instructed, debtorCurrency: payer.currency, creditorCurrency } : null,
    settlesNow: true,
  };
}

/** Whether these transfers stay inside the bank: to its open accounts, by the numbers of their creditors. */
function insideOf(product: Product, transfers: readonly InitiatedTransfer[], creditors: OwnCreditors): Inside | null {
  const found = transfers.map(({ creditorNumber: number, amount }) => {
    const account = creditors.get(number);
    return account?.currency === amount.currency ? account : undefined;
  });
  if (!isDomestic(product) || found.includes(undefined)) return null;
  return {
    isOwn: found.every((account) => account?.isOwn),
    hasReference: transfers.some(({ body }) => body.remittanceInformationStructuredArray !== undefined),
  };
}

/** The lane of an order (rules.md T9, T4g). */
export function laneOf({ customer, product, inside, foreign }: Order): Lane {
  return {
    customer,
    product: inside === null ? productWords[product] : inside.hasReference ? 'inside-kid' : 'inside',
    currency: foreign?.instructed.currency ?? 'NOK',
  };
}

/**
 * The day of a single or bulk order that is signed today: the day wanted, or today if that has passed, moved off closed
 * days (rules.md P3, P13). What may settle at once is executed today, banking day or not (P10, P10b).
 */
export function dayOfOrder(
  order: WhatIsPaid,
  wanted: LocalDate,
  today: LocalDate,
  { schedule, quirks }: Pick<PayingTerms, 'schedule' | 'quirks'>,
): LocalDate {
  return maySettleAtOnce(order, wanted, today, quirks)
    ? today
    : executionDateWhenSigned(wanted, today, schedule.calendar);
}

/** Whether an order that is signed today settles at once if funds suffice (rules.md P10, P10b). */
function maySettleAtOnce(
  { isSingle, product, inside }: WhatIsPaid,
  wanted: LocalDate | Schedule,
  today: LocalDate,
  quirks: Quirks,
): boolean {
  if (isInstant(product)) return true;
  if (!isSingle || inside === null || typeof wanted !== 'string' || wanted > today) return false;
  if (inside.isOwn && quirks.has('own-accounts-at-once')) return true;
  const ofBank = quirks.get('same-bank-at-once');
  return ofBank !== undefined && !(ofBank === 'without-kid' && inside.hasReference);
}

/**
 * It is executed today, banking day or not. The next run books it, under `same-bank-at-once=next-day` the first one of
 * the next day.
 */
function executionAtOnce({ order, terms: { schedule, quirks }, moment: { at }, today }: Planning): PlannedExecution {
  const isLater = !isInstant(order.product) && quirks.get('same-bank-at-once') === 'next-day';
  const next = isLater ? firstRunOnOrAfter(addDays(today, 1), schedule.booking) : firstRunAfter(at, schedule.booking);
  const dated = { index: 0, nominalDate: today, executionDate: today, wanted: today, moved: null };
  return { ...dated, run: null, settlesAt: at, valueDate: today, ...bookingIn(next), causes: [] };
}

function cutOffOf({ moment: { at }, runs, today }: Planning): Plan['cutOff'] {
  const time = isBankingDay(today, runs.calendar) ? runs.cutOffOn(today) : null;
  if (time === null) return null;
  const closes = osloInstant(today, time);
  return { time, at: closes, isMet: at <= closes };
}

/**
 * When an order counts as received (rules.md T4d, T4f): when it is signed, or after the cut-off of its day at the
 * beginning of the next banking day; one that is exchanged at the next fixing of its execution date or later.
 */
function receivedFor(
  { order: { foreign }, terms, moment, runs }: Planning,
  executionDate: LocalDate | null,
): { readonly at: Instant; readonly fixing: Instant | null } {
  const { fxFixings } = terms.schedule.cutOffRules;
  const at = whenReceived(moment.at, runs);
  if (foreign === null || executionDate === null || fxFixings.length === 0 || !isExchanged(foreign))
    return { at, fixing: null };
  const fixing = fixingFrom(Math.max(at, startOfDay(executionDate)) as Instant, fxFixings, runs.calendar);
  return { at: fixing, fixing };
}

function isExchanged({ instructed: { currency }, debtorCurrency, creditorCurrency }: ForeignOrder): boolean {
  return debtorCurrency !== currency || (creditorCurrency ?? currency) !== currency;
}

function priceAtFixing({ order: { foreign }, terms: { prices } }: Planning, fixing: Instant | null) {
  if (foreign === null) return null;
  return priceForeignTransfer(foreign, fixing === null ? prices : pricesAt(fixing, prices));
}

function allPassed(today: LocalDate): Fault {
  const text = `Every day of execution had passed by ${today}, when the payment was signed. Initiate a new one.`;
  return { code: 'EXECUTION_DATE_INVALID', path: 'endDate', text };
}

/** The dates that an order gets when it is signed at this moment. */
function datesWhenSigned(planning: Planning): Pick<Stored, 'executions' | 'nextIndex'> {
  const { order, terms, moment, runs, today } = planning;
  const { calendar } = runs;
  const isDatedByRun = terms.quirks.has('value-date');
  if (typeof order.wanted === 'string') {
    const agreed = executionDateWhenSigned(order.wanted, today, calendar);
    const taken = () => ({ executionDate: agreed, receivedAt: receivedFor(planning, agreed).at, lastRunAt: moment.at });
    // Under this quirk the day of the run is the date (rules.md S6b).
    const executionDate = isDatedByRun ? runThatTakes(taken(), runs).date : agreed;
    return { executions: [{ index: 0, nominalDate: executionDate, executionDate }], nextIndex: null };
  }
  const first = firstIndexToPay(order.wanted, today, calendar);
  const { date: notBefore } = firstRunIfSigned(moment.at, runs);
  const batch = occurrencesFrom(order.wanted, first, calendar, { notBefore, isOfAll: isDatedByRun });
  return { executions: batch.occurrences, nextIndex: batch.nextIndex };
}

/**
 * The occurrences of an unsigned order are those that have not passed; none is before the next run that may be
 * (rules.md P13, R6, S6b).
 */
function* occurrencesAhead(
  planning: Planning,
  stored: Stored | null,
  from?: number,
): Generator<PlannedOccurrence, void> {
  const { order, terms, moment, runs, today } = planning;
  if (typeof order.wanted === 'string' || stored?.nextIndex === null) return;
  const first = stored?.nextIndex ?? firstIndexToPay(order.wanted, today, runs.calendar);
  const notBefore = stored === null ? firstRunIfSigned(moment.at, runs).date : null;
  for (const planned of occurrences(order.wanted, runs.calendar, from ?? first)) {
    const isDatedByRun = terms.quirks.has('value-date');
    yield datedOf(planning, planned.index < first ? planned : notBeforeRun(notBefore, planned, isDatedByRun));
  }
}

function datedOf({ order, moment, runs, today: signedOn }: Planning, occurrence: Occurrence): PlannedOccurrence {
  const { wanted: asked } = order;
  const isDay = typeof asked === 'string';
  const [wanted, rule] = isDay ? [asked, 'following' as const] : [occurrence.nominalDate, asked.executionRule];
  const { executionDate } = occurrence;
  const moved = movedDate({ wanted, executionDate, rule, signedOn }, runs.calendar, moment.isSigned);
  return { ...occurrence, wanted, moved };
}

/** The run that tries it first settles it, and the next one books it (rules.md P3, S6, T4). */
function executionByRun(planning: Planning, occurrence: Occurrence, receivedAt: Instant): PlannedExecution {
  const { order, terms, moment, runs, today } = planning;
  const dated = datedOf(planning, occurrence);
  const { executionDate, wanted, moved } = dated;
  const run = runThatTakes({ executionDate, receivedAt, lastRunAt: moment.lastRunAt }, runs);
  const days =
    order.foreign === null
      ? { valueDate: null, asked: { wanted, signed: today } }
      : { valueDate: valueDateOf(executionDate, runs), asked: null };
  const posting = { isFee: false, isInside: order.inside !== null, executionDate, ...days };
  const { quirks } = terms;
  const dating = {
    quirks,
    calendar: runs.calendar,
    isRun: true,
    postedAt: run.at,
    next: firstRunAfter(run.at, terms.schedule.booking),
  };
  const late = lateRunCause({ executionDate, isReceivedLater: receivedAt > moment.at }, run);
  return {
    ...dated,
    run,
    settlesAt: run.at,
    ...datesOf(posting, dating),
    causes: [moved, late].filter((cause) => cause !== null),
  };
}

/**
 * The run that tries a signed payment next (rules.md T4). `executionDate` is the earliest one of its open executions;
 * without one both are null.
 */
export function nextRunOf(
  signed: Pick<Stored, 'lane' | 'receivedAt'> | null,
  executionDate: LocalDate | null,
  schedule: RunSchedule,
  lastRunAt: Instant,
): SettlementRun | null {
  if (executionDate === null) return null;
  assert(signed !== null, 'only what was authorised has executions');
  const { lane, receivedAt } = signed;
  return runThatTakes({ executionDate, receivedAt, lastRunAt }, schedule.of(lane));
}
