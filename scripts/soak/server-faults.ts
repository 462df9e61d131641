import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openBank } from '../../engine/bank.ts';
import { systemClock } from '../../engine/time/clock.ts';
import { randomIds } from '../../engine/bank/ids.ts';
import { proveLedger } from '../../engine/proof/prove-ledger.ts';
import { calendar, knownState } from '../../lab/bank.ts';
import { greetedAddress } from '../../lab/greeted-address.ts';
import { accounts, nora, pathOf } from '../../lab/products.ts';
import { BankClient, type Reply } from '../../lab/server.ts';
import { Violation, type Soak } from './campaign.ts';
import { leftBehind } from './storage-faults.ts';
import { attachStrace, type Injection } from './strace.ts';

const program = fileURLToPath(new URL('../sandbank.js', import.meta.url));

type Fault = Omit<Injection, 'nth'>;

const injections: readonly [Fault, ...Fault[]] = [
  { calls: 'fdatasync,fsync', error: 'EIO' },
  { calls: 'pwrite64', error: 'ENOSPC' },
  { calls: 'pwrite64', error: 'EIO' },
  { calls: 'rename,renameat,renameat2', error: 'EIO' },
];

/** Faults before the server is killed and restarted. */
const faultsPerLife = 25;

const kinds = ['pay', 'pay', 'pay', 'settle', 'save', 'restore', 'reset'] as const;
type Kind = (typeof kinds)[number];

/**
 * Fails system calls of a server process, one at a time, while it answers. Returns false without strace. After each fault
 * the answer is a success or the declared 503, the repeated call is a success, and acknowledged changes are there; after
 * every restart there is nothing else.
 */
export async function serverFaults(soak: Soak, count: number, folder: string): Promise<boolean> {
  const ledger = join(folder, 'served.sqlite');
  const held: Held = { payments: new Set(), saved: null };
  let done = 0;
  while (done < count) {
    const life = await startLife(ledger);
    try {
      const until = Math.min(count, done + faultsPerLife);
      for (; done < until; done += 1) {
        if (!(await oneFault(soak, life, held, done))) return false;
        soak.step();
      }
    } finally {
      life.child.kill('SIGKILL');
      await life.ended;
    }
    await requireExactly(ledger, held.payments);
    soak.tally('server: kill -9, and every acknowledged payment is there, no other');
  }
  return true;
}

interface Held {
  payments: Set<string>;
  /** Payments in the snapshot; null if there is none. */
  saved: Set<string> | null;
}

interface Life {
  readonly ledger: string;
  readonly child: ChildProcess;
  readonly client: BankClient;
  readonly ended: Promise<unknown>;
}

async function startLife(ledger: string): Promise<Life> {
  const clock = ['--clock-mode', 'frozen', '--clock-now', '2027-03-24T12:00:00+01:00'];
  const args = ['--disable-warning=ExperimentalWarning', program, '--port', '0', '--ledger', ledger, ...clock];
  const stdio: ['ignore', 'pipe', 'ignore'] = ['ignore', 'pipe', 'ignore'];
  const child = spawn(process.execPath, [...args, '--log-level', 'silent'], { env: {}, stdio });
  const ended = once(child, 'exit');
  return { ledger, child, client: new BankClient(await greetedAddress(child.stdout)), ended };
}

async function oneFault(soak: Soak, life: Life, held: Held, index: number): Promise<boolean> {
  const { random } = soak;
  const kind = held.saved === null ? 'save' : random.pick(kinds);
  const injection = { ...random.pick(injections), nth: 1 + random.below(4) };
  const call = await prepare(life.client, kind, index, held);
  const strace = await attachStrace(life.child.pid ?? 0, injection);
  if (strace === null) return false;
  const first = await asked(call, { kind, ...injection });
  const failed = await strace.detach();
  const before = { index, kind, ...injection, failed };
  if (life.child.exitCode !== null) throw new Violation(`the server ended: ${JSON.stringify(before)}`);
  const what = failed === 0 ? 'nothing failed' : `${injection.calls.split(',')[0]} ${injection.error} in ${kind}`;
  soak.tally(`server: ${what}: ${first.status}`);
  requireTold(first, before);
  // The disk is whole again: the same call settles what a 503 left open.
  const second = first.status === 503 ? await asked(call, before) : first;
  if (second.status >= 400) throw new Violation(`the second try was ${formatted(second)}: ${JSON.stringify(before)}`);
  follow(held, kind, second);
  if (kind === 'pay') {
    const third = await asked(call, before);
    if (third.body.paymentId !== second.body.paymentId) throw new Violation(`paid twice: ${JSON.stringify(before)}`);
  }
  await requireWell(life, before);
  return true;
}

