import { type BankContext, readBank, type Reading } from '../bank/bank-context.ts';
import { type CalendarDay, describeCalendar } from '../bank/read-clock.ts';
import type { Ledger } from '../ledger/database.ts';
import type { Quirks } from '../bank/rules/quirk.ts';
import { findAnyPayment } from '../payments/read-payment.ts';
import { forecast } from '../runs/forecast.ts';
import { attemptOf, type ForecastExecution, type RunAttempt } from '../runs/list-runs.ts';
import { attemptsOfPayments, type PaymentAttemptRow } from '../runs/rows/run-attempts.ts';
import type { Cause } from '../settlement/rules/cause.ts';
import { type AttemptOutcome, daysOfAttempts } from '../settlement/rules/decide-attempts.ts';
import { furthestAdvance } from '../time/rules/bank-clock.ts';
import { addDays, type LocalDate } from '../values/local-date.ts';
import { type Instant, osloDate, startOfDay } from '../values/instant.ts';
import type { Amount } from '../values/money.ts';
import type { PaymentService, Product } from '../values/product.ts';
import { returnReasons } from '../values/return-reasons.ts';
import { awaitsSignature, isFinal, type TransactionStatus } from '../values/transaction-status.ts';
import { paymentsInWindow, returnsOfPayments, type ShownRow, shownRows, type WindowRow } from './rows/timeline.ts';

/** The days of a window, both inclusive, and the maximum number of payments that are told one by one. */
export interface TimelineWindow {
  readonly from: LocalDate;
  readonly to: LocalDate;
  readonly limit: number;
  /** The id of the one payment that is wanted. Null means all. */
  readonly paymentId: string | null;
}

/** What became of a payment, or what the forecast says will become of it until the end of the window. */
export const timelineOutcomes = [
  'settled',
  'rejected',
  'cancelled',
  'settles',
  'is rejected',
  'is tried again',
  'waits for a signature',
  'later',
] as const;

export type TimelineOutcome = (typeof timelineOutcomes)[number];

/** A try of a payment, past or to come; the parts of a bulk payment that go alike in one run are one. */
export interface TimelineTry {
  readonly at: Instant;
  /** Null for an instant payment, which settles without a run. */
  readonly run: { readonly date: LocalDate; readonly number: number; readonly at: Instant } | null;
  readonly outcome: AttemptOutcome;
  /** False if the forecast says so. */
  readonly hasHappened: boolean;
  /** How many parts of the payment. */
  readonly count: number;
  /** 1 to 5: the fifth attempt is the last (rules.md S4). */
  readonly attempt: number;
  /** Of a standing order, else null. */
  readonly nominalDate: LocalDate | null;
  readonly causes: readonly Cause[];
}

export interface TimelinePayment {
  readonly paymentId: string;
  readonly service: PaymentService;
  readonly product: Product;
  readonly status: TransactionStatus;
  readonly amount: Amount;
  readonly account: string;
  readonly payee: string | null;
  readonly orderedAt: Instant;
  /** Null while it waits for a signature. */
  readonly signedAt: Instant | null;
  /** The day that the TPP asked for, if it named one. */
  readonly askedFor: LocalDate | null;
  readonly nextDate: LocalDate | null;
  readonly outcome: TimelineOutcome;
  /** When it got its last status. */
  readonly changedAt: Instant;
  /** In order of time. */
  readonly tries: readonly TimelineTry[];
  readonly returns: readonly { readonly due: LocalDate; readonly at: Instant | null; readonly text: string }[];
}

/** A window of the bank's time: its days, and its payments as far as they have come. */
export interface Timeline {
  readonly now: Instant;
  readonly days: readonly CalendarDay[];
  /** How many payments of the window have each outcome, the told ones too. */
  readonly totals: Readonly<Record<TimelineOutcome, number>>;
  /**
   * At most `limit`, the first ordered first: those that need attention, then those whose last change is nearest to
   * now.
   */
  readonly payments: readonly TimelinePayment[];
  /** What each run to come does with the payments of the window, in order of time; runs without any are left out. */
  readonly coming: readonly ({ readonly at: Instant } & Readonly<Record<AttemptOutcome, number>>)[];
}

type TimelineContent = Omit<Timeline, 'now' | 'days'>;

