import { createHash } from 'node:crypto';
import type { Bank } from '../../engine/bank.ts';
import { advanceClock } from '../../engine/runs/advance-clock.ts';
import type { Instant } from '../../engine/values/instant.ts';
import { inhabited, residentsOf } from '../lab/lived-bank.ts';
import { brokenProofs } from '../lab/proof.ts';
import { rowsIn } from '../lab/rows.ts';
import { lifeDifferences } from '../lab/simulation/lived.ts';
import { simulate, type SimulationOptions } from '../lab/simulation/simulate.ts';

/*
 * A program that simulates banks and prints their money, dates and statuses as a hash, for mutants.ts. It ends with exit code 1 at the first bank
 * that differs from the auditor's own calculation.
 */

/** Two under profiles and one under most quirks of settlement, one without quirks. */
const banks: readonly (readonly [days: number, SimulationOptions])[] = [
  [90, { quirks: { 'own-accounts-at-once': true, 'same-bank-at-once': 'without-kid', 'weekend-values': true } }],
  [90, { profile: 'handelsbanken-norge' }],
  [90, { profile: 'orskog-sparebank', persona: 'shop' }],
  [200, {}],
];

const hash = createHash('sha256');

/** What an account is called, whatever its key. */
const account = `(select coalesce(bban, iban, kind || currency) from account where id = e.account_id)`;

async function atEnd(bank: Bank): Promise<void> {
  for (const statement of [
    `select ${account}, amount_minor, booking_date, value_date from entry e order by id`,
    'select status, nominal_date, execution_date, received_at, attempts from execution order by id',
    'select status, leaves_at from payment order by id',
    "select bban, balance_minor from account where kind = 'customer' order by bban",
    `select ${account}, amount_minor, booking_date from reservation e order by id`,
  ]) {
    const rows = await rowsIn(bank, statement);
    hash.update(JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? String(value) : value)));
  }
}

function tell(problems: readonly string[]): void {
  if (problems.length === 0) return;
  console.log(problems.join('\n'));
  process.exit(1);
}

/** A year in which each persona lives alone, and a household together. */
async function lifeProblems(): Promise<string[]> {
  const residents = await residentsOf(2);
  const alone = residents.slice(0, residents.length / 2);
  const households = residents.slice(alone.length).filter(({ persona }) => persona.household !== undefined);
  const bank = await inhabited('2027-01-08', alone, { seed: '1', months: 3, households });
  await advanceClock(bank, Date.parse('2028-02-20T12:00:00Z') as Instant);
  const problems = [...(await lifeDifferences(bank, '2028-02-20')), ...Object.keys(await brokenProofs(bank))];
  await atEnd(bank);
  return problems;
}

for (const [days, options] of banks) tell((await simulate(1, days, { ...options, atEnd })).problems);
tell(await lifeProblems());
console.log(hash.digest('hex'));
