import { type ChildProcess, type ChildProcessByStdio, spawn, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { localDate } from '../../engine/values/local-date.ts';
import { greetedAddress } from '../lab/greeted-address.ts';
import { BankClient, psuHeaders, type Reply } from '../lab/server.ts';
import { demand, type Search, Violation } from './campaign.ts';

const program = fileURLToPath(new URL('../../scripts/sandbank.js', import.meta.url));

/** Settings of a new ledger: a frozen clock, so that hashes do not depend on the time of day. */
const firstDay = localDate('2027-03-24');
export const now = `${firstDay}T12:00:00+01:00`;
const beginning = ['--clock-mode', 'frozen', '--clock-now', now];

/** A server in its own process on a ledger file, ended only by `kill -9`, at the latest when the campaign ends. */
export class KilledServer extends BankClient {
  readonly child: ChildProcess;
  readonly kill: () => Promise<void>;

  private constructor(address: string, child: ChildProcess, kill: () => Promise<void>) {
    super(address);
    this.child = child;
    this.kill = kill;
  }

  /** Starts a server, with more flags of `serve`, and waits until it is ready. A server that does not start is a {@link Violation}. */
  static async start(search: Search, ledger: string, flags: readonly string[] = []): Promise<KilledServer> {
    const { child, failure, kill } = serve(search, ledger, flags);
    const address = await Promise.race([greetedAddress(child.stdout).catch(() => failure), failure]);
    return new KilledServer(address, child, kill);
  }

  /** Starts a server and kills it `ms` later, while it makes or opens its ledger, or catches up. */
  static async startAndKill(search: Search, ledger: string, ms: number): Promise<void> {
    const { failure, kill } = serve(search, ledger);
    await Promise.race([setTimeout(ms), failure]);
    await kill();
  }
}

/** A new server, and a promise that rejects when it ends. */
function serve(search: Search, ledger: string, more: readonly string[] = []) {
  const words = ['serve', '--port', '0', '--ledger', ledger, '--log-level', 'error', ...beginning, ...more];
  // Detached: Ctrl-C ends the campaign, and the campaign its processes.
  const options: SpawnOptions = { stdio: ['ignore', 'pipe', 'pipe'], env: {}, detached: true };
  const child = spawn(process.execPath, [program, ...words], options) as ChildProcessByStdio<null, Readable, Readable>;
  const why = text(child.stderr);
  const failure = once(child, 'exit').then(async ([code]): Promise<never> => {
    throw new Violation(`the server does not start, or ends with ${code}: ${(await why).slice(0, 2_000)}`);
  });
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await failure.catch(() => undefined);
  };
  search.after(kill);
  return { child, failure, kill };
}

/** An initiation as it was sent: the same again must answer the same payment (rules.md P7). */
interface SentInitiation {
  readonly path: string;
  readonly body: object;
  readonly requestId: string;
}

export interface PromisedPayment {
  readonly id: string;
  readonly sent: SentInitiation;
  /** Paths of the control plane: to sign it, and to see and change it. */
  readonly sca: string;
  readonly path: string;
  /** Its statuses so far; later statuses are only appended. */
  history: readonly string[];
  /** Statuses from answers, and `signed` for an approval whose status is not known yet. */
  readonly told: Set<string>;
}

/** An approval was answered: any status but the first. */
export const signed = 'signed';

/** Promises that the bank's answers made, checked after each kill. */
export class Promises {
  /** Bank date when they were last checked. */
  today = firstDay;
  #numbers = 0;
  readonly payments = new Map<string, PromisedPayment>();
  /** Sent, but not answered. */
  readonly unanswered: SentInitiation[] = [];
  /** State by name: there, gone, either if no answer came, or contested if two changes were under way at once. */
  readonly snapshots = new Map<string, 'there' | 'gone' | 'either' | 'contested'>();
  /** Addresses of accounts that were created. */
  readonly accounts = new Set<string>();

  /** A number that it has not given yet, so that amounts and account numbers are unique. */
  next(): number {
    this.#numbers += 1;
    return this.#numbers;
  }

  /** Saves the snapshot `start` of a new ledger, which {@link waysBack} restores. */
  async begin(server: BankClient): Promise<void> {
    if (this.snapshots.has('start')) return;
    await ask(server, 'POST', '/sandbox/snapshots', { name: 'start' });
    this.snapshots.set('start', 'there');
  }

  /** After a reset: only the snapshots stay. */
  forget(): void {
    this.payments.clear();
    this.unanswered.length = 0;
    this.accounts.clear();
  }

