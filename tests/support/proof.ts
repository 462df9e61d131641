import type { Bank } from '../../engine/bank.ts';
import { rowsOf } from './rows.ts';

/** Everything that must be empty at any time, by name: recomputed from the rows by SQL of its own (rules.md S4, S5, R8). */
const checks = {
  'currencies whose entries do not sum to zero': `select a.currency, sum(e.amount_minor) as sum_minor
    from entry e join account a on a.id = e.account_id group by a.currency having sum(e.amount_minor) <> 0`,
  'accounts whose balance is not the sum of their entries': `select a.id, a.balance_minor from account a
    where a.balance_minor <> coalesce((select sum(e.amount_minor) from entry e where e.account_id = a.id), 0)`,
  'postings that are not a debit and a credit of the same amount': `select execution_id, direct_posting_id from entry
    group by execution_id, direct_posting_id having count(*) <> 2 or sum(amount_minor) <> 0`,
  'executions whose entries do not fit their status': `select x.id, x.status from execution x
    where (x.status = 'ACSC') <> ((select count(*) from entry e where e.execution_id = x.id) = 2)
      or ((select count(*) from entry e where e.execution_id = x.id) not in (0, 2))`,
  'entries of another amount than their execution': `select e.id from entry e join execution x on x.id = e.execution_id
    where abs(e.amount_minor) <> x.amount_minor`,
  'executions before their date or on another day than their run': `select e.id from entry e
    join execution x on x.id = e.execution_id where e.booking_date < x.execution_date or e.value_date <> x.execution_date`,
  'executions with more than five attempts, or settled not by their last': `select x.id from execution x
    join attempt t on t.execution_id = x.id group by x.id
    having count(*) > 5 or max(t.number) <> count(*)
      or (x.status = 'ACSC' and sum(t.outcome = 'settle') <> 1) or (x.status = 'RJCT' and sum(t.outcome = 'reject') <> 1)`,
  'nominal dates that were laid twice': `select payment_id, nominal_date from execution
    group by payment_id, nominal_date having count(*) > 1`,
  'payments whose status is not the last one kept': `select p.id, p.status from payment p where p.status <>
    (select s.status from status_change s where s.payment_id = p.id order by s.id desc limit 1)`,
  'customer accounts beyond their credit line': `select id from account
    where kind = 'customer' and balance_minor < -credit_line_minor`,
} as const;

/** Names and rows of the checks that fail; an empty object when the ledger holds. */
export function brokenProofs(bank: Bank): Promise<Record<string, readonly unknown[]>> {
  return bank.ledger.read(async (reader) => {
    const broken: Record<string, readonly unknown[]> = {};
    for (const [name, statement] of Object.entries(checks)) {
      const rows = await rowsOf(reader, statement);
      if (rows.length > 0) broken[name] = rows;
    }
    return broken;
  });
}
