import type { Bank } from '../../../engine/bank.ts';
import { customerAccounts } from '../../../engine/accounts/rows/accounts.ts';
import { readPaymentStatus } from '../../../engine/payments/read-payment.ts';
import { orRefusal, people, tpp } from '../payments.ts';
import { brokenProofs } from '../proof.ts';
import { rowsOf } from '../rows.ts';
import type { Model, ModelPayment } from './model.ts';

/** Where bank and model differ about these payments and about any balance, in words; empty when they agree. */
export async function differences(bank: Bank, model: Model, payments: readonly ModelPayment[]): Promise<string[]> {
  const found: string[] = [];
  for (const payment of payments) {
    const path = { paymentId: payment.id };
    const read = await orRefusal(readPaymentStatus(bank, { tppId: tpp.id, psu: {}, path }));
    const status = typeof read === 'string' ? null : read.payment.status;
    const expected = model.seen(payment);
    if (status !== expected) found.push(`${payment.id} is ${status}, and ${expected} by the model`);
  }
  const balances = await bank.ledger.read((reader) => customerAccounts(reader));
  for (const [name, { bban }] of Object.entries(people)) {
    const account = balances.find((one) => one.bban === bban);
    const expected = model.balances.get(name);
    if (account !== undefined && expected !== undefined && account.balance_minor !== expected) {
      found.push(`${name} has ${account.balance_minor}, and ${expected} by the model`);
    }
  }
  const reserved = await bank.ledger.read((reader) =>
    rowsOf(
      reader,
      `select bban, amount_minor < 0 as is_debit, sum(amount_minor) as sum_minor from reservation
        join account on account.id = account_id group by 1, 2`,
    ),
  );
  for (const [name, { bban }] of Object.entries(people)) {
    for (const isDebit of [true, false]) {
      const row = reserved.find((each) => each['bban'] === bban && each['is_debit'] === Number(isDebit));
      const [sum, expected] = [row?.['sum_minor'] ?? 0n, model.announced(name, isDebit)];
      if (sum !== expected) found.push(`${name} has ${String(sum)} announced, and ${expected} by the model`);
    }
  }
  return found;
}

/** Compares every attempt and every settlement there ever was, and recomputes the ledger. */
export async function finalDifferences(bank: Bank, model: Model): Promise<string[]> {
  const settled = await bank.ledger.read((reader) =>
    rowsOf(
      reader,
      `select p.resource_id || ' ' || x.nominal_date as what, coalesce(r.at, p.authorised_at) as at,
          e.booking_date || ' ' || e.value_date || ' ' || (x.attempts + 1) || ' ' || -e.amount_minor as how
        from entry e join execution x on x.id = e.execution_id join payment p on p.id = x.payment_id
        join attempt t on t.execution_id = x.id and t.outcome = 'settle'
        left join settlement_run r on r.date = t.run_date and r.number = t.run_number
        where e.amount_minor < 0`,
    ),
  );
  const told = settled.map(({ what, at, how }) => `${String(what)} ${oslo.format(Number(at))} ${String(how)}`);
  const expected = model.payments.flatMap(({ id, from, executions }) =>
    executions.flatMap((execution) => {
      const { nominal, settledIn, attempts, amount, fee, isTwice } = execution;
      if (settledIn === null) return [];
      const line = (bookedOn: string, minor: bigint): string =>
        [id, nominal, settledIn, bookedOn, model.valueOf(execution, from), attempts, minor].join(' ');
      const paid = line(model.bookedDayOf(execution), amount);
      const charged = fee === undefined ? [] : [line(model.feeBookedOn(settledIn), fee)];
      return [paid, ...(isTwice ? [paid] : []), ...charged];
    }),
  );
  const attempts = await bank.ledger.read((reader) =>
    rowsOf(
      reader,
      `select p.resource_id || ' ' || nominal_date || ' ' || x.execution_date || ' ' || run_date || '/' || run_number || ' ' || t.number
          || ' ' || outcome || ' ' || available_minor || ' of ' || needed_minor as line
        from attempt t join execution x on x.id = t.execution_id join payment p on p.id = x.payment_id where run_date is not null`,
    ),
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

const oslo = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Oslo', dateStyle: 'short', timeStyle: 'short' });
