import { sql } from 'kysely';
import type { Currency } from '../core/currency.ts';
import type { Reader } from './database.ts';
import { wholeSum, wideSum } from './wide-sum.ts';

interface AccountRow {
  name: string;
  kind: 'customer' | 'clearing';
  bban: string | null;
  iban: string | null;
  currency: Currency;
  balance_minor: bigint;
  entries: number | null;
  sum: string | null;
}

/** An account, closed ones too, with its balance as kept and as its entries give it, in minor units. */
export interface ProvenAccount {
  readonly name: string;
  readonly kind: 'customer' | 'clearing';
  readonly bban: string | null;
  readonly iban: string | null;
  readonly currency: Currency;
  readonly stored: bigint;
  readonly recomputed: bigint;
  readonly entries: number;
}

/** Recomputes every balance from the entries (rules.md S5), in one pass over them. */
export async function recomputeBalances(reader: Reader): Promise<ProvenAccount[]> {
  const { rows } = await sql<AccountRow>`
    select a.name, a.kind, a.bban, a.iban, a.currency, a.balance_minor, s.entries, s.sum
    from account a left join (
      select account_id, count(*) as entries, ${wideSum(sql`amount_minor`)} as sum
      from entry group by account_id) s on s.account_id = a.id
    order by a.id`.execute(reader);
  return rows.map(({ balance_minor: stored, entries, sum, ...account }) => ({
    ...account,
    stored,
    recomputed: wholeSum(sum),
    entries: entries ?? 0,
  }));
}

/** What has entries by payments: settled executions, and those whose entries do not fit. */
export interface ExecutionProof {
  readonly settled: number;
  /** ACSC without the entries of its amount, and of its fee and exchange where it is foreign; or entries without being ACSC. */
  readonly unbalanced: number;
}

/** The debtor paid the amount and the fee, and the lines of each currency sum to zero (rules.md P11). */
const foreignFits = sql`(select sum(l.amount_minor) filter (where l.account_id = e.debtor_account_id and l.is_fee = 0)
      = -f.debit_minor
    and coalesce(sum(l.amount_minor) filter (where l.account_id = e.debtor_account_id and l.is_fee = 1), 0) = -f.fee_minor
    from entry l join foreign_transfer f on f.payment_id = e.payment_id where l.execution_id = e.id)
  and not exists (select 1 from entry l join account a on a.id = l.account_id
    where l.execution_id = e.id group by a.currency having sum(l.amount_minor) <> 0)`;

/** Holds every execution against its entries (rules.md S4, S5). */
export async function proveExecutions(reader: Reader): Promise<ExecutionProof> {
  const { rows } = await sql<ExecutionProof>`
    select count(*) filter (where e.status = 'ACSC') as settled,
      count(*) filter (where (e.status = 'ACSC') <> coalesce(case e.is_foreign
          when 0 then s.entries = 2 and s.credit_minor = e.amount_minor and s.debit_minor = -e.amount_minor
          else ${foreignFits} end, 0)
        or (e.status <> 'ACSC' and s.entries is not null)) as unbalanced
    from execution e left join (
      select execution_id, count(*) as entries, max(amount_minor) as credit_minor, min(amount_minor) as debit_minor
      from entry where execution_id is not null group by execution_id) s on s.execution_id = e.id`.execute(reader);
  return rows[0] ?? { settled: 0, unbalanced: 0 };
}
