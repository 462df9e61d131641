import { createHash } from 'node:crypto';
import { readBankClock, setBankClock, type BankClock, type ClockMode } from './time/rules/bank-clock.ts';
import { SteadyClock, type WallClock } from './time/clock.ts';
import type { Instant } from './values/instant.ts';
import type { BankingCalendar } from './time/rules/banking-calendar.ts';
import type { Duration } from './values/duration.ts';
import { damageIn } from './proof/prove-ledger.ts';
import { oneLine } from './values/text.ts';
import { noPrices, type PriceList } from './values/price-list.ts';
import { noQuirks, type Quirks, quirkTexts } from './bank/rules/quirk.ts';
import type { CutOffRules } from './time/rules/cut-offs.ts';
import { defaultSettlementTimes, runSchedule, type SettlementTimes } from './time/rules/settlement-run.ts';
import { newKey, secretFrom, seededIds, type Ids } from './bank/ids.ts';
import { bankState, clockOf, findBankState } from './bank/rows/bank-state.ts';
import {
  type Ledger,
  isRefused,
  LedgerRefused,
  type LedgerToStartFrom,
  type Keeping,
  openLedger,
  type Row,
  soundImage,
  type Writer,
} from './ledger/database.ts';
import { adoptKnownState, createKnownState, hasPast } from './sandbox-data/create-known-state.ts';
import { bankNow, type BankContext, QuirkSwitch, storedQuirks } from './bank/bank-context.ts';
import { beginStateAsCopy, type StartingPoint, followLedger, renewAccessKey, usualRate } from './bank/change-state.ts';
import { type BankEvent, outletOf, type Outlet } from './bank/outlet.ts';
import { hashOfKnownState, type KnownState } from './bank/known-state.ts';
import { copiedKey, ledgerBytes, type LedgerImage, seededKeyOf, takeLedgerImage } from './bank/snapshots.ts';
import { renewOpenScas } from './sca/sca.ts';
import { renewLinks } from './calls/first-answers.ts';
import { contentHash } from './ledger/content-hash.ts';
import { lastStepUntil } from './life/live.ts';
import { messageOf } from './values/message-of.ts';

// A server locks its ledger file; openBank does not, so that two banks can be opened on one file.
export { cutShort, isRefused, LedgerRefused, LedgerUnavailable } from './ledger/database.ts';
export { checkBeside, checkLedger, isOfAnotherProgram } from './check-ledger.ts';
export { foreignReason, otherOwner, replaceOwn, requireOurs, syncFolder, writeDurably } from './ledger/durable-file.ts';
export { ownFolder } from './ledger/own-folder.cjs';
export { lockLedger, lockLedgers, type LedgerLock } from './ledger/ledger-lock.ts';

export interface BankOptions extends Keeping {
  /** A path, or `:memory:`. */
  readonly ledger: string;
  /** A new ledger begins as a copy of it. Left out: with the known state. */
  readonly copied?: CopiedLedger;
  readonly wall: WallClock;
  /** `seed`, for tests: ids are determined by it and by the commands. */
  readonly ids: Ids | { readonly seed: string };
  readonly calendar: BankingCalendar;
  readonly knownState: KnownState;
  /** Name of the known state, by default `known-state`. */
  readonly fixtures?: string;
  /** Left out: foreign payments find no rate, and cost nothing. */
  readonly prices?: PriceList;
  /** Clock of a new ledger. By default it runs, at wall time (rules.md T7). */
  readonly start?: StartingPoint;
  readonly settlementTimes?: SettlementTimes;
  /** Cut-offs and fixings. */
  readonly cutOffRules?: CutOffRules;
  readonly quirks?: Quirks;
  /** Id of the profile that settings and quirks come from. */
  readonly profile?: string | null;
  /** Left out: a day. */
  readonly basketLifetime?: Duration;
  /** A new ledger starts as a copy of it if both have the same fingerprint. Left out: each row is inserted. */
  readonly preparedLedger?: PreparedLedger | null;
  /** Where seeded ledgers with a past are kept for later openings (rules.md L10). Left out: each past is made. */
  readonly keptPasts?: KeptPasts;
  /** Whether the bank clock decides on security too (rules.md T1c). Left out: the wall clock does. */
  readonly followClock?: boolean;
  /** When aborted, an advance stops and rolls back a run that is not finished. Left out: never. */
  readonly stopping?: AbortSignal;
}

