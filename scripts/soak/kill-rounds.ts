import { setTimeout } from 'node:timers/promises';
import type { LocalDate } from '../../engine/values/local-date.ts';
import type { Reply } from '../lab/server.ts';
import { demand, type Soak } from './campaign.ts';
import { drawMove } from './kill-moves.ts';
import { expectStatus, type Promises } from './kill-promises.ts';
import { KilledServer } from './killed-server.ts';

/** Input of all rounds. */
interface Killing {
  readonly soak: Soak;
  readonly ledger: string;
  readonly promises: Promises;
  readonly next: () => number;
  /** Runs between a kill and the next start; does nothing unless the campaign itself is tested. */
  readonly tamper: (ledger: string) => void;
}

/** A round takes a running server, kills it at least once, and returns a running one. */
type Round = (killing: Killing, server: KilledServer) => Promise<KilledServer>;

/** Kills and restarts the server. */
async function again({ soak, ledger, tamper }: Killing, server: KilledServer): Promise<KilledServer> {
  await server.kill();
  soak.step();
  tamper(ledger);
  return KilledServer.start(soak, ledger);
}

/** Clients that initiate, sign, cancel, force, advance, save and create, all at once. */
const manyWrites: Round = async (killing, server) => {
  const { soak, promises, next } = killing;
  const { random } = soak;
  const { date: today } = (await ask(server, 'GET', '/sandbox/clock')) as { readonly date: LocalDate };
  const sent: Promise<unknown>[] = [];
  let underWay = 0;
  const ms = random.below(300);
  for (let count = 3 + random.below(12); count > 0; count -= 1) {
    const { name, send } = drawMove({ server, random, promises, today, next });
    soak.tally(name);
    underWay += 1;
    sent.push(send().finally(() => (underWay -= 1)));
  }
  const all = Promise.allSettled(sent);
  await setTimeout(ms);
  soak.tally('requests under way at a kill', underWay);
  const restarted = await again(killing, server);
  for (const result of await all) if (result.status === 'rejected') throw result.reason;
  return restarted;
};

/** Kills an advance over many runs and compares it with an undisturbed one. */
const longAdvance: Round = async (killing, server) => {
  const { random, tally } = killing.soak;
  const runs = 20 + random.below(60);
  await ask(server, 'POST', '/sandbox/snapshots', { name: 'before-advance' });
  const begun = performance.now();
  const { to } = await ask(server, 'POST', '/sandbox/clock/advance', { runs });
  const took = performance.now() - begun;
  const undisturbed = await hashOf(server);
  await ask(server, 'POST', '/sandbox/snapshots/before-advance/restore');
  const killed = server.control('POST', '/sandbox/clock/advance', { runs }).catch(() => null);
  await setTimeout(random.below(Math.ceil(took)));
  const restarted = await again(killing, server);
  tally((await killed) === null ? 'killed advance, in the middle' : 'killed advance, at its end');
  await ask(restarted, 'POST', '/sandbox/clock/advance', { to });
  demand((await hashOf(restarted)) === undisturbed, `a killed advance of ${runs} runs ended in another ledger`);
  return restarted;
};

const waysBack: Readonly<Record<string, (server: KilledServer) => Promise<Reply>>> = {
  reset: (server) => server.control('POST', '/sandbox/reset'),
  initialize: (server) => server.signed('POST', '/v1/sandbox/initialize'),
  restore: (server) => server.control('POST', '/sandbox/snapshots/start/restore'),
};

/** Kills a reset, an initialize or a restore: afterwards everything is old or everything is new. */
const goingBack: Round = async (killing, server) => {
  const { soak, promises } = killing;
  const [name, send] = soak.random.pick(Object.entries(waysBack));
  const before = await hashOf(server);
  const killed = send(server).catch(() => null);
  await setTimeout(soak.random.below(60));
  const restarted = await again(killing, server);
  const isAnswered = (await killed)?.status === 200;
  const found = await hashOf(restarted);
  expectStatus(await send(restarted), 200, name);
  const isDone = found === (await hashOf(restarted));
  soak.tally(`killed ${name}, ${isAnswered ? 'answered' : isDone ? 'done, not answered' : 'not done'}`);
  const isWhole = isDone || (!isAnswered && found === before);
  demand(
    isWhole,
    `a ${name} that was ${isAnswered ? 'answered' : 'killed'} left neither the old ledger nor the new one`,
  );
  promises.forget();
  return restarted;
};

/** A clock that runs a day a second: kills the server during its runs and while the next start catches up. */
const catchUp: Round = async (killing, server) => {
  const { soak, ledger } = killing;
  const { random } = soak;
  soak.tally('killed catch-up');
  await ask(server, 'PUT', '/sandbox/clock', { mode: 'running', rate: 86_400 });
  await setTimeout(random.below(1_500));
  await server.kill();
  soak.step();
  await setTimeout(random.below(2_000));
  // Kills a start early, or while it catches up.
  await KilledServer.startAndKill(soak, ledger, 100 + random.below(900));
  const restarted = await again(killing, server);
  await ask(restarted, 'PUT', '/sandbox/clock', { mode: 'frozen' });
  return restarted;
};

export const rounds: readonly Round[] = [
  ...[manyWrites, manyWrites, manyWrites, manyWrites, manyWrites],
  ...[longAdvance, goingBack, catchUp],
];

async function hashOf(server: KilledServer): Promise<string> {
  return String((await ask(server, 'GET', '/sandbox/ledger/hash')).hash);
}

/** The body of an answer of 200. */
export async function ask(server: KilledServer, method: string, target: string, body?: object): Promise<Reply['body']> {
  return expectStatus(await server.control(method, target, body), 200, `${method} ${target}`).body;
}
