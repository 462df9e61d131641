import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { LedgerUnavailable } from '../../engine/open-bank.ts';
import { saveSnapshot } from '../../engine/bank/snapshots.ts';
import { type Disk, systemDisk } from '../../engine/ledger/ledger-files.ts';
import { resetBank, restoreSnapshot } from '../../engine/reset-and-restore.ts';
import { systemClock } from '../../engine/time/clock.ts';
import { Refusal } from '../../engine/values/fault.ts';
import { localDate } from '../../engine/values/local-date.ts';
import { memoryBank } from '../lab/bank.ts';
import { pay } from '../lab/payments.ts';
import { BankClient, type Reply } from '../lab/server.ts';
import { attachStrace, canTrace, type Injection } from '../lab/strace.ts';
import { type Campaign, demand, demandBooks, type Search, Violation } from './campaign.ts';
import { holdBooks } from './kill.ts';
import { makeMove } from './kill-moves.ts';
import { answered, expectStatus, KilledServer, now, Promises, told, waysBack } from './killed-server.ts';

/**
 * Half of the faults hit the files around a ledger in this process, half the system calls of a server, if strace is there.
 * A test changes the disk of the first half: it leaves files behind.
 */
export const faults: Campaign<Disk> = async (search, disk = systemDisk) => {
  const folder = search.folder();
  await storageFaults(search, folder, disk);
  if (await canTrace()) await serverFaults(search, folder);
  else search.tally('server: left out, there is no strace', search.left());
};

const codes = ['EIO', 'ENOSPC', 'EDQUOT', 'EMFILE'] as const;

/**
 * Fails every operation on the files around a ledger, one at a time, during save, restore, reset and remove. Checks payments
 * and snapshots after each fault.
 */
async function storageFaults(search: Search, folder: string, machine: Disk): Promise<void> {
  const { random, tally, step, after } = search;
  const ledger = join(folder, 'storage.sqlite');
  const fault: Fault = { nth: 0, code: '', failed: null };
  const disk = failingDisk(machine, fault);
  const bank = await memoryBank(now, { ledger, wall: systemClock, disk, preparedLedger: null });
  after(() => bank.close());
  /** The payments that the bank must have, by their ids: now, and in each snapshot. */
  let payments: readonly string[] = [];
  const saved = new Map<string, readonly string[]>();
  /** What is carried out, and what it leaves. */
  const actions = {
    save: [(name: string) => saveSnapshot(bank, name), (name: string) => saved.set(name, payments)],
    reset: [() => resetBank(bank), () => (payments = [])],
    restore: [(name: string) => restoreSnapshot(bank, name), (name: string) => (payments = saved.get(name) ?? [])],
    remove: [(name: string) => bank.ledger.removeSnapshot(name), (name: string) => saved.delete(name)],
  } as const;
  while (search.done < search.count / 2) {
    const amount = (1 + search.done / 100).toFixed(2);
    const { payment } = await pay(bank, { from: 'nora', to: 'even', amount }, localDate('2027-03-30'));
    payments = [...payments, payment.resource_id];
    const name = random.pick(['one', 'two']);
    const possible = saved.has(name) ? (['save', 'reset', 'restore', 'remove'] as const) : (['save', 'reset'] as const);
    const action = random.pick(possible);
    Object.assign(fault, { nth: 1 + random.below(12), code: random.pick(codes), failed: null });
    const about = JSON.stringify({ action, name, ...fault });
    const [work, leave] = actions[action];
    const outcome = await outcomeOf(work(name));
    // The copy that is made in the background belongs to it.
    await bank.ledger.removeSnapshot('none');
    fault.nth = 0;
    const { failed } = fault;
    tally(`storage: ${failed === null ? 'nothing failed' : `${failed} in ${action}`}: ${outcome}`);
    await requireClean(ledger, about);
    // Perhaps it was carried out: the same call again settles it.
    const second = outcome === 'told' ? await outcomeOf(work(name)) : outcome;
    demand(second === 'done', `the second try failed too, though the disk was whole again: ${about}`);
    leave(name);
    const rows = await bank.ledger.read((reader) => reader.selectFrom('payment').select('resource_id').execute());
    const there = rows.map((row) => row.resource_id);
    const isSame = String(there.toSorted()) === String(payments.toSorted());
    demand(isSame, `${payments.length} payments were acknowledged, ${there.length} are there: ${about}`);
    await demandBooks(bank, `, ${about}`);
    await bank.ledger.removeSnapshot('none');
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
    // A copy that found no room (control-plane.md K1).
    if (error instanceof Refusal && error.faults[0].place === 'unavailable') return 'told';
    throw new Violation(`a fault of the disk was answered with ${String(error)}`);
  }
}

async function requireClean(ledger: string, about: string): Promise<void> {
  const left = await leftBehind(ledger);
  demand(left.length === 0, `left behind: ${left.join(', ')}: ${about}`);
}

