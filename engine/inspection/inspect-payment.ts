import {
  type AwaitedRun,
  lateRunCause,
  type MissingSignatures,
  type OutcomeCause,
  outcomeCause,
} from '../settlement/rules/cause.ts';
import { type MovedDate, movedDate } from '../time/rules/banking-calendar.ts';
import type { Amount, Currency } from '../values/money.ts';
import { type Instant, osloDate } from '../values/instant.ts';
import { isInstant } from '../values/product.ts';
import type { LocalDate } from '../values/local-date.ts';
import {
  isOpenStatus,
  rejectionToCome,
  type AttemptOutcome,
  type DueExecution,
  type ExecutionStatus,
} from '../settlement/rules/decide-attempts.ts';
import { namesOfUnsigned } from '../approval/rows/open-scas.ts';
import { firstRunAfter, runId, type SettlementRun } from '../time/rules/settlement-run.ts';
import { awaitsSignature, isFinal, type TransactionStatus } from '../values/transaction-status.ts';
import { accountByKey } from '../accounts/rows/accounts.ts';
import type { Reader } from '../ledger/database.ts';
import { openExecutionsOf } from '../settlement/rows/due-executions.ts';
import { executionsOf, type Execution } from '../settlement/rows/executions.ts';
import { rejectionsOf, type Rejections } from '../settlement/rows/provoked-rejections.ts';
import {
  inspectAttempts,
  inspectEntries,
  type InspectedAttempt,
  type InspectedEntry,
  creditorsInside,
} from './rows/payment-list.ts';
import { wholeInitiationOf, type Payment, statusChangesOf } from '../payments/rows/payments.ts';
import { orderIn, type OrderOfPayment } from '../payments/rows/orders.ts';
import { type Signature, signaturesOf } from '../payments/rows/signable-payments.ts';
import { type BankContext, readBank, type Reading } from '../bank/bank-context.ts';
import { findAnyPayment } from '../payments/read-payment.ts';
import {
  historyWithDueDay,
  statusAt,
  laggingStatus,
  shownFrom,
  type LaggingStatus,
} from '../payments/rules/payment-status.ts';
import { returnsOf } from '../payments/rows/returns.ts';
import { type ReturnReason, returnReasons } from '../values/return-reasons.ts';
import { planToShow, shownDate } from '../payments/plan-payments.ts';
import { nextRunOf, type Order, type Plan } from '../payments/rules/plan.ts';
import { firstOf } from '../values/lists.ts';

/** How many occurrences are computed beyond those that have executions. */
const plannedOccurrences = 12;

/** Everything that the bank knows about a payment, for the control plane. */
export interface InspectedPayment {
  readonly paymentId: string;
  readonly service: Payment['service'];
  readonly product: Payment['product'];
  readonly tpp: { readonly id: string; readonly name: string };
  readonly status: TransactionStatus;
  /** Shown to the TPP instead, until the status changes (rules.md S9b). */
  readonly forcedStatus: TransactionStatus | null;
  /** What the TPP reads until then, while its status lags (rules.md Q21). */
  readonly laggingStatus?: LaggingStatus;
  /** See {@link shownDate}. */
  readonly executionDate: LocalDate | null;
  /** What its status waits for or came of; null if it is final and the status tells all (rules.md S11). */
  readonly cause: OutcomeCause | MissingSignatures | AwaitedRun | null;
  /** The run that tries it next; null if it is unsigned or ended. */
  readonly nextAttempt: SettlementRun | null;
  /** Whether the creditor's account is an open one of this bank; null for a bulk payment. */
  readonly creditorInThisBank: boolean | null;
  /** Whether it was an account of this bank that is closed. */
  readonly creditorClosed?: true;
  /** As the TPP sent it. */
  readonly initiation: unknown;
  /** The oldest first. A change that the clock alone made has no wall time (rules.md S2b). */
  readonly history: readonly {
    readonly status: TransactionStatus;
    readonly at: Instant;
    /** From when the TPP reads it, unless another has followed by then (rules.md Q21). By default at once. */
    readonly shownAt?: Instant;
    readonly wall: Instant | null;
    readonly cause: string;
  }[];
  /** In the order in which they were given (interface: Multiple signatures). */
  readonly signatures: readonly { readonly psu: string; readonly name: string; readonly at: Instant }[];
  readonly attempts: readonly PaymentAttempt[];
  readonly occurrences: readonly PaymentOccurrence[];
  readonly entries: readonly PaymentEntry[];
  /** What came back of it, or will (rules.md S12). */
  readonly returns: readonly PaymentReturned[];
}

