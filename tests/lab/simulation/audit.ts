import type { Bank } from '../../../engine/bank.ts';
import { readPaymentStatus } from '../../../engine/payments/read-payment.ts';
import { orRefusal, people, tpp } from '../payments.ts';
import { brokenProofs } from '../proof.ts';
import { rowsIn, rowsOf } from '../rows.ts';
import { timeAt } from './days.ts';
import type { Model, ModelPayment } from './model.ts';

/** The statuses of payments as one text: a row for each would take twice as long. */
const statusesOf = `select group_concat(coalesce(forced_status, status, '')) as statuses
  from json_each(?) left join payment on resource_id = value`;

/** Each open account: its balance, and the sums that are announced. */
const balances = `select bban, balance_minor,
    (select coalesce(sum(amount_minor), 0) from reservation where account_id = a.id and amount_minor < 0) as debits_minor,
    (select coalesce(sum(amount_minor), 0) from reservation where account_id = a.id and amount_minor > 0) as credits_minor
  from account a where kind = 'customer' and closed_at is null`;

/** The row of each payment when it was compared, and the status by the model. */
const compared = new WeakMap<ModelPayment, string>();

/** How many comparisons read no payment that has not changed, for one that does. */
const comparisonsOfTurn = 8;

/**
 * Where bank and model differ about these payments and about any balance, in words; empty when they agree. A payment is read as its TPP
 * reads it if its row or the model has changed since it was compared. At times one that has not changed is read too.
 */
export async function differences(bank: Bank, model: Model, payments: readonly ModelPayment[]): Promise<string[]> {
  const { accounts, rows } = await bank.ledger.read(async (reader) => ({
    accounts: await rowsOf(reader, balances),
    rows: await rowsOf(reader, statusesOf, [JSON.stringify(payments.map(({ id }) => id))]),
  }));
  const found: string[] = [];
  const statuses = String(rows[0]?.['statuses']).split(',');
  const inTurn = Number(model.now.replaceAll(/\D/g, '')) % (payments.length * comparisonsOfTurn);
  for (const [index, payment] of payments.entries()) {
    const expected = model.seen(payment);
    const now = `${statuses[index]} ${expected}`;
    if (index !== inTurn && compared.get(payment) === now) continue;
    compared.set(payment, now);
    const path = { paymentId: payment.id };
    const read = await orRefusal(readPaymentStatus(bank, { tppId: tpp.id, psu: {}, path }));
    const status = typeof read === 'string' ? null : read.payment.status;
    if (status !== expected) found.push(`${payment.id} is ${status}, and ${expected} by the model`);
  }
  const byNumber = new Map(accounts.map((account) => [account['bban'], account]));
  for (const [name, { bban }] of Object.entries(people)) {
    const account = byNumber.get(bban);
    const expected = model.balances.get(name);
    if (account !== undefined && expected !== undefined && account['balance_minor'] !== expected) {
      found.push(`${name} has ${String(account['balance_minor'])}, and ${expected} by the model`);
    }
    for (const sums of ['debits_minor', 'credits_minor'] as const) {
      const [sum, wanted] = [account?.[sums] ?? 0n, model.announced(name, sums === 'debits_minor')];
      if (sum !== wanted) found.push(`${name} has ${String(sum)} announced, and ${wanted} by the model`);
    }
  }
  return found;
}

/** Compares every attempt and every settlement there ever was, and recomputes the ledger. */
export async function finalDifferences(bank: Bank, model: Model): Promise<string[]> {
  const settled = await rowsIn(
    bank,
    `select p.resource_id || ' ' || x.nominal_date as what, coalesce(r.at, p.authorised_at) as at,
          e.booking_date || ' ' || e.value_date || ' ' || (x.attempts + 1) || ' ' || -e.amount_minor as how
        from entry e join execution x on x.id = e.execution_id join payment p on p.id = x.payment_id
        join attempt t on t.execution_id = x.id and t.outcome = 'settle'
        left join settlement_run r on r.date = t.run_date and r.number = t.run_number
        where e.amount_minor < 0 and p.tpp_id = '${tpp.id}'`,
  );
  const told = settled.map(({ what, at, how }) => `${String(what)} ${timeAt(Number(at))} ${String(how)}`);
  const expected = model.payments.flatMap(({ id, from, executions }) =>
    executions.flatMap((execution) => {
      const { nominal, settledIn, attempts, amount, fee } = execution;
      if (settledIn === null) return [];
      const line = (bookedOn: string, minor: bigint): string =>
        [id, nominal, settledIn, bookedOn, model.valueOf(execution, from), attempts, minor].join(' ');
      const paid = line(model.bookedDayOf(execution), amount);
      const charged = fee === undefined ? [] : [line(model.feeBookedOn(settledIn), fee)];
      return [paid, ...charged];
    }),
  );
  const attempts = await rowsIn(
    bank,
    `select p.resource_id || ' ' || nominal_date || ' ' || x.execution_date || ' ' || run_date || '/' || run_number || ' ' || t.number
          || ' ' || outcome || ' ' || available_minor || ' of ' || needed_minor as line
        from attempt t join execution x on x.id = t.execution_id join payment p on p.id = x.payment_id where run_date is not null and p.tpp_id = '${tpp.id}'`,
  );
  const made = attempts.map(({ line }) => String(line));
  const broken = Object.entries(await brokenProofs(bank)).map(([name, rows]) => `${name}: ${rows.length}`);
  return [
    ...oneSided(told, expected, 'in the ledger only'),
    ...oneSided(expected, told, 'in the model only'),
    ...oneSided(made, model.attempts, 'attempted in the ledger only'),
    ...oneSided(model.attempts, made, 'attempted in the model only'),
    ...broken,
  ];
}

function oneSided(left: readonly string[], right: readonly string[], where: string): string[] {
  const others = Map.groupBy(right, (one) => one);
  return [...Map.groupBy(left, (one) => one)].flatMap(([one, all]) => {
    const more = all.length - (others.get(one)?.length ?? 0);
    return more > 0 ? [`${where}${more > 1 || others.has(one) ? `, ${more} more` : ''}: ${one}`] : [];
  });
}