type CallOnce = () => Promise<Reply>;

/** A call that can be repeated, byte for byte where that matters. */
async function prepare(client: BankClient, kind: Kind, index: number, held: Held): Promise<CallOnce> {
  if (kind === 'save') return () => client.control('POST', '/sandbox/snapshots', { name: 'kept' });
  if (kind === 'restore') return () => client.control('POST', '/sandbox/snapshots/kept/restore');
  if (kind === 'reset') return () => client.control('POST', '/sandbox/reset');
  const payOnce = (): Promise<Reply> => initiate(client, `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`);
  if (kind === 'pay') return payOnce;
  const { body } = await payOnce();
  held.payments.add(String(body.paymentId));
  await client.approve(String(body._links.scaRedirect.href), nora);
  return () => client.control('POST', '/sandbox/clock/advance', { runs: 1 });
}

function initiate(client: BankClient, requestId: string): Promise<Reply> {
  const body = {
    instructedAmount: { amount: '10.00', currency: 'NOK' },
    creditorName: 'Even',
    creditorAccount: accounts.evenNok,
    debtorAccount: accounts.noraNok,
  };
  const headers = { 'x-request-id': requestId, 'x-psu-identity': nora, 'psu-context': 'PRIVATE' };
  return client.signed('POST', `${pathOf('domestic')}?allowLogicalDuplicate=true`, { body, headers });
}

async function asked(call: CallOnce, before: object): Promise<Reply> {
  try {
    return await call();
  } catch (error) {
    throw new Violation(`no answer (${String(error)}): ${JSON.stringify(before)}`);
  }
}

function requireTold(reply: Reply, before: object): void {
  if (reply.status < 400) return;
  const code: unknown = reply.body?.code ?? reply.body?.tppMessages?.[0]?.code;
  if (reply.status === 503 && code === 'SYSTEM_ERROR') return;
  throw new Violation(`a fault of the disk was answered with ${formatted(reply)}: ${JSON.stringify(before)}`);
}

function formatted({ status, body }: Reply): string {
  return `${status} ${JSON.stringify(body).slice(0, 300)}`;
}

function follow(held: Held, kind: Kind, { body }: Reply): void {
  if (kind === 'pay') held.payments.add(String(body.paymentId));
  else if (kind === 'save') held.saved = new Set(held.payments);
  else if (kind === 'restore') held.payments = new Set(held.saved);
  else if (kind === 'reset') held.payments = new Set();
}

/** Requires that the server is ready again, the books balance, the last payments exist, and no incomplete file is left. */
async function requireWell({ client, ledger }: Life, before: object): Promise<void> {
  const about = JSON.stringify(before);
  const proof = await client.control('GET', '/sandbox/ledger/proof');
  if (proof.body?.ok !== true) throw new Violation(`the proof is ${formatted(proof)}: ${about}`);
  let last = '';
  for (let wait = 0; wait < 100; wait += 1) {
    const ready = await client.raw('GET', '/ready');
    // A copy for the next restore is made in the background, under a name of its own.
    const left = (await leftBehind(ledger)).filter((name) => !name.endsWith('.copy.partial') || wait > 50);
    if (ready.status === 200 && left.length === 0) return;
    last = `/ready is ${formatted(ready)}, left behind: ${left.join(', ')}`;
    await delay(50);
  }
  throw new Violation(`${last}: ${about}`);
}

async function requireExactly(ledger: string, held: ReadonlySet<string>): Promise<void> {
  const bank = await openBank({ ledger, wall: systemClock, ids: randomIds, calendar, knownState });
  try {
    const there = await bank.ledger.read((reader) => reader.selectFrom('payment').select('resource_id').execute());
    const found = new Set(there.map((payment) => payment.resource_id));
    const missing = [...held].filter((id) => !found.has(id));
    if (missing.length > 0 || found.size !== held.size) {
      throw new Violation(`after kill -9 ${found.size} payments are there, ${held.size} were acknowledged`);
    }
    if (!(await proveLedger(bank)).ok) throw new Violation('after kill -9 the books do not balance');
  } finally {
    await bank.close();
  }
}
