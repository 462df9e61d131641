import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Bank, LedgerUnavailable, openBank } from '../../engine/bank.ts';
import { randomIds } from '../../engine/bank/ids.ts';
import { saveSnapshot } from '../../engine/bank/snapshots.ts';
import type { Disk } from '../../engine/ledger/durable-file.ts';
import { resetBank, restoreSnapshot } from '../../engine/reset-bank.ts';
import { systemClock } from '../../engine/time/clock.ts';
import { localDate } from '../../engine/values/local-date.ts';
import { at, calendar, knownState } from '../lab/bank.ts';
import { pay } from '../lab/payments.ts';
import { brokenProofs } from '../lab/proof.ts';
import { demand, type Soak, Violation } from './campaign.ts';

const codes = ['EIO', 'ENOSPC', 'EDQUOT', 'EMFILE'] as const;

/** The payments that the bank must have, by their ids: now, and in each snapshot. */
export class Held {
  payments: ReadonlySet<string> = new Set();
  readonly saved = new Map<string, ReadonlySet<string>>();

  add(id: string): void {
    this.payments = new Set([...this.payments, id]);
  }

  /** Follows an action that succeeded. */
  follow(action: 'save' | 'restore' | 'reset' | 'remove', name: string): void {
    if (action === 'save') this.saved.set(name, this.payments);
    else if (action === 'restore') this.payments = this.saved.get(name) ?? new Set();
    else if (action === 'reset') this.payments = new Set();
    else this.saved.delete(name);
  }

  /** Requires that the bank has these payments, no other, and books that balance. */
  async require(bank: Bank, about: string): Promise<void> {
    const there = await bank.ledger.read((reader) => reader.selectFrom('payment').select('resource_id').execute());
    const isSame = there.length === this.payments.size && there.every((each) => this.payments.has(each.resource_id));
    demand(isSame, `${this.payments.size} payments were acknowledged, ${there.length} are there: ${about}`);
    const broken = Object.keys(await brokenProofs(bank));
    demand(broken.length === 0, `the books do not balance: ${broken.join(', ')}: ${about}`);
  }
}

/** A bank on a ledger file, on the real clock of the machine. */
export function openFile(ledger: string, more: { readonly disk?: Disk } = {}): Promise<Bank> {
  const start = { mode: 'frozen', now: at('2027-03-24T12:00:00+01:00') } as const;
  return openBank({ ledger, wall: systemClock, ids: randomIds, calendar, knownState, start, ...more });
}

/**
 * Fails every operation on the files around a ledger, one at a time, during save, restore, reset and remove. Checks payments
 * and snapshots after each fault.
 */
export async function storageFaults(soak: Soak, count: number, folder: string, machine: Disk): Promise<void> {
  const { random, tally, step, after } = soak;
  const ledger = join(folder, 'storage.sqlite');
  const disk = failingDisk(machine);
  const bank = await openFile(ledger, { disk });
  after(() => bank.close());
  const held = new Held();
  const actions = {
    save: (name: string) => saveSnapshot(bank, name),
    reset: () => resetBank(bank),
    restore: (name: string) => restoreSnapshot(bank, name),
    remove: (name: string) => bank.ledger.removeSnapshot(name),
  } as const;
  for (let fault = 0; fault < count; fault += 1) {
    const amount = `${1 + (fault % 900)}.${String(fault % 100).padStart(2, '0')}`;
    const { payment } = await pay(bank, { from: 'nora', to: 'even', amount }, localDate('2027-03-30'));
    held.add(payment.resource_id);
    const name = random.pick(['one', 'two']);
    const action = random.pick([
      ...(['save', 'reset'] as const),
      ...(held.saved.has(name) ? (['restore', 'remove'] as const) : []),
    ]);
    const code = random.pick(codes);
    const about = JSON.stringify({ action, name, code, fault });
    const carryOut = () => outcomeOf(actions[action](name));
    disk.arm(1 + random.below(12), code);
    const outcome = await carryOut();
    // The copy that is made in the background belongs to it.
    await bank.ledger.suspend();
    const failed = disk.disarm();
    tally(`storage: ${failed === null ? 'nothing failed' : `${failed} in ${action}`}: ${outcome}`);
    await requireClean(ledger, about);
    // Perhaps it was carried out: the same call again settles it.
    const second = outcome === 'told' ? await carryOut() : outcome;
    demand(second === 'done', `the second try failed too, though the disk was whole again: ${about}`);
    held.follow(action, name);
    await held.require(bank, about);
    await bank.ledger.suspend();
    await requireClean(ledger, about);
    step();
  }
}

async function outcomeOf(work: Promise<unknown>): Promise<'done' | 'told'> {
  try {
    await work;
    return 'done';
  } catch (error) {
    if (error instanceof LedgerUnavailable) return 'told';
    throw new Violation(`a fault of the disk was answered with ${String(error)}`);
  }
}

async function requireClean(ledger: string, about: string): Promise<void> {
  const left = await leftBehind(ledger);
  demand(left.length === 0, `left behind: ${left.join(', ')}: ${about}`);
}

/** A disk on which one operation fails, once. */
interface FailingDisk extends Disk {
  /** The operation of this number from now, 1 for the next, fails with this error code. */
  arm(nth: number, code: string): void;
  /** Ends the fault and returns the operation that failed; null if none did. */
  disarm(): string | null;
}

/** Wraps the disk of this machine, or another one. */
function failingDisk(disk: Disk): FailingDisk {
  let armed = { nth: 0, code: '' };
  let failed: string | null = null;
  const failing = <Arguments extends readonly unknown[]>(
    name: string,
    work: (...given: Arguments) => Promise<void>,
  ) => {
    return async (...given: Arguments): Promise<void> => {
      armed.nth -= 1;
      if (armed.nth !== 0) return work(...given);
      failed = name;
      throw Object.assign(new Error(`${armed.code}: ${name} failed by the campaign`), { code: armed.code });
    };
  };
  return {
    copyFile: failing('copyFile', disk.copyFile),
    rename: failing('rename', disk.rename),
    remove: failing('remove', disk.remove),
    sync: failing('sync', disk.sync),
    chmod: failing('chmod', disk.chmod),
    makeFolder: failing('makeFolder', disk.makeFolder),
    arm: (nth, code) => {
      armed = { nth, code };
      failed = null;
    },
    disarm: () => {
      armed = { nth: 0, code: '' };
      return failed;
    },
  };
}

/** Files that a failed save or restore left beside a ledger: incomplete copies, and databases under temporary names. */
export async function leftBehind(ledger: string): Promise<string[]> {
  const names = await readdir(`${ledger}.snapshots`).catch(() => []);
  return names.filter((name) => !/@-?\d+\.sqlite(\.copy)?$/.test(name));
}
