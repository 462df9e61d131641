import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type Bank, LedgerUnavailable, openBank } from '../../engine/bank.ts';
import { randomIds } from '../../engine/bank/ids.ts';
import { saveSnapshot } from '../../engine/bank/snapshots.ts';
import { type Disk, systemDisk } from '../../engine/ledger/ledger-files.ts';
import { resetBank, restoreSnapshot } from '../../engine/reset-and-restore.ts';
import { systemClock } from '../../engine/time/clock.ts';
import { localDate } from '../../engine/values/local-date.ts';
import { at, calendar, knownState } from '../lab/bank.ts';
import { singlePath, singlePayment } from '../lab/bodies.ts';
import { pay } from '../lab/payments.ts';
import { accounts } from '../lab/products.ts';
import { BankClient, type Reply } from '../lab/server.ts';
import { attachStrace, type Injection } from '../lab/strace.ts';
import { type Campaign, demand, demandBooks, type Soak, Violation } from './campaign.ts';
import { demandProof, initiate, told } from './kill-promises.ts';
import { KilledServer } from './killed-server.ts';

/**
 * Half of the faults hit the files around a ledger in this process, half the system calls of a server, if strace is there.
 * A test changes the disk of the first half: it leaves files behind.
 */
export const faults: Campaign<Disk> = {
  unit: 'faults',
  usualCount: 200,
  run: async (soak, disk = systemDisk) => {
    const folder = soak.folder();
    const ofServer = Math.floor(soak.count / 2);
    await storageFaults(soak, soak.count - ofServer, folder, disk);
    if (!(await serverFaults(soak, ofServer, folder))) soak.tally('server: left out, there is no strace', ofServer);
  },
};

/** The clocks of all banks stand still here. */
const now = '2027-03-24T12:00:00+01:00';
const codes = ['EIO', 'ENOSPC', 'EDQUOT', 'EMFILE'] as const;

/** The payments that the bank must have, by their ids: now, and in each snapshot. */
class Held {
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
    await demandBooks(bank, `, ${about}`);
  }
}

/** A bank on a ledger file, on the real clock of the machine. */
function openFile(ledger: string, disk = systemDisk): Promise<Bank> {
  const start = { mode: 'frozen', now: at(now) } as const;
  return openBank({ ledger, wall: systemClock, ids: randomIds, calendar, knownState, start, disk });
}

/**
 * Fails every operation on the files around a ledger, one at a time, during save, restore, reset and remove. Checks payments
 * and snapshots after each fault.
 */
