import type BetterSqlite3 from 'better-sqlite3';

/** A due payment, as the loop reads it. */
interface Due {
  readonly id: number;
  readonly paymentId: number;
  readonly executionDate: string;
  readonly amount: bigint;
  readonly debtorId: number;
  readonly creditorId: number;
}

/** One settlement run: bank date, number, instant in ms. */
interface Run {
  readonly date: string;
  readonly number: number;
  readonly at: number;
}

/** With the condition as SQLite finds the index for it, whether that has a list or names its values one by one. */
const due = `select e.id, e.payment_id as paymentId, e.execution_date as executionDate, e.amount_minor as amount,
    e.debtor_account_id as debtorId, creditor.id as creditorId
  from execution e join account creditor on creditor.bban = e.creditor_number and creditor.closed_at is null
  where (e.status = 'ACSP' or e.status = 'PDNG' or e.status = 'ACCP') and e.execution_date <= ? and e.received_at <= ?
  order by e.execution_date, e.received_at, e.nominal_date, e.place, e.id`;

/**
 * Settles by hand-written code over better-sqlite3: prepared statements, payment by payment, in one transaction, with the
 * engine's tables, order and writes. The settlement figures are compared with it. Returns how many payments settled.
 */
export function settleByHand(database: BetterSqlite3.Database, run: Run): number {
  const settle = preparedSettlement(database, run);
  const all = database.transaction(() => {
    const rows = database.prepare<unknown[], Due>(due).all(run.date, run.at);
    database
      .prepare(
        `insert into settlement_run (date, number, at, settled, retried, rejected, booked, registered, "trigger")
          values (?, ?, ?, ?, 0, 0, 0, 0, 'advance')`,
      )
      .run(run.date, run.number, run.at, rows.length);
    for (const row of rows) settle(row);
    return rows.length;
  });
  return all.immediate();
}

function preparedSettlement(database: BetterSqlite3.Database, run: Run) {
  const funds = database.prepare<unknown[], { funds: bigint }>(
    'select balance_minor + credit_line_minor as funds from account where id = ?',
  );
  const execution = database.prepare(`update execution set status = 'ACSC' where id = ?`);
  const attempt = database.prepare(
    `insert into attempt (execution_id, number, run_date, run_number, available_minor, needed_minor, outcome)
      values (?, 1, ?, ?, ?, ?, 'settle')`,
  );
  const entry = database.prepare(
    `insert into entry (account_id, amount_minor, execution_id, booking_date, value_date, booked_at)
      values (?, ?, ?, ?, ?, ?)`,
  );
  const balance = database.prepare('update account set balance_minor = balance_minor + ? where id = ?');
  const payment = database.prepare(`update payment set status = 'ACSC', leaves_at = ? where id = ?`);
  const change = database.prepare(
    `insert into status_change (payment_id, status, at, wall, cause) values (?, 'ACSC', ?, ?, ?)`,
  );
  const cause = `run ${run.date}/${run.number}, attempt 1`;
  return (row: Due): void => {
    const available = funds.get(row.debtorId)?.funds ?? 0n;
    if (available < row.amount) throw new Error('the bench ledger has funds for every payment');
    execution.run(row.id);
    attempt.run(row.id, run.date, run.number, available, row.amount);
    entry.run(row.debtorId, -row.amount, row.id, run.date, row.executionDate, run.at);
    entry.run(row.creditorId, row.amount, row.id, run.date, row.executionDate, run.at);
    balance.run(-row.amount, row.debtorId);
    balance.run(row.amount, row.creditorId);
    payment.run(run.at, row.paymentId);
    change.run(row.paymentId, run.at, run.at, cause);
  };
}
