import { sql } from 'kysely';
import { assert } from '../../values/assert.ts';
import type { Currency } from '../../values/currency.ts';
import { keysTable, type Reader } from '../../ledger/database.ts';
import type { AccountFunds, ForeignParts } from '../rules/settlement.ts';

/** What a due foreign payment moves beside its amount, and to whom. */
export interface ForeignDue {
  readonly creditor: AccountFunds;
  readonly parts: ForeignParts;
}

interface ForeignDueRow {
  id: number;
  debtor_currency: Currency;
  fee_minor: bigint;
  credit_minor: bigint;
  credit_currency: Currency;
  clearing_id: number;
  clearing_minor: bigint;
  exchange_id: number | null;
  exchange_minor: bigint | null;
  creditor_id: number | null;
  creditor_minor: bigint | null;
}

/**
 * The foreign parts of these executions. The creditor is the account of that number, in the currency that it was priced
 * for, else the clearing account of the debtor's currency: then the exchange happens outside of this bank (rules.md S5, P11).
 */
export async function foreignParts(reader: Reader, executionIds: readonly number[]): Promise<Map<number, ForeignDue>> {
  if (executionIds.length === 0) return new Map();
  const { rows } = await sql<ForeignDueRow>`
    select e.id, debtor.currency as debtor_currency, f.fee_minor, f.credit_minor, f.credit_currency,
      clearing.id as clearing_id, clearing.balance_minor as clearing_minor,
      exchange.id as exchange_id, exchange.balance_minor as exchange_minor,
      creditor.id as creditor_id, creditor.balance_minor as creditor_minor
    from execution e
    join foreign_transfer f on f.payment_id = e.payment_id
    join account debtor on debtor.id = e.debtor_account_id
    join account clearing on clearing.kind = 'clearing' and clearing.currency = debtor.currency
    left join account exchange on exchange.kind = 'clearing' and exchange.currency = f.credit_currency
    left join account creditor on creditor.id = coalesce(
      (select id from account a where a.bban = e.creditor_number and a.closed_at is null),
      (select id from account a where a.iban = e.creditor_number and a.closed_at is null))
      and creditor.currency = f.credit_currency
    where e.id in ${keysTable(executionIds)}`.execute(reader);
  return new Map(rows.map((row) => [row.id, foreignDue(row)]));
}

function foreignDue(row: ForeignDueRow): ForeignDue {
  const clearing = { id: row.clearing_id, kind: 'clearing', balance: row.clearing_minor, creditLine: 0n } as const;
  const parts = { fee: row.fee_minor, clearing, exchange: null };
  const { creditor_id: id, creditor_minor: balance } = row;
  if (id === null || balance === null) return { creditor: clearing, parts };
  const creditor = { id, kind: 'customer', balance, creditLine: 0n } as const;
  if (row.credit_currency === row.debtor_currency) return { creditor, parts };
  const { exchange_id: exchangeId, exchange_minor: exchangeBalance } = row;
  assert(exchangeId !== null && exchangeBalance !== null, `the clearing account in ${row.credit_currency} was opened`);
  const exchange = {
    clearing: { id: exchangeId, kind: 'clearing' as const, balance: exchangeBalance, creditLine: 0n },
    amount: row.credit_minor,
  };
  return { creditor, parts: { ...parts, exchange } };
}
