import type { Bank } from '../../engine/open-bank.ts';
import { asksForDays } from '../../engine/settlement/rules/posting-dates.ts';
import { rowsOf } from './rows.ts';

/** Everything that must be empty at any time, by name: recomputed from the rows by SQL of its own (rules.md S4, S5, R8). */
const checks = {
  'currencies whose entries do not sum to zero': `select a.currency, sum(e.amount_minor) as sum_minor
    from entry e join account a on a.id = e.account_id group by a.currency having sum(e.amount_minor) <> 0`,
  'accounts whose balance is not the sum of their entries': `select a.id, a.balance_minor from account a
    left join (select account_id, sum(amount_minor) as sum_minor from entry group by account_id) e on e.account_id = a.id
    where a.balance_minor <> coalesce(e.sum_minor, 0)`,
  'postings that are not debits and credits of the same amounts in each currency': `select e.execution_id,
      e.direct_posting_id from entry e left join execution x on x.id = e.execution_id
    group by e.execution_id, e.direct_posting_id
    having sum(e.amount_minor) <> 0 or count(*) not in (2, 4, 6) or (coalesce(max(x.is_foreign), 0) = 0
      and count(*) <> 2)
    union select e.execution_id, e.direct_posting_id from entry e join account a on a.id = e.account_id
    group by e.execution_id, e.direct_posting_id, a.currency having sum(e.amount_minor) <> 0`,
  'executions whose entries do not fit their status': `select x.id, x.status from execution x
    where (x.status = 'ACSC') <> ((select count(*) from entry e where e.execution_id = x.id) > 0)`,
  'entries of another amount than their execution': `select e.id from entry e join execution x on x.id = e.execution_id
    where x.is_foreign = 0 and abs(e.amount_minor) <> x.amount_minor`,
  'foreign payments whose debtor paid another amount, or another fee': `select x.id from execution x
    join foreign_transfer f on f.payment_id = x.payment_id
    where x.status = 'ACSC' and (x.amount_minor <> f.debit_minor
      or (select sum(e.amount_minor) from entry e where e.execution_id = x.id and e.account_id = x.debtor_account_id)
        <> -f.debit_minor - f.fee_minor
      or (select coalesce(sum(e.amount_minor), 0) from entry e where e.execution_id = x.id
        and e.account_id = x.debtor_account_id and e.is_fee = 1) <> -f.fee_minor)`,
  'entries booked before the date of their execution': `select e.id from entry e
    join execution x on x.id = e.execution_id where e.booking_date < x.execution_date`,
  'entries valued on another day than that of their execution': `select e.id from entry e
    join execution x on x.id = e.execution_id left join foreign_transfer f on f.payment_id = x.payment_id
    where e.value_date <> coalesce(f.value_date, x.execution_date)`,
  'executions with more than five attempts, or settled not by their last': `select x.id from execution x
    join attempt t on t.execution_id = x.id group by x.id
    having count(*) > 5 or max(t.number) <> count(*)
      or (x.status = 'ACSC' and sum(t.outcome = 'settle') <> 1) or (x.status = 'RJCT' and sum(t.outcome = 'reject') <> 1)`,
  'nominal dates that were laid twice': `select payment_id, nominal_date from execution
    where payment_id not in (select payment_id from bulk_payment) group by payment_id, nominal_date having count(*) > 1`,
  'bulk payments whose items do not fit their status': `select p.id, p.status from payment p
    where p.service = 'bulk-payments' and p.authorised_at is not null and p.status <> (
      select case when sum(x.status = 'ACSC') > 0 then iif(sum(x.status = 'ACSC') = count(*), 'ACSC', 'PART')
        when p.status = 'CANC' and sum(x.status in ('CANC', 'RJCT')) = count(*) then 'CANC'
        when sum(x.status = 'RJCT') = count(*) then 'RJCT' when sum(x.attempts) > 0 then 'ACCP' else min(x.status) end
      from execution x where x.payment_id = p.id)`,
  'ended standing orders whose occurrences do not fit their status': `select p.id, p.status from payment p
    where p.service = 'periodic-payments' and p.authorised_at is not null and p.status in ('ACSC', 'RJCT') and p.status <> (
      select case when sum(x.status in ('ACSP', 'PDNG', 'ACCP')) > 0 then 'open' when sum(x.status = 'ACSC') > 0 then 'ACSC'
        else 'RJCT' end from execution x where x.payment_id = p.id)`,
  'batches that are not the sum of their debits': `select b.id from batch b where b.amount_minor <>
      (select -sum(e.amount_minor) from entry e where e.batch_id = b.id)
    or b.number_of_transactions <> (select count(*) from entry e where e.batch_id = b.id)
    or not exists (select 1 from entry e where e.batch_id = b.id and e.execution_id = b.leading_execution_id)`,
  'debits of bulk payments outside a batch': `select e.id from entry e join execution x on x.id = e.execution_id
    join bulk_payment b on b.payment_id = x.payment_id where (e.amount_minor < 0) <> (e.batch_id is not null)`,
  'payments whose status is not the last one kept': `select p.id, p.status, s.status as kept from payment p
    join status_change s on s.id = (select max(id) from status_change where payment_id = p.id)
    where s.status <> coalesce(p.forced_status, p.status)
      -- From its due day it reads PDNG, and no row changes (rules.md S2b). Oslo is at most two hours ahead of UTC.
      and not (p.status = 'ACSP' and s.status = 'PDNG'
        and date(s.at / 1000, 'unixepoch', '+2 hours') >= p.execution_date)`,
  'customer accounts beyond their credit line': `select id from account
    where kind = 'customer' and balance_minor < -credit_line_minor
      -- What a tester posts is booked whatever the funds.
        + coalesce((select sum(e.amount_minor) from entry e where e.account_id = account.id
          and e.direct_posting_id is not null and e.amount_minor < 0), 0)
      -- A card may be booked for more than was reserved, and the bank takes its fees.
      and id not in (select account_id from life)`,
} as const;

/** Names and rows of the checks that fail, of `more` too; an empty object when the ledger holds. */
export function brokenProofs(
  bank: Pick<Bank, 'ledger'> & Partial<Pick<Bank, 'quirks'>>,
  more: Readonly<Record<string, string>> = {},
): Promise<Record<string, readonly unknown[]>> {
  return bank.ledger.read(async (reader) => {
    const broken: Record<string, readonly unknown[]> = {};
    for (const [name, statement] of Object.entries({ ...checks, ...more })) {
      // rules.md D3c, S6c: then the auditor knows the days.
      if (name.startsWith('entries valued') && bank.quirks !== undefined && asksForDays(bank.quirks)) continue;
      const rows = await rowsOf(reader, statement);
      if (rows.length > 0) broken[name] = rows;
    }
    return broken;
  });
}