/** The operation of this number from now, 1 for the next, fails with this error code, once. */
interface Fault {
  nth: number;
  code: string;
  /** The operation that failed; null if none did. */
  failed: string | null;
}

/** The disk of this machine, or another one, with the fault. */
function failingDisk(disk: Disk, fault: Fault): Disk {
  const failing =
    (name: string, work: (...given: never[]) => Promise<void>) =>
    async (...given: never[]) => {
      fault.nth -= 1;
      if (fault.nth !== 0) return work(...given);
      fault.failed = name;
      throw Object.assign(new Error(`${fault.code}: ${name} failed by the campaign`), { code: fault.code });
    };
  const operations = Object.entries(disk).map(([name, work]) => [name, failing(name, work)]);
  return Object.fromEntries(operations) as Disk;
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

/** A bank of the server whose disk fails: its file, what its answers have promised, and where it is reached. */
interface Home {
  readonly ledger: string;
  readonly promises: Promises;
  /** Base of a named bank; empty: the bank of the server itself. */
  readonly base: string;
}

/** For a client the declared 503 is no answer: whether the call was carried out is open. */
class StruckClient extends BankClient {
  override async raw(...sent: Parameters<BankClient['raw']>): Promise<Reply> {
    const reply = await super.raw(...sent);
    const code: unknown = reply.body?.code ?? reply.body?.tppMessages?.[0]?.code;
    if (reply.status === 503 && code === 'SYSTEM_ERROR') throw new Error(told(reply));
    return reply;
  }
}

/**
 * Fails system calls of a server process, one at a time, while it answers: in its own bank, or in a named bank in a file. Each answer is a
 * success, a refusal or the declared 503; what was acknowledged is there then, and after every restart, and nothing else.
 */
async function serverFaults(search: Search, folder: string): Promise<void> {
  const [served, banks] = [join(folder, 'served.sqlite'), join(folder, 'banks')];
  const homes: readonly Home[] = [
    { ledger: served, promises: new Promises(), base: '' },
    { ledger: join(banks, 'one.sqlite'), promises: new Promises(), base: '/banks/one' },
  ];
  while (search.left() > 0) {
    const home = search.random.pick(homes);
    const server = await KilledServer.start(search, served, ['--banks', banks]);
    const client = new StruckClient(server.address + home.base);
    if (home.base !== '') await server.control('PUT', '/sandbox/banks/one', { mode: 'frozen', now });
    await home.promises.begin(client);
    await home.promises.hold(client);
    for (let faults = Math.min(faultsPerLife, search.left()); faults > 0; faults -= 1) {
      await oneFault(search, server, client, home);
      search.step();
    }
    await server.kill();
    await holdBooks(home.ledger);
    search.tally(`server${home.base}: kill -9, and its books are whole`);
  }
}

async function oneFault(search: Search, server: KilledServer, client: BankClient, home: Home): Promise<void> {
  const { random, tally } = search;
  const { promises, base } = home;
  const injection = { ...random.pick(injections), nth: 1 + random.below(4) };
  const [name, goBack] = random.below(4) === 0 ? random.pick(Object.entries(waysBack)) : ['', null];
  const strace = await attachStrace(server.child.pid ?? 0, injection);
  demand(strace !== null, 'the server ended before the fault');
  const answer = await (goBack ? answered(goBack(client)) : makeMove({ random, tally, server: client, promises }));
  const failed = await strace.detach();
  tally(`server${base}: ${failed === 0 ? 'nothing' : `${injection.calls} ${injection.error}`} failed`);
  try {
    demand(server.child.exitCode === null, 'the server ended');
    if (goBack) {
      tally(`server${base}: ${name}`);
      // The disk is whole again: the same call settles what a 503 left open.
      expectStatus((answer ?? (await goBack(client))) as Reply, 200, name);
      promises.forget();
    }
    await promises.hold(client);
    await requireWell(server, home.ledger);
  } catch (error) {
    if (!(error instanceof Violation)) throw error;
    throw new Violation(`${error.message}; after ${JSON.stringify({ ...injection, failed })}`);
  }
}

/** Requires that within 5 s the server is ready again and no incomplete file is left. */
async function requireWell(server: KilledServer, ledger: string): Promise<void> {
  let last = '';
  for (let look = 0; look < 100; look += 1) {
    const ready = await server.raw('GET', '/ready');
    // A copy for the next restore is made in the background, under a name of its own.
    const left = (await leftBehind(ledger)).filter((name) => !name.endsWith('.copy.partial') || look > 50);
    if (ready.status === 200 && left.length === 0) return;
    last = `/ready is ${told(ready)}, left behind: ${left.join(', ')}`;
    await setTimeout(50);
  }
  throw new Violation(last);
}
