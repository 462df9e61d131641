import { sql } from 'kysely';
import { inOrder } from '../../settlement/rows/due-executions.ts';
import type { AttemptOutcome } from '../../settlement/rules/decide-attempts.ts';
import type { ExecutionRule } from '../../time/rules/banking-calendar.ts';
import type { Currency } from '../../values/money.ts';
import type { Instant } from '../../values/instant.ts';
import { addDays, earliestDate, latestDate, type LocalDate } from '../../values/local-date.ts';
import { type Flag, type Given, keyBefore, keysTable, prepared } from '../../ledger/queries.ts';
import type { RunCounts, SettlementRun } from '../../time/rules/settlement-run.ts';
import type { Reader } from '../../ledger/database.ts';
import type { PaymentService } from '../../values/product.ts';
import type { ReturnReason } from '../../values/return-reasons.ts';

/** An attempt of a run, with what the payment that it tried, its item and its order say of it. */
export interface RunAttemptRow {
  readonly resource_id: string;
  readonly service: PaymentService;
  /** Index of a bulk payment's item or of a standing order's occurrence, else 0. */
  readonly sequence: number;
  /** The debtor account's BBAN, else its IBAN, else its name. */
  readonly account: string;
  readonly currency: Currency;
  readonly nominal_date: LocalDate;
  readonly execution_date: LocalDate;
  /** The payee's name. */
  readonly payee: string;
  /** The date requested, before any closed day moved it. A periodic payment has none. */
  readonly requested_date: LocalDate | null;
  readonly initiated_at: Instant;
  readonly authorised_at: Instant;
  /** Whether it counts as received later than it was signed (rules.md T4d, T4f). */
  readonly is_received_later: Flag;
  /** Of a standing order; else null. */
  readonly execution_rule: ExecutionRule | null;
  /** The first is 1. */
  readonly number: number;
  readonly available_minor: bigint;
  readonly needed_minor: bigint;
  /** The fee of a foreign payment, which is part of what is needed; else null. */
  readonly fee_minor: bigint | null;
  readonly outcome: AttemptOutcome;
  readonly reason: string | null;
}

const columns = sql`p.resource_id, p.service, e.sequence, coalesce(a.bban, a.iban, a.name) as account, a.currency,
  e.nominal_date, e.execution_date,
  coalesce(c.initiation, i.body) ->> '$.creditorName' as payee, i.body ->> '$.requestedExecutionDate' as requested_date,
  p.initiated_at, p.authorised_at, e.received_at > p.authorised_at as is_received_later, s.execution_rule,
  t.number, t.available_minor, t.needed_minor, f.fee_minor, t.outcome, t.reason`;

const attempts = sql`attempt t join execution e on e.id = t.execution_id
  join payment p on p.id = e.payment_id
  join account a on a.id = e.debtor_account_id
  join payment_initiation i on i.payment_id = p.id
  join credit_transfer c on c.payment_id = p.id and c.sequence = case p.service when 'bulk-payments' then e.sequence else 0 end
  left join standing_order s on s.payment_id = p.id
  left join foreign_transfer f on f.payment_id = p.id`;

const betweenDays = prepared(
  (_db: Reader, { date, number, from, before }: Given<RunAsked & Record<'from' | 'before', LocalDate>>) =>
    sql<RunAttemptRow>`select ${columns} from ${attempts}
    where t.execution_id > ${keyBefore(from)} and t.execution_id <= ${keyBefore(before)}
      and t.run_date = ${date} and t.run_number = ${number} order by ${inOrder}`,
);

type RunAsked = Pick<SettlementRun, 'date' | 'number'>;

/**
 * Days before a run in which its attempts are looked for first. It is a guess, shorter than all days that attempts can
 * take, because most attempts are over sooner: the counts of the run say whether rows are missing.
 */
const usualDays = 14;

/**
 * The attempts of one run, in the order in which it tried them (rules.md S3). Searches the executions of the days
 * before the run first, and all executions only if the run counts more attempts: that takes longer with each year of
 * the bank.
 */
export async function attemptsOfRun(
  reader: Reader,
  { date, number, settled, retried, rejected }: RunAsked & Pick<RunCounts, 'settled' | 'retried' | 'rejected'>,
): Promise<RunAttemptRow[]> {
  const days = { from: addDays(date, -usualDays), before: addDays(date, 1) };
  const rows = await betweenDays(reader, { date, number, ...days });
  if (rows.length === settled + retried + rejected) return rows;
  return betweenDays(reader, { date, number, from: earliestDate, before: latestDate });
}

/**
 * An attempt with the key of its payment and its run; an instant payment has no run, and its instant is that of its
 * authorisation.
 */
export interface PaymentAttemptRow extends RunAttemptRow {
  readonly payment_id: number;
  readonly run_date: LocalDate | null;
  readonly run_number: number | null;
  readonly at: Instant;
}

/** The attempts of these payments, by their keys, in order of time. */
export async function attemptsOfPayments(reader: Reader, keys: readonly number[]): Promise<PaymentAttemptRow[]> {
  const { rows } = await sql<PaymentAttemptRow>`
    select ${columns}, p.id as payment_id, t.run_date, t.run_number, coalesce(r.at, p.authorised_at) as at
    from ${attempts} left join settlement_run r on r.date = t.run_date and r.number = t.run_number
    where p.id in ${keysTable(keys)} order by coalesce(r.at, p.authorised_at), ${inOrder}`.execute(reader);
  return rows;
}

/** An attempt with its run, and what it credits. */
export interface RehearsedAttemptRow extends RunAttemptRow {
  readonly run_date: LocalDate;
  readonly run_number: number;
  readonly run_at: Instant;
  /** What an account of a customer receives, if one does. */
  readonly credit_minor: bigint | null;
  readonly credit_account: string | null;
  readonly credit_currency: Currency | null;
  /** When and why what it settles comes back (rules.md S12); null if it does not. */
  readonly return_due: LocalDate | null;
  readonly return_reason: ReturnReason | null;
}

/** The attempts of all runs on a ledger, in their order. */
export async function attemptsOfRuns(reader: Reader): Promise<RehearsedAttemptRow[]> {
  const { rows } = await sql<RehearsedAttemptRow>`
    select ${columns}, r.date as run_date, r.number as run_number, r.at as run_at,
      credit.amount_minor as credit_minor, coalesce(payee.bban, payee.iban, payee.name) as credit_account,
      payee.currency as credit_currency, back.due as return_due, back.reason as return_reason
    from ${attempts} join settlement_run r on r.date = t.run_date and r.number = t.run_number
      left join (entry credit join account payee on payee.id = credit.account_id and payee.kind = 'customer')
        on credit.execution_id = e.id and credit.amount_minor > 0 and t.outcome = 'settle'
      left join payment_return back on back.execution_id = e.id and t.outcome = 'settle'
    order by r.at, ${inOrder}`.execute(reader);
  return rows;
}
