import { existsSync } from 'node:fs';
import { access, constants, realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import {
  type Bank,
  type CopiedLedger,
  checkBeside,
  checkLedger,
  LedgerRefused,
  type LedgerLock,
  lockLedger,
  otherOwner,
  openBank,
  type PreparedLedger,
} from '../../engine/open-bank.ts';
import { checkSettlementTimes } from '../../engine/bank/change-state.ts';
import type { WallClock } from '../../engine/time/clock.ts';
import { Refusal } from '../../engine/values/fault.ts';
import type { BankingCalendar } from '../../engine/time/rules/banking-calendar.ts';
import { assert } from '../../engine/values/assert.ts';
import type { PriceList } from '../../engine/values/price-list.ts';
import { formatInstant, type Instant } from '../../engine/values/instant.ts';
import { parseDuration } from '../../engine/values/duration.ts';
import { advanceClock } from '../../engine/runs/advance-clock.ts';
import { requireWithinOneCall } from '../../engine/bank/read-clock.ts';
import { beginHere } from '../../engine/bank/snapshots.ts';
import { randomIds } from '../../engine/bank/ids.ts';
import { norwegianCalendar } from '../../engine/time/norwegian-calendar.ts';
import type { KnownState } from '../../engine/bank/known-state.ts';
import { type Config } from '../start/config.ts';
import { closedToUs } from '../start/error-text.ts';
import { loadKnownState, loadPriceList } from '../start/fixtures.ts';
import { keptPasts } from '../start/kept-pasts.ts';
import { ledgerProblem } from '../start/ledger-problem.ts';
import { makeFolder } from '../start/make-folder.ts';
import { zstdDecompressSync } from 'node:zlib';
import { prepared } from '../start/prepared.ts';
import { Mistake } from '../../engine/values/mistake.ts';

interface Opening {
  readonly wall: WallClock;
  /** The default is a new one. */
  readonly calendar?: BankingCalendar;
  /**
   * A new ledger begins as a copy of it. If the settings name a later instant, the copy begins there (control-plane.md
   * B10).
   */
  readonly copied?: CopiedLedger;
  /** The default is the one that the settings name. */
  readonly knownState?: KnownState;
  /** The default is those of the fixtures folder. */
  readonly prices?: PriceList;
  /** Instant of the wall clock at which a new ledger's clock starts. The default is now. */
  readonly since?: Instant;
  /** Address of the server, in the error that another process gets for the same ledger. */
  readonly address: string;
  /** It is true if this process has locked the folder of the ledger, and gets the errors of its file as they are. */
  readonly inLockedFolder?: boolean;
  /** Ends an advance between two runs. */
  readonly stopping?: AbortSignal;
  /** It is true if a ledger with other settlement times is refused (rules.md T4). */
  readonly keepsTimes?: boolean;
  /** Called before a large ledger is checked, which takes a while. */
  readonly checking?: () => void;
}

/** In bytes. A ledger of at most this size is checked in this thread, which takes about as long as starting another. */
const quicklyChecked = 16 * 1024 * 1024;

/** A bank with a lock on its ledger file: no other process can serve it. */
export interface ConfiguredBank {
  readonly bank: Bank;
  /** Moves the lock to the current ledger file: a restore replaces the file. */
  keepLock(): void;
  /**
   * Makes the check that the start has left out, if it has; for a server that is ready. Fulfilled when it is over.
   * Rejected when the ledger could not be checked: the next start does it first.
   */
  checkBeside(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens the bank of the settings and locks its ledger file, also under other names of the file. Throws a Mistake for a
 * wrong file or folder, and for other settlement times than those of the ledger.
 */
export async function openConfiguredBank(config: Config, opening: Opening): Promise<ConfiguredBank> {
  let lock: LedgerLock | null = null;
  try {
    lock = await holdLedger(config, opening);
    const held = lock;
    const known = await checkFile(config, opening, lock?.isUntouched ?? false);
    const options = await optionsOf(config, opening);
    const bank = await openBank(options);
    try {
      held?.follow();
      if (known === 'older') await checkFile(config, opening, false);
      if (opening.keepsTimes === true) await checkSettlementTimes(bank);
      if (opening.copied !== undefined) await goOn(bank, opening.copied.now, config.clockNow);
    } catch (error) {
      await bank.close();
      throw error instanceof Refusal ? new Mistake(error.faults[0].text) : error;
    }
    let isUnknown = false;
    return {
      bank,
      keepLock: () => held?.follow(),
      checkBeside: async () => {
        if (known !== 'untouched') return;
        try {
          await checkBeside(bank.ledger, await realpath(config.ledger));
        } catch (error) {
          isUnknown = true;
          throw error;
        }
      },
      close: async () => {
        await bank.close();
        // The banks of a folder are many: a state that is left for the next start waits for the disk, and they are
        // checked again.
        held?.release(!isUnknown && opening.inLockedFolder !== true && bank.ledger.trouble() === null);
      },
    };
  } catch (error) {
    lock?.abandon();
    if (opening.inLockedFolder === true) throw error;
    const ledger = opening.copied === undefined ? config.ledger : 'of the bundle';
    throw ledgerProblem(error, ledger) ?? error;
  }
}

async function holdLedger(
  { ledger }: Config,
  { address, inLockedFolder = false }: Opening,
): Promise<LedgerLock | null> {
  if (ledger === ':memory:') return null;
  await makeFolder(dirname(ledger)).catch((error: NodeJS.ErrnoException) => {
    throw new Mistake(
      `the folder ${dirname(ledger)} of the ledger cannot be made (${error.code ?? error.message})${closedToUs(ledger)}`,
    );
  });
  // SQLite would open a read-only file and fail at the first payment.
  await access(ledger, constants.W_OK).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT')
      throw new Mistake(`the ledger ${ledger} cannot be written (${error.code})${closedToUs(ledger)}`);
  });
  const reason = otherOwner(ledger);
  if (reason !== null) throw new Mistake(`the ledger ${ledger} is not used: ${reason}`);
  return lockLedger(await realpath(ledger).catch(() => ledger), { address, pid: process.pid }, inLockedFolder);
}

/**
 * Checks the ledger file, of a large one that is untouched the tables only. `older`: an older version made its tables.
 * `sound` too if it does not exist yet. Throws LedgerRefused.
 */
async function checkFile(
  { ledger }: Config,
  { checking }: Opening,
  isUntouched: boolean,
): Promise<'sound' | 'untouched' | 'older'> {
  if (ledger === ':memory:') return 'sound';
  const path = await realpath(ledger).catch(() => ledger);
  const size = await stat(path).then(
    (found) => (found.isFile() ? found.size : null),
    () => null,
  );
  if (size === null) return 'sound';
  if (size === 0) {
    // SQLite takes an empty file for a new ledger, which is wrong if there was a bank before.
    if (existsSync(`${path}.snapshots`))
      throw new LedgerRefused('damaged', 'it is empty, and snapshots of it are there');
    return 'sound';
  }
  const isLarge = size > quicklyChecked;
  if (isLarge && isUntouched && (await checkLedger(path, 'tables'))) return 'untouched';
  if (isLarge) checking?.();
  return (await checkLedger(path, isLarge ? 'in a process' : 'here')) ? 'sound' : 'older';
}

/**
 * Lets a copy begin at an instant after that of its original: its runs until then are carried out. Throws a Mistake for
 * an earlier one.
 */
async function goOn(bank: Bank, from: Instant, to: Instant | null): Promise<void> {
  if (to === null || to === from) return;
  if (to < from) throw new Mistake(`the copy begins at ${formatInstant(from)}, and its clock goes forward only`);
  requireWithinOneCall(from, to);
  await advanceClock(bank, to);
  await beginHere(bank);
}

async function optionsOf(
  config: Config,
  { wall, stopping, calendar, copied, knownState, prices, since = wall.now() }: Opening,
): Promise<Parameters<typeof openBank>[0]> {
  const { cutOffs, earlyClose, fxFixings } = config;
  const basketLifetime = parseDuration(config.basketLifetime);
  assert(basketLifetime !== null, 'the settings let durations through only');
  return {
    ledger: config.ledger,
    ...(copied !== undefined && { copied }),
    wall,
    ids: config.idSeed === null ? randomIds : { seed: config.idSeed },
    calendar: calendar ?? norwegianCalendar(),
    knownState: knownState ?? (await loadKnownState(config.fixtures)),
    fixtures: config.fixtures,
    prices: prices ?? (await loadPriceList()),
    start: { mode: config.clockMode, now: config.clockNow ?? since, since },
    settlementTimes: config.settlementTimes,
    cutOffRules: { cutOffs, earlyClose, fxFixings },
    preparedLedger: preparedLedger(),
    keptPasts,
    quirks: config.quirks,
    profile: config.profile?.id ?? null,
    basketLifetime,
    durability: config.durability,
    followClock: config.followClock,
    ...(stopping !== undefined && { stopping }),
  };
}

/** Unpacked for a bank, and kept for the next one until memory is needed. */
let unpacked: WeakRef<Buffer> | undefined;

/** The seeded ledger that a build has made. */
export function preparedLedger(): PreparedLedger | null {
  if (prepared === null) return null;
  const { fingerprint, image } = prepared.ledger;
  const unpack = (): Buffer => {
    const bytes = unpacked?.deref() ?? zstdDecompressSync(Buffer.from(image, 'base64'));
    unpacked = new WeakRef(bytes);
    return bytes;
  };
  return { fingerprint, image: unpack };
}