/**
 * The ledger of another bank, of which a new one begins as a copy (control-plane.md B10). All ids stay; SCA links and
 * pages of access get other addresses.
 */
export interface CopiedLedger extends LedgerImage {
  /** Mode of the clock of the copy, which begins at `now`. Left out: that of the other bank. */
  readonly mode?: ClockMode;
  /** Changes the quirks that were switched at the other bank. Left out: they stay. */
  readonly choose?: (on: Quirks) => Quirks;
  /** Name of the snapshot of the copy as it began. Left out: a reset goes back to it. */
  readonly snapshot?: string;
}

/** A copy with the quirks and the mode of the clock that are chosen for it. Undefined: the mode stays. */
export function copiedWith(
  copied: CopiedLedger,
  choose: NonNullable<CopiedLedger['choose']>,
  mode: ClockMode | undefined,
): CopiedLedger {
  return { ...copied, choose, ...(mode !== undefined && { mode }) };
}

/** Maximum length of the message about a damaged image. */
const maxDamageLength = 300;

const aDay: Duration = { months: 0, days: 0, seconds: 24 * 60 * 60 };

/** The seeded ledger of another bank, which a build has made. */
export interface PreparedLedger {
  /** Hash of the known state and the settings that made it. */
  readonly fingerprint: string;
  /** The serialized database. */
  image(): Buffer;
}

/** Seeded ledgers with a past, as serialized databases. */
export interface KeptPasts {
  /** Null: none was kept, or it cannot be read. */
  find(key: string): Buffer | null;
  /** The image must not change afterwards. */
  keep(key: string, image: Buffer): void;
}

/** The largest past that is kept, in bytes. */
const maxPast = 64 * 1024 * 1024;

/** One isolated bank. Its operations take it as their first argument. */
export interface Bank extends BankContext, Outlet {
  /** The bank clock as it is stored, without waiting for the ledger. */
  readonly clock: () => BankClock;
  /** What it shows, without waiting for the ledger. */
  readonly now: () => Instant;
  /** Stores the clock in the ledger file, so that it is not behind after a restart (rules.md T7). */
  close(): Promise<void>;
}

/**
 * Opens a bank: ledger, clock and, in a new ledger, the known state. Missed runs are not carried out here; the caller
 * calls `advanceClock` next.
 */
export async function openBank(options: BankOptions): Promise<Bank> {
  const facts = await factsOf(options);
  const { copied } = options;
  const past = copied === undefined ? pastIn(options, facts) : null;
  const beginning = copied === undefined ? beginningOf(options, facts, past) : await copyOf(copied, facts);
  const ledger = await openLedger(options.ledger, beginning, options);
  const found = await ledger.read(findBankState);
  const bank = bankOver(ledger, options, facts, found);
  try {
    if (found !== undefined) bank.quirkSwitch.follow(found);
  } catch (error) {
    await ledger.close();
    throw damaged(error);
  }
  await followLedger(bank);
  if ((await seed(bank, facts.start)) && past !== null) {
    if ((await ledgerBytes(bank)) <= maxPast) past.keep((await takeLedgerImage(bank)).bytes);
    // As for a bank that begins with a kept past.
    await followLedger(bank);
  }
  return bank;
}

