import { setTimeout } from 'node:timers/promises';
import type { LocalDate } from '../../engine/values/local-date.ts';
import type { Reply } from '../../lab/server.ts';
import { Violation, type Soak } from './campaign.ts';
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
export type Round = (killing: Killing, server: KilledServer) => Promise<KilledServer>;

/** Kills and restarts the server, and checks the promises. */
async function again({ soak, ledger, tamper }: Killing, server: KilledServer): Promise<KilledServer> {
  await server.kill();
  soak.step();
  tamper(ledger);
  return KilledServer.start(ledger);
}

/** Clients that initiate, sign, cancel, force, advance, save and create, all at once. */
export const manyWrites: Round = async (killing, server) => {
  const { soak, promises, next } = killing;
  const { random } = soak;
  const { body } = expectStatus(await server.control('GET', '/sandbox/clock'), 200, 'the clock');
  const context = { server, random, promises, today: body.date as LocalDate, next };
  const sent: Promise<void>[] = [];
  let underWay = 0;
  const ms = random.below(300);
  for (let count = 3 + random.below(12); count > 0; count -= 1) {
    const { name, send } = drawMove(context);
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
export const longAdvance: Round = async (killing, server) => {
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
  const hash = await hashOf(restarted);
  if (hash !== undisturbed) throw new Violation(`an advance of ${runs} runs that was killed ended in another ledger`);
  return restarted;
};

type Way = readonly [name: string, send: (server: KilledServer) => Promise<Reply>];

const ways: readonly [Way, ...Way[]] = [
  ['reset', (server) => server.control('POST', '/sandbox/reset')],
  ['initialize', (server) => server.signed('POST', '/v1/sandbox/initialize')],
  ['restore', (server) => server.control('POST', '/sandbox/snapshots/start/restore')],
];

/** Kills a reset, an initialize or a restore: afterwards everything is old or everything is new. */
export const goingBack: Round = async (killing, server) => {
  const { soak, promises } = killing;
  const { random } = soak;
  const [name, send] = random.pick(ways);
  const before = await hashOf(server);
  const killed = send(server).catch(() => null);
  await setTimeout(random.below(60));
  const restarted = await again(killing, server);
  const answered = (await killed)?.status === 200;
  const found = await hashOf(restarted);
  expectStatus(await send(restarted), 200, name);
  const after = await hashOf(restarted);
  soak.tally(`killed ${name}, ${answered ? 'answered' : found === after ? 'done, not answered' : 'not done'}`);
  if (found !== after && (answered || found !== before)) {
    throw new Violation(
      `a ${name} that was ${answered ? 'answered' : 'killed'} left what is neither the old nor the new`,
    );
  }
  promises.forget();
  return restarted;
};

/** A clock that runs a day a second: kills the server during its runs and while the next start catches up. */
export const catchUp: Round = async (killing, server) => {
  const { soak, ledger, tamper } = killing;
  const { random } = soak;
  soak.tally('killed catch-up');
  await ask(server, 'PUT', '/sandbox/clock', { mode: 'running', rate: 86_400 });
  await setTimeout(random.below(1_500));
  await server.kill();
  soak.step();
  await setTimeout(random.below(2_000));
  // Kills a start early, or while it catches up.
  await KilledServer.startAndKill(ledger, 100 + random.below(900));
  soak.step();
  tamper(ledger);
  const restarted = await KilledServer.start(ledger);
  await ask(restarted, 'PUT', '/sandbox/clock', { mode: 'frozen' });
  return restarted;
};

async function hashOf(server: KilledServer): Promise<string> {
  return String((await ask(server, 'GET', '/sandbox/ledger/hash')).hash);
}

// oxlint-disable-next-line typescript/no-explicit-any -- members of an answer
async function ask(server: KilledServer, method: string, target: string, body?: object): Promise<any> {
  return expectStatus(await server.control(method, target, body), 200, `${method} ${target}`).body;
}
