import type { BankContext } from './bank/bank-context.ts';
import { hashOfKnownState } from './bank/known-state.ts';
import { bankState } from './bank/rows/bank-state.ts';
import { sqliteVersion } from './ledger/database.ts';
import type { ClockMode } from './time/rules/bank-clock.ts';
import type { Instant } from './values/instant.ts';

/** What a ledger began with, which a reset goes back to (control-plane.md C5), and what keeps it. */
export interface Beginning {
  readonly at: Instant;
  readonly mode: ClockMode;
  /** Name of its known state. */
  readonly fixtures: string;
  /** Whether it began with the known state that this bank was opened with: the same name and the same content. */
  readonly isOfKnownState: boolean;
  /** The version of SQLite. */
  readonly sqlite: string;
}

/** Reads what the ledger began with. */
export async function readBeginning({ ledger, fixtures: name, knownState }: BankContext): Promise<Beginning> {
  const state = await ledger.read(bankState);
  const { seeded_at: at, seeded_mode: mode, fixtures } = state;
  const isOfKnownState = fixtures === name && state.known_state_hash === hashOfKnownState(knownState);
  return { at, mode, fixtures, isOfKnownState, sqlite: await ledger.read(sqliteVersion) };
}