/** `payments[3]`, the path of a bulk payment's item; left out for any other payment. */
interface OfItem {
  readonly item?: string;
}

interface PaymentReturned extends OfItem {
  readonly nominalDate: LocalDate;
  readonly reason: ReturnReason;
  readonly text: string;
  /** The day whose first run books it. */
  readonly due: LocalDate;
  /** Null while it is to come. */
  readonly at: Instant | null;
  /** Null while it is to come, and where the money could not be credited. */
  readonly amount: Amount | null;
  /** Why the money stayed with the clearing account; left out of any other. */
  readonly kept?: string;
}

interface PaymentAttempt extends OfItem {
  /** `2027-03-30/1`; null for an instant payment, which settles without a run (rules.md P10). */
  readonly run: string | null;
  readonly at: Instant;
  readonly nominalDate: LocalDate;
  /** Posted balance plus credit line of the debtor account at that moment (rules.md S4). */
  readonly available: Amount;
  readonly needed: Amount;
  readonly outcome: AttemptOutcome;
  readonly cause: OutcomeCause;
}

interface PaymentOccurrence extends OfItem {
  readonly nominalDate: LocalDate;
  readonly executionDate: LocalDate;
  /** Why the execution date differs from the nominal or requested date; left out if it does not. */
  readonly moved?: MovedDate;
  /** `planned`: computed, without an execution yet. */
  readonly status: ExecutionStatus | 'planned';
  /** Why the control plane rejects it (rules.md P14b); left out otherwise. */
  readonly rejection?: string;
}

interface PaymentEntry extends OfItem {
  /** `debtor`: on the debtor account. `other`: on an account of a creditor or of the bank. */
  readonly leg: 'debtor' | 'other';
  /** The BBAN; the name of an account that has none. */
  readonly account: string;
  readonly accountName: string;
  /** Credit positive, debit negative. */
  readonly amount: Amount;
  readonly nominalDate: LocalDate;
  /** Null while pending, until the next run (rules.md S6). */
  readonly bookingDate: LocalDate | null;
  readonly valueDate: LocalDate;
  readonly booked: boolean;
}

/** Reads a payment of any TPP and PSU, also one that has left the payment API (rules.md S10). Unknown: NOT_FOUND. */
export function inspectPayment(bank: BankContext, paymentId: string): Promise<InspectedPayment> {
  return readBank(bank, async (reading) => {
    const { reader, now, lastRunAt } = reading;
    const payment = await findAnyPayment(reading, paymentId);
    const { currency, signatures_required: required } = await accountByKey(reader, payment.debtor_account_id);
    const signatures = await signaturesOf(reader, { paymentId: payment.id });
    const executions = await executionsOf(reader, { paymentId: payment.id });
    const rejections = (await rejectionsOf(reader, [payment.id])).get(payment.id) ?? new Map<number, string>();
    const { order, signed } = await orderIn(reader, payment.id);
    const open = earliestOpen(executions);
    const next = nextRunOf(signed, open?.execution_date ?? null, bank.schedule, lastRunAt);
    const rows = await inspectAttempts(reader, { paymentId: payment.id });
    const attempts = rows.map((row) => shownAttempt(payment, row, currency));
    const plan =
      awaitsSignature(payment.status) || payment.service === 'periodic-payments'
        ? await planToShow(reading, payment.id)
        : null;
    const lag = bank.quirks.get('status-lag');
    const signedAt = signatures.map(({ signed_at: at }) => at);
    const lagging = lag === undefined ? null : laggingStatus(payment, { lag, signedAt }, now);
    const scheduled = scheduledOccurrences(reading, payment, { order, executions, rejections });
    const due = next === null ? [] : await openExecutionsOf(reader, payment.id);
    const awaited = awaitedRun(bank, { next, signed, due }, open && scheduled[executions.indexOf(open)]);
    return {
      paymentId: payment.resource_id,
      service: payment.service,
      product: payment.product,
      tpp: { id: payment.tpp_id, name: payment.tpp_name },
      status: payment.status,
      forcedStatus: payment.forced_status,
      ...(lagging !== null && { laggingStatus: lagging }),
      executionDate: payment.execution_date === null ? null : shownDate(payment, plan),
      cause: awaitsSignature(payment.status)
        ? await missingSignatures(reader, payment, required, signatures)
        : (latestOutcome(payment, attempts, awaited) ?? awaited),
      nextAttempt: next,
      ...(await whetherInThisBank(reader, payment)),
      initiation: JSON.parse(await wholeInitiationOf(reader, payment)) as unknown,
      history: (await historyOf(reading, payment)).map((line) => {
        const shownAt = lag === undefined ? line.at : shownFrom(line, { lag, signedAt });
        return shownAt === line.at ? line : { ...line, shownAt };
      }),
      signatures: signatures.map(({ customer_number: psu, name, signed_at: at }) => ({ psu, name, at })),
      attempts,
      occurrences: [...scheduled, ...planned(payment, plan, rejections)],
      entries: (await inspectEntries(reader, { paymentId: payment.id, now })).map((entry) => entryOf(payment, entry)),
      returns: (await returnsOf(reader, { paymentId: payment.id })).map((row) => shownReturn(payment, row)),
    };
  });
}

