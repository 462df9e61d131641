import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { LocalDate } from '../../engine/values/local-date.ts';
import { singlePath, singlePayment } from '../lab/bodies.ts';
import { crossTenants } from '../lab/crossings.ts';
import { BankClient, type Reply, type Sent } from '../lab/server.ts';
import { attachStrace } from '../lab/strace.ts';
import { anyOf, type Campaign, demand, type Soak } from './campaign.ts';
import { drawMove } from './kill-moves.ts';
import { expectStatus, payer, Promises } from './kill-promises.ts';
import { KilledServer } from './killed-server.ts';

/** Number of banks; some of them are removed and made again. */
const usualBanks = 100;
/** Banks that a round works on. */
const perRound = 8;
/** Fewer than the banks, so that they close and open all the time. */
const open = 20;

/** Kills between two crossings of tenants, which take as long as some twenty. */
const betweenCrossings = 50;

/** The client of one bank of a server. */
class NamedClient extends BankClient {
  readonly #base: string;

  constructor(address: string, name: string) {
    super(address);
    this.#base = `/banks/${name}`;
  }

  override signed(method: string, target: string, sent?: Sent): Promise<Reply> {
    return super.signed(method, this.#base + target, sent);
  }

  override control(method: string, target: string, body?: unknown): Promise<Reply> {
    return super.control(method, this.#base + target, body);
  }
}

/** What the answers of the server have promised of one bank. */
class PromisedBank {
  readonly name: string;
  state: 'there' | 'gone' | 'either' = 'gone';
  promises = new Promises();
  /** Ids of armed faults that no call meets. */
  faults = new Set<number>();

  constructor(name: string) {
    this.name = name;
  }

  /** It is made, or made anew: nothing of an earlier bank is in it. */
  begin(): void {
    this.promises = new Promises();
    this.faults = new Set();
  }

  /** Checks that the bank is as it was promised; what it is now is promised from then on. */
  async hold(server: KilledServer): Promise<void> {
    const { name, state } = this;
    const client = new NamedClient(server.address, name);
    const looked = await client.control('GET', '/sandbox/faults');
    const found = looked.status === 404 ? 'gone' : 'there';
    demand(
      state === 'either' || state === found,
      () => `the bank ${name} is ${state} by an answer, and ${found}: ${JSON.stringify(looked.body).slice(0, 500)}`,
    );
    this.state = found;
    if (found === 'gone') return;
    const { faults } = expectStatus(looked, 200, `the faults of ${name}`).body;
    const ids = new Set((faults as { id: number }[]).map(({ id }) => id));
    for (const id of this.faults) demand(ids.has(id), `the fault ${id} of ${name} is not armed any more`);
    await this.promises.hold(client);
    const proof = expectStatus(await client.control('GET', '/sandbox/ledger/proof'), 200, `the proof of ${name}`);
    demand(
      proof.body.ok === true,
      () => `the books of ${name} are broken: ${JSON.stringify(proof.body).slice(0, 500)}`,
    );
  }
}

/** Input of the work of a client. */
interface Work {
  readonly soak: Soak;
  readonly server: KilledServer;
  readonly next: () => number;
}

/**
 * A server of a hundred banks in files, of which few are open at a time: clients in several banks at once, banks made and removed, a disk
 * that fills, and `kill -9`; between them tenants whose credentials are crossed. `tamper` runs between each kill and the next start, to prove that the campaign finds its changes.
 */
export function hostedCampaign(banks = usualBanks, tamper: (folder: string) => void = () => undefined): Campaign {
  return { unit: 'kills', usualCount: 300, run: (soak) => run(soak, banks, tamper) };
}

export const hosted: Campaign = hostedCampaign();

async function run(soak: Soak, banks: number, tamper: (folder: string) => void): Promise<void> {
  const folder = soak.folder();
  const flags = ['--banks', join(folder, 'banks'), '--open-banks', String(open)];
  const start = (): Promise<KilledServer> => KilledServer.start(soak, join(folder, 'ledger.sqlite'), flags);
  const all = Array.from({ length: banks }, (_, index) => new PromisedBank(`bank-${index}`));
  let count = 0;
  const next = (): number => (count += 1);
  let server = await start();
  // Half of them are there from the beginning.
  for (const bank of all.slice(banks / 2)) await make({ soak, server, next }, bank);
  await soak.each(async (index) => {
    const chosen = [...new Set(Array.from({ length: perRound }, () => soak.random.pick(all)))];
    const work = { soak, server, next };
    if (soak.random.below(5) === 0) await fullDisk(work, chosen);
    const sent = await clients(work, chosen);
    await server.kill();
    await settled(sent);
    tamper(join(folder, 'banks'));
    server = await start();
    for (const bank of index % 20 === 19 ? all : chosen) await bank.hold(server);
    await holdList(server, all);
    if (index % betweenCrossings === betweenCrossings - 1) await crossings(soak);
  });
  for (const bank of all) await bank.hold(server);
  await server.kill();
}

/** What is under way at the kill. */
async function clients(work: Work, chosen: readonly PromisedBank[]): Promise<readonly Promise<unknown>[]> {
  const { random, tally } = work.soak;
  const sent: Promise<unknown>[] = [];
  let underWay = 0;
  const send = (answer: Promise<unknown>): void => {
    underWay += 1;
    sent.push(answer.finally(() => (underWay -= 1)));
  };
  for (const bank of chosen) {
    // Another call may meet a bank while it goes: its answer is a refusal, or that of the bank.
    if (bank.state === 'gone' || random.below(6) === 0)
      send(bank.state === 'gone' ? make(work, bank) : remove(work, bank));
    else for (const move of await movesOf(work, bank)) send(move());
  }
  send(answered(work.server.control('GET', '/sandbox/banks')));
  await setTimeout(random.below(400));
  tally('requests under way at a kill', underWay);
  return sent;
}

async function settled(sent: readonly Promise<unknown>[]): Promise<void> {
  for (const result of await Promise.allSettled(sent)) if (result.status === 'rejected') throw result.reason;
}

/** The answer; null if the server was killed before it. Anything but a success or a refusal is a violation. */
async function answered(sent: Promise<Reply>): Promise<Reply | null> {
  const reply = await sent.catch(() => null);
  demand(
    (reply?.status ?? 0) < 500,
    () => `an answer of ${reply?.status} ${JSON.stringify(reply?.body).slice(0, 500)}`,
  );
  return reply;
}

async function make({ soak, server }: Work, bank: PromisedBank): Promise<void> {
  soak.tally('bank made');
  bank.state = 'either';
  bank.begin();
  // Two routers may ask for one bank.
  const puts = Array.from({ length: 1 + soak.random.below(2) }, () =>
    answered(server.control('PUT', `/sandbox/banks/${bank.name}`, { mode: 'frozen' })),
  );
  const replies = await Promise.all(puts);
  for (const reply of replies) demand(reply === null || reply.status < 300, `a new bank is refused: ${reply?.status}`);
  demand(replies.filter((reply) => reply?.status === 201).length < 2, 'one bank was made twice');
  if (replies.some((reply) => reply !== null)) bank.state = 'there';
}

async function remove({ soak, server }: Work, bank: PromisedBank): Promise<void> {
  soak.tally('bank removed');
  bank.state = 'either';
  const beside = answered(new NamedClient(server.address, bank.name).control('GET', '/sandbox/payments'));
  const reply = await answered(server.control('DELETE', `/sandbox/banks/${bank.name}`));
  demand(reply === null || reply.status === 200, `a removal is refused: ${reply?.status}`);
  if (reply !== null) bank.state = 'gone';
  await beside;
}

/** Calls of several clients to one bank. */
async function movesOf({ soak, server, next }: Work, bank: PromisedBank): Promise<readonly (() => Promise<unknown>)[]> {
  const { random, tally } = soak;
  const client = new NamedClient(server.address, bank.name);
  const { body } = expectStatus(await client.control('GET', '/sandbox/clock'), 200, `the clock of ${bank.name}`);
  const today = body.date as LocalDate;
  const context = { server: client, random, promises: bank.promises, today, next };
  const moves = Array.from({ length: 1 + random.below(4) }, () => {
    const { name, send } = drawMove(context);
    tally(name);
    return send;
  });
  return random.below(3) > 0 ? moves : [...moves, () => arm({ soak, server, next }, bank)];
}

/** Arms a fault that no call meets: a restart must keep it. */
async function arm({ soak, server }: Work, bank: PromisedBank): Promise<void> {
  soak.tally('fault armed');
  const client = new NamedClient(server.address, bank.name);
  const reply = await answered(
    client.control('POST', '/sandbox/faults', { code: 'SERVICE_BLOCKED', path: '/v1/none' }),
  );
  if (reply?.status === 200) bank.faults.add(Number(reply.body.id));
}

const full = { calls: 'pwrite64', error: 'ENOSPC' };

/** One write of the process finds no room: the call that needs it is a 503, carried out or not, and the same call then succeeds. */
async function fullDisk({ soak, server, next }: Work, chosen: readonly PromisedBank[]): Promise<void> {
  const bank = anyOf(
    soak.random,
    chosen.filter(({ state }) => state === 'there'),
  );
  if (bank === undefined) return;
  const client = new NamedClient(server.address, bank.name);
  const amount = (1_000 + next() / 100).toFixed(2);
  const sent = { path: singlePath, body: singlePayment({ instructedAmount: { amount, currency: 'NOK' } }) };
  const headers = { 'x-request-id': randomUUID(), 'x-psu-identity': payer, 'psu-context': 'PRIVATE' };
  const pay = (): Promise<Reply> => client.signed('POST', sent.path, { body: sent.body, headers });
  const strace = await attachStrace(server.child.pid ?? 0, { ...full, nth: 1 + soak.random.below(4) });
  if (strace === null) return soak.tally('full disk left out: no strace');
  const first = await pay();
  const failed = await strace.detach();
  soak.tally(failed === 0 ? 'full disk, not met' : `full disk: ${first.status}`);
  const isTold = first.status === 201 || (first.status === 503 && first.body.tppMessages?.[0]?.code === 'SYSTEM_ERROR');
  demand(isTold, () => `a full disk was answered with ${first.status} ${JSON.stringify(first.body).slice(0, 300)}`);
  const again = expectStatus(await pay(), 201, `the second try in ${bank.name}`);
  demand(first.status === 503 || first.body.paymentId === again.body.paymentId, 'paid twice');
}

/** The list has every bank that is there, and no other. */
async function holdList(server: KilledServer, all: readonly PromisedBank[]): Promise<void> {
  const { body } = expectStatus(await server.control('GET', '/sandbox/banks'), 200, 'the list of banks');
  const names = new Set((body.banks as { name: string }[]).map(({ name }) => name));
  for (const { name, state } of all)
    demand(
      names.has(name) === (state === 'there'),
      `the list ${names.has(name) ? 'has' : 'lacks'} ${name}, which is ${state}`,
    );
}

/** The credentials of two banks of a server with a control token, crossed with every call. */
async function crossings(soak: Soak): Promise<void> {
  const folder = soak.folder();
  const token = 'the-token-of-the-host';
  const flags = ['--banks', join(folder, 'banks'), '--control-token', token];
  const server = await KilledServer.start(soak, join(folder, 'ledger.sqlite'), flags);
  const { tried, wrong } = await crossTenants(server.address, token);
  for (const [what, times] of Object.entries(tried)) soak.tally(`crossed: ${what}`, times);
  await server.kill();
  demand(wrong.length === 0, () => `${wrong.length} crossings: ${wrong.slice(0, 5).join('\n')}`);
}