/** What was told last of each bank, by window: it holds until ledger, day or settings change (rules.md D3e). */
const timelines = new WeakMap<Ledger, { version: number; quirks: Quirks; windows: Map<string, TimelineContent> }>();
const maxWindows = 8;

/**
 * What happened to payments in a window and what the forecast says will happen (control plane: GET /sandbox/timeline).
 * Writes nothing. Throws what {@link forecast} throws. NOT_FOUND: an unknown payment.
 */
export async function timeline(bank: BankContext, window: TimelineWindow): Promise<Timeline> {
  const { now, version } = await readBank(bank, ({ now: read }) =>
    Promise.resolve({ now: read, version: bank.ledger.version() }),
  );
  const { quirks } = bank;
  const days = describeCalendar(bank, window.from, window.to);
  const key = [window.from, window.to, window.limit, window.paymentId, osloDate(now)].join(' ');
  const before = timelines.get(bank.ledger);
  const holds = before?.version === version && before.quirks === quirks;
  const known = holds ? before.windows.get(key) : undefined;
  if (known !== undefined) return { now, days, ...known };
  const content = await readContent(bank, window, now);
  if (bank.ledger.version() === version) {
    const windows = holds ? before.windows : new Map<string, TimelineContent>();
    for (const [oldest] of windows) if (windows.size >= maxWindows) windows.delete(oldest);
    timelines.set(bank.ledger, { version, quirks, windows: windows.set(key, content) });
  }
  return { now, days, ...content };
}

async function readContent(bank: BankContext, window: TimelineWindow, now: Instant): Promise<TimelineContent> {
  // Midnight belongs to the next day.
  const end = Math.min(startOfDay(addDays(window.to, 1)) - 1, furthestAdvance(now)) as Instant;
  const foreseen = end >= now ? await forecast(bank, { to: end }) : { executions: [] };
  const coming = Map.groupBy(foreseen.executions, ({ paymentId }) => paymentId ?? '');
  const from = startOfDay(window.from);
  return readBank(bank, async (reading) => {
    const { reader } = reading;
    const only = window.paymentId === null ? null : (await findAnyPayment(reading, window.paymentId)).id;
    const since = addDays(window.from, -daysOfAttempts);
    const rows = await paymentsInWindow(reader, { from, to: end, since, only });
    const classified = rows.map((row) => ({ row, outcome: outcomeOf(row, coming.get(row.resource_id) ?? []) }));
    const totals = Object.fromEntries(timelineOutcomes.map((each) => [each, 0])) as Record<TimelineOutcome, number>;
    for (const { outcome } of classified) totals[outcome] += 1;
    const chosen = new Map(
      classified
        .toSorted((one, other) => distance(one, coming, now) - distance(other, coming, now))
        .slice(0, window.limit)
        .map((each) => [each.row.id, each]),
    );
    return {
      totals,
      payments: await timelinePayments(reading, chosen, coming, { from, to: end }),
      coming: countByRun(rows.flatMap(({ resource_id: id }) => coming.get(id) ?? [])),
    };
  });
}

type Coming = ReadonlyMap<string, readonly ForecastExecution[]>;

interface ClassifiedPayment {
  readonly row: WindowRow;
  readonly outcome: TimelineOutcome;
}

function outcomeOf({ status }: WindowRow, executions: readonly ForecastExecution[]): TimelineOutcome {
  if (awaitsSignature(status)) return 'waits for a signature';
  if (status === 'CANC') return 'cancelled';
  if (status === 'RJCT') return 'rejected';
  const last = new Map(executions.map((each) => [`${each.item} ${each.nominalDate}`, each.outcome]));
  const ends = [...last.values()];
  if (ends.includes('reject')) return 'is rejected';
  if (ends.includes('retry')) return 'is tried again';
  if (ends.includes('settle')) return 'settles';
  return isFinal(status) || status === 'PART' ? 'settled' : 'later';
}

/**
 * How far a payment is from the reader's interest: nothing if it needs attention, else the time from now to its next or
 * last change.
 */
function distance({ row, outcome }: ClassifiedPayment, coming: Coming, now: Instant): number {
  // Of those that wait for a signature many are never signed: they count as the others do.
  if (outcome === 'is rejected' || row.status === 'ACCP') return 0;
  const next = coming.get(row.resource_id)?.[0]?.run.at ?? row.changed_at;
  return 1 + Math.abs(next - now);
}

