import type { WallClock } from '../../clock.ts';
import { readBankClock } from '../../core/bank-clock.ts';
import type { Duration } from '../../core/duration.ts';
import type { Instant } from '../../core/instant.ts';
import type { PriceList } from '../../core/price-list.ts';
import type { Quirks } from '../../core/quirk.ts';
import type { RunSchedule } from '../../core/settlement-run.ts';
import type { Ids } from '../../ids.ts';
import { bankState, clockOf } from '../../ledger/bank-state.ts';
import type { Ledger, Reader } from '../../ledger/database.ts';
import type { KnownState } from './known-state.ts';

/** One bank, as its operations see it. Nothing of it is shared with another bank. */
export interface BankContext {
  readonly ledger: Ledger;
  readonly wall: WallClock;
  readonly ids: Ids;
  /** Settlement times and the banking calendar. */
  readonly runs: RunSchedule;
  readonly quirks: Quirks;
  /** How long a signing basket lives, by the bank clock (interface: Limits). */
  readonly basketLifetime: Duration;
  /** What foreign payments cost (rules.md P11). */
  readonly prices: PriceList;
  /** What a reset lays (rules.md D1). */
  readonly knownState: KnownState;
  /** The key of the snapshot of that state, which a reset restores. */
  readonly seededKey: string;
  /** Aborted when the bank is about to close: an advance ends, and gives up a run that is under way. */
  readonly stopping: Pick<AbortSignal, 'aborted'>;
}

/** The bank's time in this transaction (rules.md T1). */
export async function bankNow(bank: BankContext, reader: Reader): Promise<Instant> {
  return readBankClock(clockOf(await bankState(reader)), bank.wall.now());
}
