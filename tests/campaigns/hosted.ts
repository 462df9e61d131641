import { join } from 'node:path';
import type { LocalDate } from '../../engine/values/local-date.ts';
import { crossTenants } from '../lab/crossings.ts';
import { BankClient, hostToken } from '../lab/server.ts';
import { type Campaign, demand, type Soak } from './campaign.ts';
import { drawMove } from './kill-moves.ts';
import { answered, ask, demandProof, Promises, told, UnderWay } from './kill-promises.ts';
import { KilledServer } from './killed-server.ts';

/** Banks that a round works on. */
const perRound = 8;
/** Fewer than the banks, so that they close and open all the time. */
const open = 20;
/** Kills between two crossings of tenants, which take as long as some twenty. */
const betweenCrossings = 50;

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
    this.state = 'either';
    this.promises = new Promises();
    this.faults = new Set();
  }

  client({ address }: BankClient): BankClient {
    return new BankClient(`${address}/banks/${this.name}`);
  }

  /** Checks that the bank is as it was promised; what it is now is promised from then on. */
  async hold(server: KilledServer): Promise<void> {
    const { name, state } = this;
    const client = this.client(server);
    const looked = await client.control('GET', '/sandbox/faults');
    const found = looked.status === 404 ? 'gone' : 'there';
    const isKept = state === 'either' || state === found;
    demand(isKept, () => `the bank ${name} is ${state} by an answer, and ${found}: ${told(looked)}`);
    this.state = found;
    if (found === 'gone') return;
    const { faults } = await ask(client, 'GET', '/sandbox/faults');
    const ids = new Set((faults as { id: number }[]).map(({ id }) => id));
    for (const id of this.faults) demand(ids.has(id), `the fault ${id} of ${name} is not armed any more`);
    await this.promises.hold(client);
    await demandProof(client);
  }
}

/** What a test changes: fewer banks, and harm to their folder between each kill and the next start. */
interface Change {
  readonly banks: number;
  readonly harm?: (folder: string) => void;
}

/**
 * A server of a hundred banks in files, of which few are open at a time: clients in several banks at once, banks made and removed, and
 * `kill -9`; between them tenants whose credentials are crossed.
 */
export const hosted: Campaign<Change> = { unit: 'kills', usualCount: 300, run };

async function run(soak: Soak, { banks, harm }: Change = { banks: 100 }): Promise<void> {
  const { random, tally } = soak;
  const folder = soak.folder();
  const flags = ['--banks', join(folder, 'banks'), '--open-banks', String(open)];
  const start = (): Promise<KilledServer> => KilledServer.start(soak, join(folder, 'ledger.sqlite'), flags);
  const all = Array.from({ length: banks }, (_, index) => new PromisedBank(`bank-${index}`));
  let count = 0;
  let server = await start();

  const make = async (bank: PromisedBank): Promise<void> => {
    tally('bank made');
    bank.begin();
    // Two routers may ask for one bank.
    const puts = Array.from({ length: 1 + random.below(2) }, () =>
      answered(server.control('PUT', `/sandbox/banks/${bank.name}`, { mode: 'frozen' })),
    );
    const replies = await Promise.all(puts);
    for (const reply of replies)
      demand(reply === null || reply.status < 300, `a new bank is refused: ${reply?.status}`);
    demand(replies.filter((reply) => reply?.status === 201).length < 2, 'one bank was made twice');
    if (replies.some((reply) => reply !== null)) bank.state = 'there';
  };
  const remove = async (bank: PromisedBank): Promise<void> => {
    tally('bank removed');
    bank.state = 'either';
    // Another call may meet a bank while it goes: its answer is a refusal, or that of the bank.
    const beside = answered(bank.client(server).control('GET', '/sandbox/payments'));
    const reply = await answered(server.control('DELETE', `/sandbox/banks/${bank.name}`));
    demand(reply === null || reply.status === 200, `a removal is refused: ${reply?.status}`);
    if (reply !== null) bank.state = 'gone';
    await beside;
  };
  /** Arms a fault that no call meets: a restart must keep it. */
  const arm = async (bank: PromisedBank): Promise<void> => {
    tally('fault armed');
    const fault = { code: 'SERVICE_BLOCKED', path: '/v1/none' };
    const reply = await answered(bank.client(server).control('POST', '/sandbox/faults', fault));
    if (reply?.status === 200) bank.faults.add(Number(reply.body.id));
  };
  /** Calls of several clients to one bank. */
  const movesOf = async (bank: PromisedBank): Promise<readonly (() => Promise<unknown>)[]> => {
    const client = bank.client(server);
    const { date: today } = (await ask(client, 'GET', '/sandbox/clock')) as { readonly date: LocalDate };
    const next = (): number => (count += 1);
    const context = { ...soak, server: client, promises: bank.promises, today, next };
    const moves = Array.from({ length: 1 + random.below(4) }, () => drawMove(context));
    return random.below(3) > 0 ? moves : [...moves, () => arm(bank)];
  };
  /** What is under way at the kill. */
  const clients = async (chosen: readonly PromisedBank[]): Promise<UnderWay> => {
    const sent = new UnderWay();
    for (const bank of chosen) {
      if (bank.state === 'gone') sent.send(make(bank));
      else if (random.below(6) === 0) sent.send(remove(bank));
      else for (const move of await movesOf(bank)) sent.send(move());
    }
    sent.send(answered(server.control('GET', '/sandbox/banks')));
    return sent;
  };
  /** The list has every bank that is there, and no other. */
  const holdList = async (): Promise<void> => {
    const { banks: listed } = await ask(server, 'GET', '/sandbox/banks');
    const names = new Set((listed as { name: string }[]).map(({ name }) => name));
    for (const { name, state } of all) {
      const found = names.has(name) ? 'there' : 'gone';
      demand(found === state, `${name} is ${state} by an answer, and ${found} by the list`);
    }
  };

  // Half of them are there from the beginning.
  for (const bank of all.slice(banks / 2)) await make(bank);
  await soak.each(async (index) => {
    const chosen = [...new Set(Array.from({ length: perRound }, () => random.pick(all)))];
    const sent = await clients(chosen);
    await sent.kill(soak, random.below(400), () => server.kill());
    harm?.(join(folder, 'banks'));
    server = await start();
    for (const bank of index % 20 === 19 ? all : chosen) await bank.hold(server);
    await holdList();
    if (index % betweenCrossings === betweenCrossings - 1) await crossings(soak);
  });
  for (const bank of all) await bank.hold(server);
  await server.kill();
}

/** The credentials of two banks of a server with a control token, crossed with every call. */
async function crossings(soak: Soak): Promise<void> {
  const folder = soak.folder();
  const flags = ['--banks', join(folder, 'banks'), '--control-token', hostToken, '--platform'];
  const server = await KilledServer.start(soak, join(folder, 'ledger.sqlite'), flags);
  const { tried, wrong } = await crossTenants(server.address, hostToken);
  soak.tallyAll(tried, 'crossed: ');
  await server.kill();
  demand(wrong.length === 0, () => `${wrong.length} crossings: ${wrong.slice(0, 5).join('\n')}`);
}