/** What follows from the options alone. */
async function factsOf(options: BankOptions) {
  const { knownState, fixtures = 'known-state', settlementTimes = defaultSettlementTimes } = options;
  const wallNow = options.wall.now();
  const start = options.start ?? { mode: 'running', now: wallNow };
  const originOf: BankContext['originOf'] = async (state, name) => {
    const key = seededKeyOf(await fingerprint({ ...options, knownState: state }));
    return { knownState: state, fixtures: name, seededKey: key };
  };
  return {
    start: { ...start, since: start.since ?? wallNow },
    ids: 'seed' in options.ids ? seededIds(options.ids.seed) : options.ids,
    schedule: runScheduleOf(settlementTimes, options),
    profile: options.profile ?? null,
    originOf,
    firstOrigin: await originOf(knownState, fixtures),
  };
}

type Facts = Awaited<ReturnType<typeof factsOf>>;

/** That of the last bank, for the next one with the same rules: it holds only computed days. */
let schedule: { readonly rules: string; readonly made: BankContext['schedule'] } | null = null;

function runScheduleOf(times: SettlementTimes, { calendar, cutOffRules }: BankOptions) {
  const rules = JSON.stringify([times, cutOffRules]);
  if (schedule?.rules !== rules || schedule.made.calendar !== calendar)
    schedule = { rules, made: runSchedule(times, calendar, cutOffRules) };
  return schedule.made;
}

/** How a new ledger starts: with the kept past, or else as the prepared ledger. Null: it is seeded row by row. */
function beginningOf(
  { preparedLedger: prepared = null }: BankOptions,
  { firstOrigin, start, ...facts }: Facts,
  past: ReturnType<typeof pastIn>,
): LedgerToStartFrom | null {
  const { seededKey: key } = firstOrigin;
  const isPrepared = prepared !== null && seededKeyOf(prepared.fingerprint) === key;
  const image = past?.find ?? (isPrepared ? () => prepared.image() : null);
  if (image === null) return null;
  return { key, at: start.now, image, prepare: (tx) => adoptKnownState({ ...facts, ...firstOrigin }, tx, start) };
}

/** How a copy begins. Throws LedgerRefused if the image is not a sound ledger. */
async function copyOf(
  { now, mode, choose = (on) => on, snapshot = copiedKey, ...image }: CopiedLedger,
  { ids, start, profile }: Facts,
): Promise<LedgerToStartFrom> {
  const bytes = await soundBank(image.bytes);
  const accessKey = newKey();
  let secret: string | null = null;
  const prepare: LedgerToStartFrom['prepare'] = async (tx) => {
    // Seeded ids follow from the ledger. A restore finds the links that the copy began with.
    ids.follow?.(await contentHash(tx, 'included'));
    secret ??= ids.secret();
    const chosen = (on: string): string => quirkTexts(choose(storedQuirks(on))).join(',');
    await beginStateAsCopy(tx, { now, mode, since: start.since, profile, choose: chosen });
    await renewAddresses(tx, secret, accessKey);
  };
  return { key: snapshot, at: now, image: () => bytes, prepare, isShared: true };
}

/** Gives open SCAs and pages of access other addresses (control-plane.md B6). */
async function renewAddresses(tx: Writer, secret: string, accessKey: string): Promise<void> {
  await renewAccessKey(tx, accessKey);
  await renewLinks(tx, await renewOpenScas(tx, secret));
}

/** The ledger of a bank for anybody: it has no address that opens a page of its bank (control-plane.md B5). */
export function imageToSave(bank: Bank): Promise<LedgerImage> {
  return takeLedgerImage(bank, async (tx) => {
    // What is new follows from what was there, which it does not tell: a bank in one state is saved as the same bytes.
    const { access_key: old } = await bankState(tx);
    await renewAddresses(tx, 'saved', secretFrom(old, 0));
  });
}