async function whetherInThisBank(
  reader: Reader,
  { id, service }: Payment,
): Promise<Pick<InspectedPayment, 'creditorInThisBank' | 'creditorClosed'>> {
  if (service === 'bulk-payments') return { creditorInThisBank: null };
  const account = (await creditorsInside(reader, [id])).get(id);
  return { creditorInThisBank: account === 'open', ...(account === 'closed' && { creditorClosed: true }) };
}

async function historyOf({ reader, now }: Reading, payment: Payment): Promise<InspectedPayment['history']> {
  const changes = (await statusChangesOf(reader, { paymentId: payment.id })).map(({ status, at, wall, cause }) => {
    return { status, at, wall, cause };
  });
  return historyWithDueDay(changes, payment.execution_date, now);
}

/** The transfers of a payment that is due read PDNG as the payment does (rules.md S2b); occurrences stay ACSP (R9). */
function scheduledOccurrences(
  { bank: { schedule }, now }: Reading,
  payment: Payment,
  { order: { wanted: asked }, executions, rejections }: Scheduled,
): PaymentOccurrence[] {
  const signedOn = osloDate(payment.authorised_at ?? now);
  const rule = typeof asked === 'string' ? 'following' : asked.executionRule;
  return executions.map((execution) => {
    const { nominal_date: nominalDate, execution_date: executionDate } = execution;
    // What settled at once has no other day than that on which it was authorised (rules.md P10, P10b).
    const isAtOnce = isInstant(payment.product) || schedule.calendar.closure(executionDate) !== null;
    const dayOfOrder = isAtOnce ? executionDate : asked;
    const wanted = typeof dayOfOrder === 'string' ? dayOfOrder : nominalDate;
    return {
      ...itemMember(payment, execution),
      nominalDate,
      executionDate,
      ...movedOf(movedDate({ wanted, executionDate, rule, signedOn }, schedule.calendar)),
      status: statusAt({ status: execution.status, date: payment.execution_date }, now),
      ...rejectionOf(rejections, execution.sequence),
    };
  });
}

interface Scheduled {
  readonly order: Order;
  readonly executions: readonly Execution[];
  readonly rejections: Rejections;
}

function earliestOpen(executions: readonly Execution[]): Execution | undefined {
  const open = executions.filter(({ status }) => isOpenStatus(status));
  const [first] = open.map(({ execution_date: date }) => date).toSorted();
  return open.find(({ execution_date: date }) => date === first);
}

function movedOf(moved: MovedDate | null): Pick<PaymentOccurrence, 'moved'> {
  return moved === null ? {} : { moved };
}

/** The future occurrences. An unsigned order counts as signed now (rules.md P13, R6). */
function planned({ status }: Payment, plan: Plan | null, rejections: Rejections): PaymentOccurrence[] {
  if (plan === null || isFinal(status)) return [];
  return firstOf(plan.ahead(), plannedOccurrences).map(({ index, nominalDate, executionDate, moved }) => {
    return { nominalDate, executionDate, ...movedOf(moved), status: 'planned', ...rejectionOf(rejections, index) };
  });
}

function rejectionOf(rejections: Rejections, sequence: number): Pick<PaymentOccurrence, 'rejection'> {
  const rejection = rejections.get(sequence);
  return rejection === undefined ? {} : { rejection };
}

