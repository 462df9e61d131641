import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { accounts, nora, pathOf } from '../lab/products.ts';
import type { Reply } from '../lab/server.ts';
import { demand, type Soak, Violation } from './campaign.ts';
import { KilledServer } from './killed-server.ts';
import { Held, leftBehind, openFile } from './storage-faults.ts';
import { attachStrace, type Injection } from '../lab/strace.ts';

const injections: readonly Omit<Injection, 'nth'>[] = [
  { calls: 'fdatasync,fsync', error: 'EIO' },
  { calls: 'pwrite64', error: 'ENOSPC' },
  { calls: 'pwrite64', error: 'EIO' },
  { calls: 'rename,renameat,renameat2', error: 'EIO' },
];

/** Faults before the server is killed and restarted. */
const faultsPerLife = 25;

const kinds = ['pay', 'pay', 'pay', 'settle', 'save', 'restore', 'reset'] as const;
type Kind = (typeof kinds)[number];

/** Name of the one snapshot. */
const kept = 'kept';

/**
 * Fails system calls of a server process, one at a time, while it answers. Returns false without strace. After each fault
 * the answer is a success or the declared 503, the repeated call is a success, and acknowledged changes are there; after
 * every restart there is nothing else.
 */
export async function serverFaults(soak: Soak, count: number, folder: string): Promise<boolean> {
  const ledger = join(folder, 'served.sqlite');
  const held = new Held();
  for (let done = 0; done < count;) {
    const server = await KilledServer.start(soak, ledger);
    for (const until = Math.min(count, done + faultsPerLife); done < until; done += 1) {
      if (!(await oneFault(soak, server, ledger, held, done))) return false;
      soak.step();
    }
    await server.kill();
    const bank = await openFile(ledger);
    try {
      await held.require(bank, 'after kill -9');
    } finally {
      await bank.close();
    }
    soak.tally('server: kill -9, and every acknowledged payment is there, no other');
  }
  return true;
}

async function oneFault(soak: Soak, server: KilledServer, ledger: string, held: Held, index: number): Promise<boolean> {
  const { random } = soak;
  const kind = held.saved.size === 0 ? 'save' : random.pick(kinds);
  const injection = { ...random.pick(injections), nth: 1 + random.below(4) };
  let about = JSON.stringify({ index, kind, ...injection });
  const call = await prepare(server, kind, index, held);
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
  soak.tally(`server: ${what}: ${first.status}`);
  const code: unknown = first.body?.code ?? first.body?.tppMessages?.[0]?.code;
  const isTold = first.status < 400 || (first.status === 503 && code === 'SYSTEM_ERROR');
  demand(isTold, `a fault of the disk was answered with ${formatted(first)}: ${about}`);
  // The disk is whole again: the same call settles what a 503 left open.
  const second = first.status === 503 ? await asked() : first;
  demand(second.status < 400, `the second try was ${formatted(second)}: ${about}`);
  if (kind === 'pay') {
    held.add(String(second.body.paymentId));
    demand((await asked()).body.paymentId === second.body.paymentId, `paid twice: ${about}`);
  } else if (kind !== 'settle') held.follow(kind, kept);
  await requireWell(server, ledger, about);
  return true;
}

/** A call that can be repeated, byte for byte where that matters. */
async function prepare(server: KilledServer, kind: Kind, index: number, held: Held): Promise<() => Promise<Reply>> {
  if (kind === 'save') return () => server.control('POST', '/sandbox/snapshots', { name: kept });
  if (kind === 'restore') return () => server.control('POST', `/sandbox/snapshots/${kept}/restore`);
  if (kind === 'reset') return () => server.control('POST', '/sandbox/reset');
  const requestId = `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
  const headers = { 'x-request-id': requestId, 'x-psu-identity': nora, 'psu-context': 'PRIVATE' };
  const body = {
    instructedAmount: { amount: '10.00', currency: 'NOK' },
    creditorName: 'Even',
    creditorAccount: accounts.evenNok,
    debtorAccount: accounts.noraNok,
  };
  const pay = () => server.signed('POST', `${pathOf('domestic')}?allowLogicalDuplicate=true`, { body, headers });
  if (kind === 'pay') return pay;
  const made = (await pay()).body;
  held.add(String(made.paymentId));
  await server.approve(String(made._links.scaRedirect.href), nora);
  return () => server.control('POST', '/sandbox/clock/advance', { runs: 1 });
}

function formatted({ status, body }: Reply): string {
  return `${status} ${JSON.stringify(body).slice(0, 300)}`;
}

/** Requires that the books balance, and that within 5 s the server is ready again and no incomplete file is left. */
async function requireWell(server: KilledServer, ledger: string, about: string): Promise<void> {
  const proof = await server.control('GET', '/sandbox/ledger/proof');
  demand(proof.body?.ok === true, () => `the proof is ${formatted(proof)}: ${about}`);
  let last = '';
  for (let look = 0; look < 100; look += 1) {
    const ready = await server.raw('GET', '/ready');
    // A copy for the next restore is made in the background, under a name of its own.
    const left = (await leftBehind(ledger)).filter((name) => !name.endsWith('.copy.partial') || look > 50);
    if (ready.status === 200 && left.length === 0) return;
    last = `/ready is ${formatted(ready)}, left behind: ${left.join(', ')}`;
    await setTimeout(50);
  }
  throw new Violation(`${last}: ${about}`);
}
