import { sql } from 'kysely';
import type { Account } from '../../accounts/rows/accounts.ts';
import type { Amount } from '../../values/money.ts';
import type { Reader } from '../../ledger/database.ts';
import { type Table } from '../../ledger/columns.ts';
import { wholeSum, wideSum } from '../../ledger/queries.ts';
import { tables } from '../../ledger/tables.ts';

/** An account, closed or not, with its stored balance and the sum of its entries. */
export interface ProvenAccount extends Pick<Account, 'name' | 'kind' | 'bban' | 'iban'> {
  readonly ok: boolean;
  readonly stored: Amount;
  readonly recomputed: Amount;
  readonly entries: number;
}

/** Rows per statement: each blocks the event loop for a few ms. */
const rowsAtOnce = 20_000;

/** Recomputes every balance from the entries (rules.md S5), in one pass over them. */
export async function recomputeBalances(reader: Reader): Promise<ProvenAccount[]> {
  const sums = await sumsOfAccounts(reader);
  const accounts = await reader.selectFrom('account').selectAll().orderBy('id').execute();
  return accounts.map(({ id, name, kind, bban, iban, currency, balance_minor: minor }) => {
    const { entries, sum } = sums.get(id) ?? noEntries;
    const [stored, recomputed] = [
      { minor, currency },
      { minor: sum, currency },
    ];
    return { ok: minor === sum, name, kind, bban, iban, entries, stored, recomputed };
  });
}

interface EntrySum {
  readonly entries: number;
  /** Minor units. */
  readonly sum: bigint;
}

const noEntries: EntrySum = { entries: 0, sum: 0n };

async function sumsOfAccounts(reader: Reader): Promise<Map<number, EntrySum>> {
  const sums = new Map<number, EntrySum>();
  for await (const range of rangesOf(reader, 'entry')) {
    const { rows } = await sql<{ account_id: number; entries: number; sum: string }>`
      select account_id, count(*) as entries, ${wideSum(sql`amount_minor`)} as sum
      from entry where id between ${range.first} and ${range.last} group by account_id`.execute(reader);
    for (const { account_id: id, entries, sum } of rows) {
      const before = sums.get(id) ?? noEntries;
      sums.set(id, { entries: before.entries + entries, sum: before.sum + wholeSum(sum) });
    }
  }
  return sums;
}

/** Ranges of a table's keys, which may have gaps: one for each statement. */
async function* rangesOf(
  reader: Reader,
  table: 'entry' | 'execution',
): AsyncGenerator<{ readonly first: number; readonly last: number }, void> {
  for (let before = Number.MIN_SAFE_INTEGER; ;) {
    const { rows } = await sql<{ last: number | null }>`select max(id) as last from
      (select id from ${sql.table(table)} where id > ${before} order by id limit ${rowsAtOnce})`.execute(reader);
    const last = rows[0]?.last ?? null;
    if (last === null) return;
    yield { first: before + 1, last };
    before = last;
  }
}

/** Counts of settled executions, and of executions that do not agree with their entries. */
export interface ExecutionProof {
  readonly settled: number;
  /**
   * ACSC without the entries of its amount, and of its fee and exchange where it is foreign; or entries without being
   * ACSC.
   */
  readonly unbalanced: number;
}

/** The debtor paid the amount and the fee, and the lines of each currency sum to zero (rules.md P11). */
const foreignFits = sql`(select sum(l.amount_minor) filter (where l.account_id = e.debtor_account_id and l.is_fee = 0)
      = -f.debit_minor
    and coalesce(sum(l.amount_minor) filter (where l.account_id = e.debtor_account_id and l.is_fee = 1), 0) = -f.fee_minor
    from entry l join foreign_transfer f on f.payment_id = e.payment_id where l.execution_id = e.id)
  and not exists (select 1 from entry l join account a on a.id = l.account_id
    where l.execution_id = e.id group by a.currency having sum(l.amount_minor) <> 0)`;

/** Compares every execution with its entries (rules.md S4, S5). */
export async function proveExecutions(reader: Reader): Promise<ExecutionProof> {
  const proof = { settled: 0, unbalanced: 0 };
  for await (const range of rangesOf(reader, 'execution')) {
    const { settled, unbalanced } = await proveRange(reader, range);
    proof.settled += settled;
    proof.unbalanced += unbalanced;
  }
  return proof;
}

async function proveRange(
  reader: Reader,
  { first, last }: { readonly first: number; readonly last: number },
): Promise<ExecutionProof> {
  const { rows } = await sql<ExecutionProof>`
    select count(*) filter (where e.status = 'ACSC') as settled,
      count(*) filter (where (e.status = 'ACSC') <> coalesce(case e.is_foreign
          when 0 then s.entries = 2 and s.credit_minor = e.amount_minor and s.debit_minor = -e.amount_minor
          else ${foreignFits} end, 0)
        or (e.status <> 'ACSC' and s.entries is not null)) as unbalanced
    from execution e left join (
      select execution_id, count(*) as entries, max(amount_minor) as credit_minor, min(amount_minor) as debit_minor
      from entry where execution_id between ${first} and ${last} group by execution_id) s on s.execution_id = e.id
    where e.id between ${first} and ${last}`.execute(reader);
  return rows[0] ?? { settled: 0, unbalanced: 0 };
}

/** A text that is not the object of JSON that the ledger has there. */
export interface WrongJson {
  readonly table: string;
  readonly column: string;
  /** The first column of its row. */
  readonly key: string;
}

/** The first JSON that breaks the conditions of its column (engine/ledger/tables.ts); null if none does. */
export async function wrongJson(reader: Reader): Promise<WrongJson | null> {
  for (const [table, { columns }] of Object.entries<Table>(tables)) {
    const [key = ''] = Object.keys(columns);
    for (const [column, { json: conditions }] of Object.entries(columns)) {
      if (conditions === undefined) continue;
      const json = sql.ref(column);
      const isObject = `json_type($$) = 'object' and instr($$, char(0)) = 0`;
      const fits = [isObject, ...conditions].join(' and ').replaceAll('$$', column);
      // SQLite reads JSON up to a NUL.
      const isWrong = sql`iif(json_valid(${json}), not (${sql.raw(fits)}), ${json} is not null)`;
      const { rows } = await sql<{ key: string }>`select cast(${sql.ref(key)} as text) as key from ${sql.table(table)}
        where ${isWrong} limit 1`.execute(reader);
      if (rows[0] !== undefined) return { table, column, key: rows[0].key };
    }
  }
  return null;
}
