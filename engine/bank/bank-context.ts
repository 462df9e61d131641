import type { SteadyClock, WallClock } from '../time/clock.ts';
import { readBankClock } from '../time/rules/bank-clock.ts';
import type { Duration } from '../values/duration.ts';
import type { Instant } from '../values/instant.ts';
import type { PriceList } from '../values/price-list.ts';
import { type Quirks, choiceOf, isProblem, noQuirks, quirkTexts, switched } from './rules/quirk.ts';
import type { RunSchedule } from '../time/rules/settlement-run.ts';
import { type Ids, newKey } from './ids.ts';
import { bankState, clockOf, stateSeenAt, saveState } from './rows/bank-state.ts';
import { isWriting, type Ledger, type Reader, type Row, type Writer } from '../ledger/database.ts';
import type { KnownState } from './known-state.ts';
import type { Outlet } from './outlet.ts';

/** The known state and what is named after it: a reset restores it (rules.md D1). */
export interface Origin {
  readonly knownState: KnownState;
  /** The name of the known state: of the fixtures folder, a path, or `banks/NAME`. */
  readonly fixtures: string;
  /** The key of the snapshot of that state. */
  readonly seededKey: string;
}

/** One bank, as its operations see it. Nothing of it is shared with another bank. */
export interface BankContext extends Origin, Pick<Outlet, 'tell' | 'isHeard' | 'wanted'> {
  readonly ledger: Ledger;
  readonly wall: WallClock;
  /**
   * What decides on Date, certificates and the age of SCA links: the wall clock, or by choice the bank clock (rules.md
   * T1, T1c).
   */
  readonly security: Pick<WallClock, 'now'>;
  /** The clock from which the bank clock is derived. */
  readonly steady: Pick<SteadyClock, 'now'>;
  readonly ids: Ids;
  /** Settlement times and the banking calendar, with the runs that they make (rules.md T4, T4h). */
  readonly schedule: RunSchedule;
  /**
   * The quirks that are on: a request reads them when it needs them, as they can be switched meanwhile (rules.md Q1).
   */
  readonly quirks: Quirks;
  readonly quirkSwitch: QuirkSwitch;
  /** Id of the profile that it was opened with (rules.md Q8). */
  readonly profile: string | null;
  /** How long a signing basket lives, by the bank clock (interface: Limits). */
  readonly basketLifetime: Duration;
  /** What a trial of the gauntlet changes in its runs (control-plane.md GA2). */
  readonly trial: { isShortAtFirst: boolean };
  /** The rates and fees by which foreign payments are priced (rules.md P11). */
  readonly prices: PriceList;
  /** The origin that the bank was opened with. */
  readonly firstOrigin: Origin;
  /** The origin that this known state would be. */
  originOf(knownState: KnownState, fixtures: string): Promise<Origin>;
  /** Makes it the one that resets restore. */
  followOrigin(origin: Origin): void;
  /** Aborted when the bank is about to close: an advance ends, and gives up a run that is under way. */
  readonly stopping: Pick<AbortSignal, 'aborted'>;
}

/** State and time of the bank in one transaction. */
export interface BankTime {
  /** What the bank clock shows; it decides on all but security (rules.md T1). */
  readonly now: Instant;
  /** The last scheduled run that has passed (rules.md T6). */
  readonly lastRunAt: Instant;
  readonly state: Row<'bank_state'>;
  /** The moment of the steady clock at which it was read. */
  readonly steady: Instant;
}

/**
 * Reads state and time, once per transaction. A write also stores the steady time, in the same statement (rules.md T7).
 */
export async function bankTime(bank: BankContext, reader: Reader): Promise<BankTime> {
  const steady = bank.steady.now();
  const state = isWriting(reader) ? await stateSeenAt(reader, steady) : await stateIn(bank.ledger, reader);
  return { now: readBankClock(clockOf(state), steady), lastRunAt: state.last_run_at, state, steady };
}

/**
 * Returns a function that gives what `read` reads. It reads the ledger once after each change; other calls cost
 * nothing.
 */
export function untilItChanges<T>(ledger: Ledger, read: (reader: Reader) => Promise<T>): () => Promise<T> {
  let known: { readonly version: number; readonly value: T } | null = null;
  return async () => {
    const version = ledger.version();
    if (known?.version !== version) known = { version, value: await ledger.read(read) };
    return known.value;
  };
}

/**
 * The state as it was last read, with the version of its ledger: as long as the version stays the same, so does the
 * state. The lock keeps other writers out.
 */
const seenStates = new WeakMap<Ledger, { readonly version: number; readonly state: Row<'bank_state'> }>();

async function stateIn(ledger: Ledger, reader: Reader): Promise<Row<'bank_state'>> {
  const version = ledger.version();
  const known = seenStates.get(ledger);
  if (known?.version === version) return known.state;
  const state = await bankState(reader);
  seenStates.set(ledger, { version, state });
  return state;
}