/** `found`: the state of a ledger that is seeded. */
function bankOver(ledger: Ledger, options: BankOptions, facts: Facts, found: Row<'bank_state'> | undefined): Bank {
  const quirkSwitch = new QuirkSwitch(options.quirks ?? noQuirks);
  let origin = facts.firstOrigin;
  const { start } = facts;
  const steady = new SteadyClock(options.wall, found?.clock_seen ?? start.since);
  let clock =
    found === undefined ? setBankClock({ rate: usualRate, ...start }, start.now, start.since) : clockOf(found);
  const now = (): Instant => readBankClock(clock, steady.now());
  const outlet = outletOf(ledger);
  const hear = (event: BankEvent): void => {
    if (event.kind === 'moved') ({ clock } = event);
  };
  outlet.listen({ kinds: new Set(['moved']), hear, failed: () => undefined });
  const bank: Bank = {
    ...outlet,
    ledger,
    wall: options.wall,
    security: options.followClock === true ? { now } : options.wall,
    clock: () => clock,
    now,
    steady,
    ids: facts.ids,
    schedule: facts.schedule,
    get quirks() {
      return quirkSwitch.on;
    },
    quirkSwitch,
    profile: facts.profile,
    basketLifetime: options.basketLifetime ?? aDay,
    trial: { isShortAtFirst: false },
    get knownState() {
      return origin.knownState;
    },
    get fixtures() {
      return origin.fixtures;
    },
    get seededKey() {
      return origin.seededKey;
    },
    firstOrigin: facts.firstOrigin,
    originOf: facts.originOf,
    followOrigin: (next) => (origin = next),
    prices: options.prices ?? noPrices,
    stopping: options.stopping ?? new AbortController().signal,
    // The last write stores the clock.
    close: () => ledger.close((tx) => bankNow(bank, tx)),
  };
  return bank;
}

/** Creates the known state in an empty ledger, and saves it. False: the ledger was not empty. */
async function seed(bank: Bank, start: StartingPoint): Promise<boolean> {
  const created = await bank.ledger.writeAndSave(bank.seededKey, async (tx) => {
    if ((await findBankState(tx)) !== undefined) return null;
    await createKnownState(bank, tx, bank.knownState, start);
    return start.now;
  });
  return created !== null;
}

/** The past that the known state gives its accounts, or null if it gives none or nothing is kept. */
function pastIn(options: BankOptions, facts: Facts) {
  const { keptPasts: pasts, knownState, cutOffRules = null, quirks = noQuirks } = options;
  if (pasts === undefined || !hasPast(knownState)) return null;
  const until = lastStepUntil(facts, facts.start.now);
  const made = JSON.stringify([facts.firstOrigin.seededKey, cutOffRules, [...quirks.keys()], until]);
  const key = createHash('sha256').update(made).digest('hex');
  return { find: () => pasts.find(key), keep: (image: Buffer) => pasts.keep(key, image) };
}

/** The image of a sound ledger that has a bank. Throws LedgerRefused. */
async function soundBank(image: Buffer): Promise<Buffer> {
  try {
    return await soundImage(image, async (reader) => {
      const state = await findBankState(reader);
      if (state === undefined) return 'it has no bank';
      if (state.quirks !== null) storedQuirks(state.quirks);
      return damageIn(reader);
    });
  } catch (error) {
    throw isRefused(error, 'outdated') ? error : damaged(error);
  }
}

function damaged(error: unknown): LedgerRefused {
  return new LedgerRefused('damaged', oneLine(messageOf(error), maxDamageLength));
}

/** Hash of all that determines a new bank's ledger: known state, settlement times, seed of the ids. */
async function fingerprint({
  knownState,
  settlementTimes = defaultSettlementTimes,
  ids,
}: BankOptions): Promise<string> {
  const seed = 'seed' in ids ? ids.seed : null;
  const others = `,${JSON.stringify(settlementTimes)},${JSON.stringify(seed)}]`;
  return (await hashOfKnownState(knownState, ['[', others])).slice(0, 16);
}
