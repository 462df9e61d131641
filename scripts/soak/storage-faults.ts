import { join } from 'node:path';
import { type Bank, LedgerUnavailable, openBank } from '../../engine/bank.ts';
import { systemClock } from '../../engine/time/clock.ts';
import { localDate } from '../../engine/values/local-date.ts';
import { type Disk, systemDisk } from '../../engine/ledger/durable-file.ts';
import { proveLedger } from '../../engine/proof/prove-ledger.ts';
import { resetBank, restoreSnapshot } from '../../engine/reset-bank.ts';
import { saveSnapshot } from '../../engine/bank/snapshots.ts';
import { at, calendar, knownState } from '../../lab/bank.ts';
import { pay } from '../../lab/payments.ts';
import { randomIds } from '../../engine/bank/ids.ts';
import { type Soak, Violation } from './campaign.ts';
import { readdir } from 'node:fs/promises';

const now = at('2027-03-24T12:00:00+01:00');
const codes = ['EIO', 'ENOSPC', 'EDQUOT', 'EMFILE'] as const;
const names = ['one', 'two'] as const;
const actions = ['save', 'restore', 'reset', 'remove'] as const;
type Action = (typeof actions)[number];

/**
 * Fails every operation on the files around a ledger, one at a time, during save, restore, reset and remove. Checks payments
 * and snapshots after each fault.
 */
export async function storageFaults(soak: Soak, count: number, folder: string, machine: Disk): Promise<void> {
  const { random } = soak;
  const ledger = join(folder, 'storage.sqlite');
  const disk = failingDisk(machine);
  const start = { mode: 'frozen', now } as const;
  const bank = await openBank({ ledger, disk, wall: systemClock, ids: randomIds, calendar, knownState, start });
  /** The payments that must exist, now and in each snapshot. */
  let held = new Set<string>();
  const saved = new Map<string, Set<string>>();
  const carryOut = async (action: Action, name: string): Promise<void> => {
    if (action === 'save') await saveSnapshot(bank, name);
    else if (action === 'restore') await restoreSnapshot(bank, name);
    else if (action === 'reset') await resetBank(bank);
    else await bank.ledger.removeSnapshot(name);
  };
  const follow = (action: Action, name: string): void => {
    if (action === 'save') saved.set(name, new Set(held));
    else if (action === 'restore') held = new Set(saved.get(name));
    else if (action === 'reset') held = new Set();
    else saved.delete(name);
  };
  try {
    for (let fault = 0; fault < count; fault += 1) {
      held.add(await payOnce(bank, fault));
      const name = random.pick(names);
      const possible = actions.filter((action) => action === 'save' || action === 'reset' || saved.has(name));
      const action = possible[random.below(possible.length)] ?? 'save';
      const code = random.pick(codes);
      const before = { action, name, code, fault };
      disk.arm(1 + random.below(12), code);
      const outcome = await outcomeOf(() => carryOut(action, name));
      // The copy that is made in the background belongs to it.
      await bank.ledger.suspend();
      const failed = disk.disarm();
      soak.tally(`storage: ${failed === null ? 'nothing failed' : `${failed.split(' ')[0]} in ${action}`}: ${outcome}`);
      await requireClean(ledger, before);
      // Perhaps it was carried out: the same call again settles it.
      if (outcome === 'told') await retry(() => carryOut(action, name), before);
      follow(action, name);
      await requireAsHeld(bank, held, before);
      await bank.ledger.suspend();
      await requireClean(ledger, before);
      soak.step();
    }
  } finally {
    await bank.close();
  }
}

async function payOnce(bank: Bank, index: number): Promise<string> {
  const amount = `${1 + (index % 900)}.${String(index % 100).padStart(2, '0')}`;
  const { payment } = await pay(bank, { from: 'nora', to: 'even', amount }, localDate('2027-03-30'));
  return payment.resource_id;
}

async function outcomeOf(work: () => Promise<void>): Promise<'done' | 'told'> {
  try {
    await work();
    return 'done';
  } catch (error) {
    if (error instanceof LedgerUnavailable) return 'told';
    throw new Violation(`a fault of the disk was answered with ${String(error)}`);
  }
}

async function retry(work: () => Promise<void>, before: object): Promise<void> {
  if ((await outcomeOf(work)) === 'told') {
    throw new Violation(`the second try failed too, though the disk was whole again: ${JSON.stringify(before)}`);
  }
}

async function requireAsHeld(bank: Bank, held: ReadonlySet<string>, before: object): Promise<void> {
  const there = await bank.ledger.read((reader) => reader.selectFrom('payment').select('resource_id').execute());
  const missing = [...held].filter((id) => !there.some((payment) => payment.resource_id === id));
  if (missing.length > 0 || there.length !== held.size) {
    const counts = `${held.size} payments were acknowledged, ${there.length} are there`;
    throw new Violation(`${counts}: ${JSON.stringify(before)}`);
  }
  if (!(await proveLedger(bank)).ok) throw new Violation(`the books do not balance: ${JSON.stringify(before)}`);
}

async function requireClean(ledger: string, before: object): Promise<void> {
  const left = await leftBehind(ledger);
  if (left.length > 0) throw new Violation(`left behind: ${left.join(', ')}: ${JSON.stringify(before)}`);
}

/** A disk on which one operation fails, once. */
interface FailingDisk extends Disk {
  /** The operation of this number from now, 1 for the next, fails with this error code. */
  arm(nth: number, code: string): void;
  /** Ends the fault and returns the operation that failed; null if none did. */
  disarm(): string | null;
  /** Operations since the last arm or disarm. */
  count(): number;
}

/** Wraps the disk of this machine, or another one. */
function failingDisk(disk: Disk = systemDisk): FailingDisk {
  let seen = 0;
  let armed: { readonly nth: number; readonly code: string } | null = null;
  let failed: string | null = null;
  const maybe = async (operation: keyof Disk, work: () => Promise<void>): Promise<void> => {
    seen += 1;
    if (armed?.nth !== seen) return work();
    failed = `${operation} ${armed.code}`;
    throw Object.assign(new Error(`${armed.code}: ${operation} failed by the campaign`), { code: armed.code });
  };
  return {
    copyFile: (from, to) => maybe('copyFile', () => disk.copyFile(from, to)),
    rename: (from, to) => maybe('rename', () => disk.rename(from, to)),
    remove: (path) => maybe('remove', () => disk.remove(path)),
    sync: (path, flags) => maybe('sync', () => disk.sync(path, flags)),
    chmod: (path, mode) => maybe('chmod', () => disk.chmod(path, mode)),
    makeFolder: (path) => maybe('makeFolder', () => disk.makeFolder(path)),
    arm: (nth, code) => {
      [seen, failed, armed] = [0, null, { nth, code }];
    },
    disarm: () => {
      armed = null;
      seen = 0;
      return failed;
    },
    count: () => seen,
  };
}

/** Files that a failed save or restore left beside a ledger: incomplete copies, and databases under temporary names. */
export async function leftBehind(ledger: string): Promise<string[]> {
  const names = await readdir(`${ledger}.snapshots`).catch(() => []);
  return names.filter((name) => !/@-?\d+\.sqlite(\.copy)?$/.test(name));
}