  /** An initiation was answered with 201. */
  keepPayment(sent: SentInitiation, { body }: Reply): void {
    const id = String(body.paymentId);
    demand(!this.payments.has(id), `two initiations got payment ${id}`);
    const sca = new URL(body._links.scaRedirect.href).pathname.replace('/sca/', '/sandbox/sca/');
    const path = `/sandbox/payments/${encodeURIComponent(id)}`;
    this.payments.set(id, { id, sent, sca, path, history: [], told: new Set() });
  }

  /** Checks all promises, and that the bank itself proves its books; what it answers is promised from then on. */
  async hold(server: BankClient): Promise<void> {
    for (const sent of this.unanswered.splice(0)) {
      // A payment that it made before its answer was lost is not made again: the number of all payments would tell.
      const reply = await initiate(server, sent);
      this.keepPayment(sent, expectStatus(reply, 201, 'an initiation without an answer, sent again'));
    }
    for (const payment of this.payments.values()) await holdPayment(server, payment);
    const { total } = await ask(server, 'GET', '/sandbox/payments?limit=1');
    demand(total === this.payments.size, `${total} payments are there, ${this.payments.size} were acknowledged`);
    for (const account of this.accounts) expectStatus(await server.signed('GET', account), 200, `account ${account}`);
    const { snapshots } = await ask(server, 'GET', '/sandbox/snapshots');
    const names = new Set((snapshots as { name: string }[]).map(({ name }) => name));
    for (const [name, state] of this.snapshots) {
      const found = names.has(name) ? 'there' : 'gone';
      const isKept = ['either', 'contested', found].includes(state);
      demand(isKept, `the snapshot ${name} is ${state} by an answer, and ${found} by the list`);
      this.snapshots.set(name, found);
    }
    const proof = await ask(server, 'GET', '/sandbox/ledger/proof');
    demand(proof.ok === true, () => `the books are broken: ${JSON.stringify(proof).slice(0, 500)}`);
    this.today = (await ask(server, 'GET', '/sandbox/clock')).date;
  }
}

/** Sends an initiation with its X-Request-ID. */
export function initiate(server: BankClient, { path, body, requestId }: SentInitiation): Promise<Reply> {
  return server.signed('POST', path, { body, headers: { 'x-request-id': requestId, ...psuHeaders() } });
}

async function holdPayment(server: BankClient, payment: PromisedPayment): Promise<void> {
  const { id, path, history: before, told } = payment;
  const shown = await ask(server, 'GET', path);
  const history = (shown.history as { status: string }[]).map(({ status }) => status);
  const problem = brokenIn(history, before, told);
  demand(problem === null, `payment ${id} ${problem}: it has ${history.join(' ')}`);
  payment.history = history;
  told.clear();
}

/** Final statuses, after which only a forced one may be shown (rules.md S9b). */
const finals = ['ACSC', 'RJCT', 'CANC'];
export const forced = ['ACTC', 'ACWC', 'ACWP', 'ACCC', 'ACFC'];

function brokenIn(history: readonly string[], before: readonly string[], told: ReadonlySet<string>): string | null {
  if (before.some((status, index) => history[index] !== status)) return `had the statuses ${before.join(' ')}`;
  const given = history.filter((status) => !forced.includes(status));
  if (given.slice(0, -1).some((status) => finals.includes(status))) return 'went on after it was final';
  const lost = [...told].find((status) => (status === signed ? given.length < 2 : !history.includes(status)));
  return lost === undefined ? null : `was told to be ${lost}`;
}

/** Demands this status. */
export function expectStatus(reply: Reply, status: number, what: string): Reply {
  demand(reply.status === status, () => `${what}: ${reply.status} instead of ${status}: ${told(reply)}`);
  return reply;
}

/** The body of a call of the control plane, which must answer 200. */
export async function ask(client: BankClient, method: string, target: string, body?: object): Promise<Reply['body']> {
  const reply = await client.control(method, target, body);
  return expectStatus(reply, 200, `${method} ${target} of ${client.address}`).body;
}

/** Takes everything back to the known state or to the snapshot `start`, by name. */
export const waysBack: Readonly<Record<string, (server: BankClient) => Promise<Reply>>> = {
  reset: (server) => server.reset(),
  initialize: (server) => server.signed('POST', '/v1/sandbox/initialize'),
  restore: (server) => server.control('POST', '/sandbox/snapshots/start/restore'),
};

/** The answer; null if the bank was killed before it. Anything but a success or a refusal is a violation. */
export async function answered(sent: Promise<Reply>): Promise<Reply | null> {
  const reply = await sent.catch(() => null);
  demand(reply === null || reply.status < 500, () => `an answer of ${told(reply)}`);
  return reply;
}

/** An answer in words. */
export function told(reply: Reply | null): string {
  return `${reply?.status} ${JSON.stringify(reply?.body).slice(0, 500)}`;
}
