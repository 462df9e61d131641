import { sql } from 'kysely';
import type { AttemptOutcome } from '../../settlement/rules/settlement.ts';
import type { ExecutionRule } from '../../time/rules/banking-calendar.ts';
import type { Currency } from '../../values/currency.ts';
import type { Instant } from '../../values/instant.ts';
import type { LocalDate } from '../../values/local-date.ts';
import type { Flag } from '../../ledger/queries.ts';
import type { Reader } from '../../ledger/database.ts';
import type { PaymentService } from '../../values/product.ts';

/** An attempt of a run, with the payment that it tried. */
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
  /** The first is 1. */
  readonly number: number;
  readonly available_minor: bigint;
  readonly needed_minor: bigint;
  readonly outcome: AttemptOutcome;
  readonly reason: string | null;
  /** The payee's name. */
  readonly payee: string;
  /** The date requested, before any closed day moved it; null: none requested, or the payment is periodic. */
  readonly requested_date: LocalDate | null;
  readonly initiated_at: Instant;
  /** Whether it counts as received later than it was signed (rules.md T4d, T4f). */
  readonly is_received_later: Flag;
  /** Of a standing order; else null. */
  readonly execution_rule: ExecutionRule | null;
}

/** The attempts of one run, in the order in which it tried them (rules.md S3). There is no index by run: it reads all attempts. */
export async function attemptsOfRun(
  reader: Reader,
  { date, number }: { readonly date: LocalDate; readonly number: number },
): Promise<RunAttemptRow[]> {
  const { rows } = await sql<RunAttemptRow>`
    select p.resource_id, p.service, e.sequence, coalesce(a.bban, a.iban, a.name) as account, a.currency,
      e.nominal_date, e.execution_date, t.number, t.available_minor, t.needed_minor, t.outcome, t.reason,
      coalesce(c.initiation, i.body) ->> '$.creditorName' as payee, i.body ->> '$.requestedExecutionDate' as requested_date,
      p.initiated_at, e.received_at > p.authorised_at as is_received_later, s.execution_rule
    from attempt t join execution e on e.id = t.execution_id join payment p on p.id = e.payment_id
      join account a on a.id = e.debtor_account_id
      join payment_initiation i on i.payment_id = p.id
      join credit_transfer c on c.payment_id = p.id and c.sequence = case p.service when 'bulk-payments' then e.sequence else 0 end
      left join standing_order s on s.payment_id = p.id
    where t.run_date = ${date} and t.run_number = ${number}
    order by e.execution_date, e.received_at, e.nominal_date, e.id`.execute(reader);
  return rows;
}