/** A transaction that reads from a bank, at one instant of the bank clock. */
export interface Reading {
  readonly bank: BankContext;
  readonly reader: Reader;
  /** Bank time. */
  readonly now: Instant;
}

/** A {@link Reading} whose transaction also writes. `tx` and `reader` are the same transaction. */
export interface Writing extends Reading {
  readonly tx: Writer;
}

/** A {@link Reading} at the time that the bank clock shows now, with the state of the bank. */
export type PresentReading = Reading & BankTime;
/** A {@link Writing} at the time that the bank clock shows now, with the state of the bank. */
export type PresentWriting = Writing & BankTime;

/** Changes at `now` in a transaction that is under way. */
export function writingIn(bank: BankContext, tx: Writer, now: Instant): Writing {
  return { bank, reader: tx, tx, now };
}

/** Changes at the present bank time in a transaction that is under way. */
export async function presentWriting(bank: BankContext, tx: Writer): Promise<PresentWriting> {
  return { bank, reader: tx, tx, ...(await bankTime(bank, tx)) };
}

/** Reads from the bank in one transaction, at the present bank time. */
export function readBank<T>(bank: BankContext, work: (reading: PresentReading) => Promise<T>): Promise<T> {
  return bank.ledger.read(async (reader) => work({ bank, reader, ...(await bankTime(bank, reader)) }));
}

/** Changes the bank in one transaction, all or nothing, at the present bank time. */
export function writeBank<T>(bank: BankContext, work: (writing: PresentWriting) => Promise<T>): Promise<T> {
  return bank.ledger.write(async (tx) => work(await presentWriting(bank, tx)));
}

/** What the bank clock shows in this transaction, see {@link bankTime}. */
export async function bankNow(bank: BankContext, reader: Reader): Promise<Instant> {
  return (await bankTime(bank, reader)).now;
}

/** The key of this ledger's ids on the wire, 64 hexadecimal digits (rules.md Q3). */
export async function wireKey(bank: BankContext): Promise<string> {
  return (await bank.ledger.read((reader) => bankTime(bank, reader))).state.wire_key;
}

/** The quirks of one bank: those of its start, and those that are on now. */
export class QuirkSwitch {
  readonly #ofStart: Quirks;
  #on: Quirks;

  constructor(ofStart: Quirks) {
    this.#ofStart = ofStart;
    this.#on = ofStart;
  }

  get on(): Quirks {
    return this.#on;
  }

  /**
   * The quirks of this state: those that were switched, else those of the start. Throws an Error for a text that no
   * bank wrote.
   */
  quirksOf({ quirks }: Pick<Row<'bank_state'>, 'quirks'>): Quirks {
    return quirks === null ? this.#ofStart : storedQuirks(quirks);
  }

  /** Makes the quirks of this state those that are on. */
  follow(state: Pick<Row<'bank_state'>, 'quirks'>): void {
    this.#on = this.quirksOf(state);
  }
}

/** Reads the column `quirks`. Throws an Error for a text that no bank wrote. */
export function storedQuirks(text: string): Quirks {
  const found = switched(noQuirks, choiceOf(text));
  if (isProblem(found)) throw new Error(`the quirks of the ledger: ${found.problem}`);
  return found;
}

/**
 * Switches quirks (control plane: PUT /sandbox/quirks). `choose` makes the new quirks of those that are on, at bank
 * time `now`; what it throws changes nothing. They hold for the next request, also after a restart, until a reset
 * (rules.md Q1).
 */
export async function switchQuirks(bank: BankContext, choose: (on: Quirks, now: Instant) => Quirks): Promise<Quirks> {
  const quirks = await bank.ledger.write(async (tx) => {
    const { state, now } = await bankTime(bank, tx);
    const chosen = quirkTexts(choose(bank.quirkSwitch.quirksOf(state), now)).join(',');
    await saveState(tx, { quirks: chosen });
    return chosen;
  });
  bank.quirkSwitch.follow({ quirks });
  return bank.quirks;
}

/**
 * Goes back to the profile and the quirks of the start, for a reset; {@link followQuirks} then switches to them. Pages
 * of access get other addresses (rules.md A7e).
 */
export async function forgetSwitched({ profile }: Pick<BankContext, 'profile'>, tx: Writer): Promise<void> {
  await saveState(tx, { quirks: null, profile, access_key: newKey() });
}

/** Switches to the quirks of the ledger, after another ledger has taken its place. */
export async function followQuirks({
  ledger,
  quirkSwitch,
}: Pick<BankContext, 'ledger' | 'quirkSwitch'>): Promise<void> {
  quirkSwitch.follow(await ledger.read(bankState));
}
