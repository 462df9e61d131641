import { createHash } from 'node:crypto';
import type { Bank } from '../../engine/bank.ts';
import { rowsOf } from '../lab/rows.ts';
import { simulate, type SimulationOptions } from '../lab/simulation/simulate.ts';

/*
 * A program that simulates banks and prints their money, dates and statuses as a hash, for mutants.ts. It ends with exit code 1 at the first bank
 * that differs from the auditor's own calculation.
 */

/** One without habits, three under profiles or quirks with most habits of settlement, one with a life. */
const banks: readonly (readonly [days: number, SimulationOptions])[] = [
  [90, { habits: { 'own-accounts-at-once': true, 'same-bank-at-once': 'without-kid', 'weekend-values': true } }],
  [120, { profile: 'handelsbanken-norge' }],
  [120, { profile: 'orskog-sparebank' }],
  [60, { persona: 'family' }],
  [365, {}],
];

const hash = createHash('sha256');

async function atEnd(bank: Bank): Promise<void> {
  for (const statement of [
    'select account_id, amount_minor, booking_date, value_date from entry order by id',
    'select status, nominal_date, execution_date, received_at, attempts from execution order by id',
    'select status, leaves_at from payment order by id',
    'select balance_minor from account order by id',
    'select account_id, amount_minor, booking_date from reservation order by id',
  ]) {
    const rows = await bank.ledger.read((reader) => rowsOf(reader, statement));
    hash.update(JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? String(value) : value)));
  }
}

for (const [days, options] of banks) {
  const { problems } = await simulate(1, days, { ...options, atEnd });
  if (problems.length === 0) continue;
  console.log(problems.join('\n'));
  process.exit(1);
}
console.log(hash.digest('hex'));
