import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { IssuedCertificate } from '../../api/signing/certificate/issue-certificate.ts';
import { type Times, timesBeside } from '../bench/beside.ts';
import { baseOf, hostile, makeBank, type Place } from '../bench/hostile.ts';
import { singlePath, singlePayment } from '../lab/bodies.ts';
import { BankClient, bearer, hostToken, type Reply, validCertificate } from '../lab/server.ts';
import { anyOf, type Campaign, demand, type Soak } from './campaign.ts';
import { ask, demandProof, expectStatus, initiate, KilledServer } from './killed-server.ts';

const teams = 6;

/** What a test changes: shorter rounds with smaller loads, by `scale`, what fair and flat are, and the only way to be hostile. */
interface Change {
  readonly scale: number;
  readonly fair: Times;
  readonly growth: number;
  readonly way: string;
}

/**
 * The calls of a team beside a hostile one, in ms of the processor of the server: the 95th percentile and the longest. Ten times what the bench
 * allows, because four other teams work at the same time, and because what the server does until a busy machine lets the client go on counts too.
 */
const fair: Times = { p95: 150, longest: 1_000 };
/** How long a team is hostile, in ms. */
const hostileMs = 8_000;
/** Time between two calls of a team, in ms. */
const pauseMs = 100;
/** How much more memory the last rounds may take than the first, a round of each way to be hostile. */
const maxGrowth = 1.25;

/** The ways to be hostile that a team has with its own token. */
const ways = Object.entries(hostile).filter(([name]) => name !== 'questions When?');

const usual: Change = { scale: 1, fair, growth: maxGrowth, way: '' };

/** A team with a bank of its own, as it was made last. */
interface Team {
  readonly name: string;
  readonly bank: BankClient;
  readonly certificate: IssuedCertificate;
}

/**
 * Six teams of a hosted server as docs/hosting.md sets it up. One of them is hostile in turn, in each way in turn; the others pay, read, advance
 * their clocks a day at a time and reset. Nobody gets a 5xx, nobody else gets a 429, a call of another team is answered as soon as is fair, the
 * books are right, and the memory of the server stays flat: what is in use after a collection, and what is in RAM.
 */
export const neighbours: Campaign<Change> = { unit: 'rounds', usualCount: teams * ways.length, run };

async function run(soak: Soak, { scale, fair: atMost, growth, way }: Change = usual): Promise<void> {
  const { random, tally } = soak;
  const kinds = ways.filter(([name]) => name.includes(way));
  const folder = soak.folder();
  const settings = ['--trust-proxy', '1', '--bank-rate', '50', '--bank-size', '500000000', '--banks-expire', 'P90D'];
  const flags = ['--banks', join(folder, 'banks'), '--control-token', hostToken, ...settings];
  const server = await KilledServer.start(soak, join(folder, 'root.sqlite'), flags);
  const pid = server.child.pid ?? 0;
  const root = new BankClient(server.address, bearer(hostToken));
  let paid = 0;

  const make = async (name: string): Promise<Team> => {
    const bank = await makeBank(root, name);
    const roles = ['PSP_PI', 'PSP_AI'];
    const { certificate, key } = await ask(bank, 'POST', '/sandbox/certificates', { name: 'shop', roles });
    return { name, bank, certificate: { ...validCertificate(), certificatePem: certificate, keyPem: key } };
  };
  const remove = (name: string) => ask(root, 'DELETE', `/sandbox/banks/${name}`);

  const pay = async ({ bank, certificate }: Team): Promise<void> => {
    const amount = { amount: (1 + (paid += 1) / 100).toFixed(2), currency: 'NOK' };
    const body = singlePayment({ instructedAmount: amount });
    const sent = { path: baseOf(bank) + singlePath, body, requestId: randomUUID() };
    const send = (): Promise<Reply> => initiate(root, sent, { certificate });
    const first = expectStatus(await send(), 201, 'a payment');
    if (random.below(4) === 0) {
      const again = expectStatus(await send(), 201, 'a payment that is sent again');
      demand(again.body.paymentId === first.body.paymentId, 'a payment was carried out twice');
    }
    await bank.approve(first.body._links.scaRedirect.href);
  };
  const moves: Readonly<Record<string, (team: Team) => Promise<unknown>>> = {
    payment: pay,
    'list of payments': ({ bank }) => ask(bank, 'GET', '/sandbox/payments'),
    journal: ({ bank }) => ask(bank, 'GET', '/sandbox/requests'),
    'advance of a day': ({ bank }) => ask(bank, 'POST', '/sandbox/clock/advance', { by: 'P1D' }),
    certificate: ({ bank }) => ask(bank, 'POST', '/sandbox/certificates', { name: 'shop' }),
    forecast: ({ bank }) => ask(bank, 'GET', '/sandbox/forecast?to=P30D'),
  };
  /** A team at its usual work. */
  const work = async (team: Team, isOver: () => boolean): Promise<void> => {
    while (!isOver()) {
      const name = anyOf(random, [...Object.keys(moves), 'payment', 'payment', 'payment']) ?? '';
      tally(name);
      await moves[name]?.(team);
      await setTimeout(pauseMs);
    }
  };

  /** After each round. */
  const memory: Awaited<ReturnType<KilledServer['memory']>>[] = [];
  const all = await Promise.all(Array.from({ length: teams }, (_, index) => make(`team-${index}`)));
  await soak.each(async (index) => {
    const [kind, prepare] = kinds[index % kinds.length] ?? [];
    const turn = index % teams;
    const name = `team-${turn}`;
    if (prepare === undefined) return;
    await remove(name);
    let bank = root;
    const place: Place = { root, scale, make: async (more) => (bank = await makeBank(root, name, more)) };
    const load = await prepare(place);
    const [measured, ...others] = all.filter((_, team) => team !== turn);
    if (measured === undefined) return;
    const asked = {
      address: server.address,
      headers: measured.bank.own,
      path: `${baseOf(measured.bank)}/sandbox/clock`,
    };
    const times = await timesBeside({ ...asked, pid, pauseMs: 25 }, async () => {
      const end = performance.now() + hostileMs / scale;
      const isOver = (): boolean => performance.now() >= end;
      await Promise.all([load(isOver), ...others.map((team) => work(team, isOver))]);
    });
    for (const what of ['p95', 'longest'] as const) {
      const ms = times[what];
      const counted = `ms of a call beside ${kind}, ${what}`;
      soak.tallies.set(counted, Math.max(Math.ceil(ms), soak.tallies.get(counted) ?? 0));
      demand(ms <= atMost[what], `a call beside ${kind}: ${what} ${ms.toFixed(0)} ms of the processor`);
    }
    await demandProof(bank);
    for (const team of others) await demandProof(team.bank);
    if (index % teams === teams - 1) for (const team of others) await ask(team.bank, 'POST', '/sandbox/reset');
    await remove(name);
    all[turn] = await make(name);
    await setTimeout(1_000 / scale);
    memory.push(await server.memory());
    for (const what of ['used', 'resident'] as const) {
      const mostOf = (rounds: typeof memory): number => Math.max(...rounds.map((round) => round[what]));
      const [first, last] = [mostOf(memory.slice(0, kinds.length)), mostOf(memory.slice(-kinds.length))];
      soak.tallies.set(`MB ${what}, most of the first rounds`, first);
      soak.tallies.set(`MB ${what}, most of the last rounds`, last);
      demand(last <= first * growth, `the memory ${what} by the server grew from ${first} MB to ${last} MB`);
    }
  });
  const { status } = await server.raw('GET', '/ready');
  demand(status === 200, () => `the server is not ready: ${status}`);
  await server.kill();
}
