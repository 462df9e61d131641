import { readFileSync } from 'node:fs';
import { openBank, type Bank, type BankOptions } from '../../engine/open-bank.ts';
import type { WallClock } from '../../engine/time/clock.ts';
import { parseInstant, type Instant } from '../../engine/values/instant.ts';
import { randomIds } from '../../engine/bank/ids.ts';
import { norwegianCalendar } from '../../engine/time/norwegian-calendar.ts';
import type { KnownState } from '../../engine/bank/known-state.ts';
import { type Profile, readConfig } from '../../api/start/config.ts';
import { listedProfile } from '../../api/start/profile.ts';
import { preparedLedger } from '../../api/hosting/open-configured-bank.ts';

export const calendar = norwegianCalendar();

const { customers, agreements } = JSON.parse(
  readFileSync(new URL('../../fixtures/known-state.json', import.meta.url), 'utf8'),
) as KnownState;

export const knownState: KnownState = { customers, agreements };

/** The instant of an ISO 8601 text, or of 00:00 Oslo for a plain date. */
export function at(text: string): Instant {
  const instant = parseInstant(text);
  if (instant === null) throw new Error(`no instant: ${text}`);
  return instant;
}

export interface ManualClock extends WallClock {
  /** Time passes until then; back: the wall clock is set. */
  set(now: Instant): void;
  /** The wall clock alone is moved by so many ms: ahead as after a sleep, or back. */
  jump(ms: number): void;
}

/** A wall clock that stands still until it is moved. */
export function manualClock(start: Instant): ManualClock {
  let now = start;
  let monotonic = 0;
  return {
    now: () => now,
    monotonic: () => monotonic,
    set: (moved) => {
      monotonic += Math.max(0, moved - now);
      now = moved;
    },
    jump: (ms) => {
      now = (now + ms) as Instant;
    },
  };
}

/** What the words of a server's start, or a profile, make of a bank's money and dates. */
export function settingsOf(flags: readonly string[], profile: Profile | null = null) {
  const { quirks, settlementTimes, cutOffs, earlyClose, fxFixings } = readConfig({}, flags, profile);
  return { quirks, settlementTimes, cutOffRules: { cutOffs, earlyClose, fxFixings } } satisfies Partial<BankOptions>;
}

/** The same of a listed profile. */
export async function ofProfile(id: string): Promise<ReturnType<typeof settingsOf>> {
  return settingsOf([], await listedProfile(id));
}

/** A bank that is closed when the block that opened it ends. */
export type OwnBank = Bank & AsyncDisposable;

/** A bank in memory, its clock frozen at `now`, with the default known state. */
export async function memoryBank(now: string, options: Partial<BankOptions> = {}): Promise<OwnBank> {
  const bank = await openBank({
    ledger: ':memory:',
    wall: manualClock(at(now)),
    ids: randomIds,
    calendar,
    knownState,
    start: { mode: 'frozen', now: at(now) },
    preparedLedger: preparedLedger(),
    ...options,
  });
  return Object.assign(bank, { [Symbol.asyncDispose]: () => bank.close() });
}