async function storageFaults(soak: Soak, count: number, folder: string, machine: Disk): Promise<void> {
  const { random, tally, step, after } = soak;
  const ledger = join(folder, 'storage.sqlite');
  const disk = failingDisk(machine);
  const bank = await openFile(ledger, disk);
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
  const failing =
    (name: string, work: (...given: never[]) => Promise<void>) =>
    async (...given: never[]) => {
      armed.nth -= 1;
      if (armed.nth !== 0) return work(...given);
      failed = name;
      throw Object.assign(new Error(`${armed.code}: ${name} failed by the campaign`), { code: armed.code });
    };
  const operations = Object.entries(disk).map(([name, work]) => [name, failing(name, work)]);
  return {
    ...(Object.fromEntries(operations) as Disk),
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
async function leftBehind(ledger: string): Promise<string[]> {
  const names = await readdir(`${ledger}.snapshots`).catch(() => []);
  return names.filter((name) => !/@-?\d+\.sqlite(\.copy)?$/.test(name));
}

const injections: readonly Omit<Injection, 'nth'>[] = [
  { calls: 'fdatasync,fsync', error: 'EIO' },
  { calls: 'pwrite64', error: 'ENOSPC' },
  { calls: 'pwrite64', error: 'EIO' },
  { calls: 'rename,renameat,renameat2', error: 'EIO' },
];

/** Faults before the server is killed and restarted. */
const faultsPerLife = 10;

const kinds = ['pay', 'pay', 'pay', 'settle', 'save', 'restore', 'reset'] as const;
type Kind = (typeof kinds)[number];

/** Name of the one snapshot. */
const kept = 'kept';

/** A bank of the server whose disk fails: its file, what is in it, and where it is reached. */
interface Home {
  readonly ledger: string;
  readonly held: Held;
  readonly flags: readonly string[];
  /** Base of a named bank; empty: the bank of the server itself. */
  readonly base: string;
}

/**
 * Fails system calls of a server process, one at a time, while it answers: in its own bank, or in a named bank in a file. Returns false
 * without strace. After each fault the answer is a success or the declared 503, the repeated call is a success, and acknowledged changes are
 * there; after every restart there is nothing else.
 */
async function serverFaults(soak: Soak, count: number, folder: string): Promise<boolean> {
  const [served, banks] = [join(folder, 'served.sqlite'), join(folder, 'banks')];
  const homes: readonly Home[] = [
    { ledger: served, held: new Held(), flags: [], base: '' },
    { ledger: join(banks, 'one.sqlite'), held: new Held(), flags: ['--banks', banks], base: '/banks/one' },
  ];
  for (let done = 0; done < count;) {
    const home = soak.random.pick(homes);
    const server = await KilledServer.start(soak, served, home.flags);
    if (home.base !== '') await server.control('PUT', '/sandbox/banks/one', { mode: 'frozen', now });
    for (const until = Math.min(count, done + faultsPerLife); done < until; done += 1) {
      if (!(await oneFault(soak, server, home, done))) return false;
      soak.step();
    }
    await server.kill();
    const bank = await openFile(home.ledger);
    try {
      await home.held.require(bank, 'after kill -9');
    } finally {
      await bank.close();
    }
    soak.tally(`server${home.base}: kill -9, and every acknowledged payment is there, no other`);
  }
  return true;
}

async function oneFault(soak: Soak, server: KilledServer, home: Home, index: number): Promise<boolean> {
  const { held, base } = home;
  const client = new BankClient(server.address + base);
  const { random } = soak;
  const kind = held.saved.size === 0 ? 'save' : random.pick(kinds);
  const injection = { ...random.pick(injections), nth: 1 + random.below(4) };
  let about = JSON.stringify({ index, kind, ...injection });
  const call = await prepare(client, kind, index, held);
  const asked = (): Promise<Reply> =>
    call().catch((error: unknown) => {
      throw new Violation(`no answer (${String(error)}): ${about}`);
    });
  const strace = await attachStrace(server.child.pid ?? 0, injection);
  if (strace === null) return false;
  const first = await asked();
  const failed = await strace.detach();
  about += `, ${failed} calls failed`;
  demand(server.child.exitCode === null, `the server ended: ${about}`);
  const what = failed === 0 ? 'nothing failed' : `${injection.calls.split(',')[0]} ${injection.error} in ${kind}`;
  soak.tally(`server${base}: ${what}: ${first.status}`);
  const code: unknown = first.body?.code ?? first.body?.tppMessages?.[0]?.code;
  const isTold = first.status < 400 || (first.status === 503 && code === 'SYSTEM_ERROR');
  demand(isTold, () => `a fault of the disk was answered with ${told(first)}: ${about}`);
  // The disk is whole again: the same call settles what a 503 left open.
  const second = first.status === 503 ? await asked() : first;
  demand(second.status < 400, () => `the second try was ${told(second)}: ${about}`);
  if (kind === 'pay') {
    held.add(String(second.body.paymentId));
    demand((await asked()).body.paymentId === second.body.paymentId, `paid twice: ${about}`);
  } else if (kind !== 'settle') held.follow(kind, kept);
  await demandProof(client);
  await requireWell(server, home.ledger, about);
  return true;
}

/** A call that can be repeated, byte for byte where that matters. */
async function prepare(client: BankClient, kind: Kind, index: number, held: Held): Promise<() => Promise<Reply>> {
  if (kind === 'save') return () => client.control('POST', '/sandbox/snapshots', { name: kept });
  if (kind === 'restore') return () => client.control('POST', `/sandbox/snapshots/${kept}/restore`);
  if (kind === 'reset') return () => client.control('POST', '/sandbox/reset');
  const requestId = `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
  const path = `${singlePath}?allowLogicalDuplicate=true`;
  const pay = () => initiate(client, { path, body: singlePayment({ creditorAccount: accounts.evenNok }), requestId });
  if (kind === 'pay') return pay;
  const made = (await pay()).body;
  held.add(String(made.paymentId));
  await client.approve(String(made._links.scaRedirect.href));
  return () => client.control('POST', '/sandbox/clock/advance', { runs: 1 });
}

/** Requires that within 5 s the server is ready again and no incomplete file is left. */
async function requireWell(server: KilledServer, ledger: string, about: string): Promise<void> {
  let last = '';
  for (let look = 0; look < 100; look += 1) {
    const ready = await server.raw('GET', '/ready');
    // A copy for the next restore is made in the background, under a name of its own.
    const left = (await leftBehind(ledger)).filter((name) => !name.endsWith('.copy.partial') || look > 50);
    if (ready.status === 200 && left.length === 0) return;
    last = `/ready is ${told(ready)}, left behind: ${left.join(', ')}`;
    await setTimeout(50);
  }
  throw new Violation(`${last}: ${about}`);
}