async function timelinePayments(
  { bank, reader, now }: Reading,
  chosen: ReadonlyMap<number, ClassifiedPayment>,
  coming: Coming,
  window: { readonly from: Instant; readonly to: Instant },
): Promise<TimelinePayment[]> {
  const keys = [...chosen.keys()];
  const attempts = Map.groupBy(await attemptsOfPayments(reader, keys), ({ payment_id: id }) => id);
  const returns = Map.groupBy(await returnsOfPayments(reader, keys), ({ payment_id: id }) => id);
  return (await shownRows(reader, keys, now)).map((row) => {
    const { outcome, row: own } = chosen.get(row.id) ?? { outcome: 'later', row: null };
    const past = seenTries(attempts.get(row.id) ?? [], window).map((each) => pastTry(bank, row, each));
    const foreseen = coming.get(row.resource_id) ?? [];
    const future = foreseen.map((each) => tryOf(row, each, each.run, false));
    const expectedReturns = (returns.get(row.id) ?? []).map(({ booked_at: at, ...each }) => ({ ...each, at }));
    const planned = foreseen.flatMap(({ comesBack }) => (comesBack === null ? [] : [{ ...comesBack, at: null }]));
    return {
      paymentId: row.resource_id,
      service: row.service,
      product: row.product,
      status: row.status,
      amount: { minor: row.total_minor, currency: row.currency },
      account: row.debtor_number,
      payee: row.creditor_name,
      orderedAt: row.initiated_at,
      signedAt: row.authorised_at,
      askedFor: row.requested_date,
      nextDate: row.next_date,
      outcome,
      changedAt: own?.changed_at ?? row.initiated_at,
      tries: together([...past, ...future]),
      returns: [...expectedReturns, ...planned].map(({ due, at, reason }) => ({
        due,
        at,
        text: returnReasons[reason][0],
      })),
    };
  });
}

/** The tries of the window and the last one before it: an old standing order has had thousands. */
function seenTries(
  attempts: readonly PaymentAttemptRow[],
  { from, to }: { readonly from: Instant; readonly to: Instant },
): readonly PaymentAttemptRow[] {
  const last = attempts.findLast(({ at }) => at < from)?.at ?? from;
  return attempts.filter(({ at }) => at >= last && at <= to);
}

function pastTry({ schedule }: BankContext, row: ShownRow, attempt: PaymentAttemptRow): TimelineTry {
  const { run_date: date, run_number: number, at } = attempt;
  const run = { date: date ?? osloDate(at), number: number ?? 0, at };
  const shown = tryOf(row, attemptOf(schedule, run, attempt), run, true);
  return number === null ? { ...shown, run: null } : shown;
}

function tryOf(
  { service }: ShownRow,
  { outcome, attempt, causes, nominalDate }: Omit<RunAttempt, 'paymentId'>,
  run: NonNullable<TimelineTry['run']>,
  hasHappened: boolean,
): TimelineTry {
  const nominal = service === 'periodic-payments' ? nominalDate : null;
  return { at: run.at, run, outcome, hasHappened, count: 1, attempt, nominalDate: nominal, causes };
}

/** The parts of a payment that go alike in one run, counted. */
function together(tries: readonly TimelineTry[]): TimelineTry[] {
  const groups = Map.groupBy(tries, ({ at, outcome, nominalDate }) => `${at} ${outcome} ${nominalDate}`);
  return [...groups.values()].flatMap(([first, ...more]) =>
    first === undefined ? [] : [{ ...first, count: 1 + more.length }],
  );
}

function countByRun(executions: readonly ForecastExecution[]): Timeline['coming'] {
  const runs = Map.groupBy(executions, ({ run }) => run.at);
  const count = (tries: readonly ForecastExecution[], wanted: AttemptOutcome): number =>
    tries.filter(({ outcome }) => outcome === wanted).length;
  return [...runs]
    .toSorted(([one], [other]) => one - other)
    .map(([at, tries]) => ({
      at,
      settle: count(tries, 'settle'),
      retry: count(tries, 'retry'),
      reject: count(tries, 'reject'),
    }));
}
