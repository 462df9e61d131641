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
  /** Aborted when the bank is about to close: an advance ends before its next run. */
  readonly stopping: Pick<AbortSignal, 'aborted'>;
}

/** What the bank goes by in one transaction: its time, and the last scheduled run that has passed (rules.md T1, T6). */
export interface BankTime {
  readonly now: Instant;
  readonly lastRunAt: Instant;
}

/** The bank's time in this transaction, read once. */
export async function bankTime(bank: BankContext, reader: Reader): Promise<BankTime> {
  const state = await bankState(reader);
  return { now: readBankClock(clockOf(state), bank.wall.now()), lastRunAt: state.last_run_at };
}

/** What the bank clock shows in this transaction (rules.md T1). */
export async function bankNow(bank: BankContext, reader: Reader): Promise<Instant> {
  return (await bankTime(bank, reader)).now;
}
