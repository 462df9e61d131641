import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { LedgerUnavailable } from '../../engine/bank.ts';
import { saveSnapshot } from '../../engine/bank/snapshots.ts';
import { type Disk, systemDisk } from '../../engine/ledger/ledger-files.ts';
import { resetBank, restoreSnapshot } from '../../engine/reset-and-restore.ts';
import { systemClock } from '../../engine/time/clock.ts';
import { type LocalDate, localDate } from '../../engine/values/local-date.ts';
import { memoryBank } from '../lab/bank.ts';
import { pay } from '../lab/payments.ts';
import { BankClient, type Reply } from '../lab/server.ts';
import { attachStrace, type Injection } from '../lab/strace.ts';
import { type Campaign, demand, demandBooks, type Search, Violation } from './campaign.ts';
import { holdBooks } from './kill.ts';
import { drawMove, type MoveContext } from './kill-moves.ts';
import { answered, ask, demandProof, KilledServer, Promises, told } from './killed-server.ts';

/**
 * Half of the faults hit the files around a ledger in this process, half the system calls of a server, if strace is there.
 * A test changes the disk of the first half: it leaves files behind.
 */
export const faults: Campaign<Disk> = async (search, disk = systemDisk) => {
  const folder = search.folder();
  const ofServer = Math.floor(search.count / 2);
  await storageFaults(search, search.count - ofServer, folder, disk);
  if (!(await serverFaults(search, ofServer, folder))) search.tally('server: left out, there is no strace', ofServer);
};

/** The clocks of all banks stand still here. */
const now = '2027-03-24T12:00:00+01:00';
const codes = ['EIO', 'ENOSPC', 'EDQUOT', 'EMFILE'] as const;

/**
 * Fails every operation on the files around a ledger, one at a time, during save, restore, reset and remove. Checks payments
 * and snapshots after each fault.
 */
async function storageFaults(search: Search, count: number, folder: string, machine: Disk): Promise<void> {
  const { random, tally, step, after } = search;
  const ledger = join(folder, 'storage.sqlite');
  const disk = failingDisk(machine);
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
  for (let fault = 0; fault < count; fault += 1) {
    const amount = `${1 + (fault % 900)}.${String(fault % 100).padStart(2, '0')}`;
    const { payment } = await pay(bank, { from: 'nora', to: 'even', amount }, localDate('2027-03-30'));
    payments = [...payments, payment.resource_id];
    const name = random.pick(['one', 'two']);
    const action = random.pick([
      ...(['save', 'reset'] as const),
      ...(saved.has(name) ? (['restore', 'remove'] as const) : []),
    ]);
    const code = random.pick(codes);
    const about = JSON.stringify({ action, name, code, fault });
    const [work, leave] = actions[action];
    disk.arm(1 + random.below(12), code);
    const outcome = await outcomeOf(work(name));
    // The copy that is made in the background belongs to it.
    await bank.ledger.removeSnapshot('none');
    const failed = disk.disarm();
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
    throw new Violation(`a fault of the disk was answered with ${String(error)}`);
  }
}

async function requireClean(ledger: string, about: string): Promise<void> {
  const left = await leftBehind(ledger);
  demand(left.length === 0, `left behind: ${left.join(', ')}: ${about}`);
}

/** The disk of this machine, or another one, on which one operation fails, once. */
function failingDisk(disk: Disk) {
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
    /** The operation of this number from now, 1 for the next, fails with this error code. */
    arm: (nth: number, code: string): void => {
      armed = { nth, code };
      failed = null;
    },
    /** Ends the fault and returns the operation that failed; null if none did. */
    disarm: (): string | null => {
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

/** A bank of the server whose disk fails: its file, what its answers have promised, and where it is reached. */
interface Home {
  readonly ledger: string;
  readonly promises: Promises;
  readonly flags: readonly string[];
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
 * Fails system calls of a server process, one at a time, while it answers: in its own bank, or in a named bank in a file. Returns false
 * without strace. Each answer is a success, a refusal or the declared 503; what was acknowledged is there then, and after every restart, and
 * nothing else.
 */
async function serverFaults(search: Search, count: number, folder: string): Promise<boolean> {
  const [served, banks] = [join(folder, 'served.sqlite'), join(folder, 'banks')];
  const homes: readonly Home[] = [
    { ledger: served, promises: new Promises(), flags: [], base: '' },
    { ledger: join(banks, 'one.sqlite'), promises: new Promises(), flags: ['--banks', banks], base: '/banks/one' },
  ];
  let number = 0;
  for (let done = 0; done < count;) {
    const home = search.random.pick(homes);
    const server = await KilledServer.start(search, served, home.flags);
    const client = new StruckClient(server.address + home.base);
    if (home.base !== '') await server.control('PUT', '/sandbox/banks/one', { mode: 'frozen', now });
    if (!home.promises.snapshots.has('start')) {
      await ask(client, 'POST', '/sandbox/snapshots', { name: 'start' });
      home.promises.snapshots.set('start', 'there');
    }
    await home.promises.hold(client);
    const { date: today } = (await ask(client, 'GET', '/sandbox/clock')) as { readonly date: LocalDate };
    const context = { ...search, server: client, promises: home.promises, today, next: () => (number += 1) };
    for (const until = Math.min(count, done + faultsPerLife); done < until; done += 1) {
      if (!(await oneFault(server, home, context))) return false;
      search.step();
    }
    await server.kill();
    await holdBooks(home.ledger);
    search.tally(`server${home.base}: kill -9, and its books are whole`);
  }
  return true;
}

async function oneFault(server: KilledServer, { ledger, base }: Home, context: MoveContext): Promise<boolean> {
  const { random, promises, server: client } = context;
  const injection = { ...random.pick(injections), nth: 1 + random.below(4) };
  const back = random.below(4) === 0 ? random.pick(['reset', 'snapshots/start/restore']) : null;
  if (back !== null) context.tally(`server${base}: ${back}`);
  const send = back === null ? drawMove(context) : () => answered(client.control('POST', `/sandbox/${back}`));
  const strace = await attachStrace(server.child.pid ?? 0, injection);
  if (strace === null) return false;
  const answer = await send();
  const failed = await strace.detach();
  context.tally(`server${base}: ${failed === 0 ? 'nothing' : `${injection.calls} ${injection.error}`} failed`);
  try {
    demand(server.child.exitCode === null, 'the server ended');
    if (back !== null) {
      // The disk is whole again: the same call settles what a 503 left open.
      const reply = (answer ?? (await send())) as Reply | null;
      demand(reply?.status === 200, () => `${back}: ${told(reply)}`);
      promises.forget();
    }
    await promises.hold(client);
    await demandProof(client);
    await requireWell(server, ledger);
  } catch (error) {
    if (!(error instanceof Violation)) throw error;
    throw new Violation(`${error.message}; after ${JSON.stringify({ ...injection, failed })}`);
  }
  return true;
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
