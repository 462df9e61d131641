import type { BankContext } from './bank/bank-context.ts';
import { bankState } from './bank/rows/bank-state.ts';
import { hasSeeded } from './bank/seeded-snapshot.ts';
import { listPsus } from './sandbox-data/psus.ts';
import type { ClockMode } from './time/rules/bank-clock.ts';
import type { Instant } from './values/instant.ts';

/** What a ledger began with, which a reset goes back to (control-plane.md C5). */
export interface Beginning {
  readonly at: Instant;
  readonly mode: ClockMode;
  /** Name of its known state. */
  readonly fixtures: string;
  /** Whether it began with the known state that this bank was opened with, as far as can be told of a file that may have changed. */
  readonly isOfKnownState: boolean;
}

/**
 * Reads what the ledger began with. It is of another known state if the name differs, or if the snapshot of this bank's own is missing and the
 * private customers differ.
 */
export async function readBeginning(bank: BankContext): Promise<Beginning> {
  const { seeded_at: at, seeded_mode: mode, fixtures } = await bank.ledger.read(bankState);
  const isOfKnownState = fixtures === bank.fixtures && ((await hasSeeded(bank, at)) || (await hasItsPsus(bank)));
  return { at, mode, fixtures, isOfKnownState };
}

async function hasItsPsus(bank: BankContext): Promise<boolean> {
  const listed = (await listPsus(bank)).map(({ customerNumber, name }) => `${customerNumber} ${name}`);
  const known = bank.knownState.customers.filter(({ type }) => type === 'private').slice(0, listed.length);
  return known.every(({ customerNumber, name }) => listed.includes(`${customerNumber} ${name}`));
}