function itemMember({ service }: Payment, { sequence }: { readonly sequence: number }): OfItem {
  return service === 'bulk-payments' ? { item: `payments[${sequence}]` } : {};
}

function shownAttempt(payment: Payment, row: InspectedAttempt, currency: Currency): PaymentAttempt {
  const { run_date: date, run_number: number, at, outcome, number: attempt, reason } = row;
  const run = date === null || number === null ? null : { date, number, at };
  const { available_minor: available, needed_minor: needed, fee_minor: fee } = row;
  return {
    ...itemMember(payment, row),
    run: run === null ? null : runId(run),
    at,
    nominalDate: row.nominal_date,
    available: { minor: available, currency },
    needed: { minor: needed, currency },
    outcome,
    cause: outcomeCause({ outcome, attempt, run, available, needed, fee, currency, reason }),
  };
}

/**
 * The outcome of the latest attempts, with the next one. Null if they settled, if there was none, or if the payment was
 * cancelled.
 */
function latestOutcome(
  { status }: Payment,
  attempts: readonly PaymentAttempt[],
  next: AwaitedRun | null,
): OutcomeCause | null {
  const latest = attempts.at(-1)?.at;
  const failed = attempts.findLast(({ at, outcome }) => at === latest && outcome !== 'settle');
  return failed === undefined || status === 'CANC' ? null : { ...failed.cause, next };
}

interface AwaitedParts {
  /** The run that tries the payment next. */
  readonly next: SettlementRun | null;
  readonly signed: OrderOfPayment['signed'];
  /** Its open executions. */
  readonly due: readonly DueExecution[];
}

/**
 * The run that a payment waits for, which tries `first` and all that is due by then, and what will be rejected. Null
 * without one.
 */
function awaitedRun(
  { schedule }: BankContext,
  { next: run, signed, due }: AwaitedParts,
  first: PaymentOccurrence | undefined,
): AwaitedRun | null {
  if (run === null || signed === null || first === undefined) return null;
  const { executionDate, moved = null } = first;
  const tried = due.filter((execution) => execution.executionDate <= run.date);
  const refused = tried.flatMap((execution) => {
    const rejection = rejectionToCome(execution);
    if (rejection === null) return [];
    let rejecting = run;
    for (let more = rejection.attempt - execution.attempts; more > 1; more -= 1)
      rejecting = firstRunAfter(rejecting.at, schedule.of(signed.lane));
    return [{ run: rejecting, reason: rejection.reason }];
  });
  const alike = Map.groupBy(refused, ({ run: { at }, reason }) => `${at} ${reason}`);
  const late = lateRunCause({ executionDate, isReceivedLater: signed.receivedAt !== signed.at }, run);
  return {
    kind: 'awaits',
    run,
    parts: tried.length,
    refused: [...alike.values()].flatMap(([one, ...more]) =>
      one === undefined ? [] : [{ ...one, count: 1 + more.length }],
    ),
    moved,
    late,
  };
}

/** Who has signed a payment, and who can give what is missing (rules.md A4). */
async function missingSignatures(
  reader: Reader,
  payment: Payment,
  required: number,
  given: readonly Signature[],
): Promise<MissingSignatures> {
  return {
    kind: 'signatures',
    given: given.map(({ name }) => name),
    missing: required - given.length,
    able: await namesOfUnsigned(reader, payment),
  };
}

function shownReturn(payment: Payment, row: Awaited<ReturnType<typeof returnsOf>>[number]): PaymentReturned {
  const { nominal_date: nominalDate, reason, due, booked_at: at, amount_minor: minor, currency, kept } = row;
  const amount = minor === null || currency === null ? null : { minor, currency };
  return {
    ...itemMember(payment, row),
    nominalDate,
    reason,
    text: returnReasons[reason][0],
    due,
    at,
    amount,
    ...(kept !== null && { kept }),
  };
}

function entryOf(payment: Payment, entry: InspectedEntry): PaymentEntry {
  return {
    ...itemMember(payment, entry),
    leg: entry.account_id === payment.debtor_account_id ? 'debtor' : 'other',
    account: entry.bban ?? entry.account_name,
    accountName: entry.account_name,
    amount: { minor: entry.amount_minor, currency: entry.currency },
    nominalDate: entry.nominal_date,
    bookingDate: entry.is_booked === 1 ? entry.booking_date : null,
    valueDate: entry.value_date,
    booked: entry.is_booked === 1,
  };
}
