import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { openLedger } from '../../engine/ledger/database.ts';
import type { LocalDate } from '../../engine/values/local-date.ts';
import type { Reply } from '../lab/server.ts';
import { type Campaign, demand, demandBooks, type Soak } from './campaign.ts';
import { drawMove } from './kill-moves.ts';
import { ask, demandProof, expectStatus, Promises, UnderWay } from './kill-promises.ts';
import { followWhile, KilledServer } from './killed-server.ts';

/** Other rounds per killed first start. */
const roundsPerFirstStart = 10;

/** One of this many rounds has a follower of the ledger. */
const roundsPerFollowed = 2;

/** Runs between a kill and the next start, on the ledger file: a test does harm. */
type Change = (ledger: string) => void;

/** `kill -9` of a server at random moments of everything that writes. */
export const kill: Campaign<Change> = { unit: 'kills', usualCount: 2_000, run };

async function run(soak: Soak, change: Change = () => undefined): Promise<void> {
  const folder = soak.folder();
  const ledger = join(folder, 'ledger.sqlite');
  const promises = new Promises();
  let count = 0;
  const killing = { soak, ledger, promises, change, next: () => (count += 1) };
  let server = await KilledServer.start(soak, ledger);
  await ask(server, 'POST', '/sandbox/snapshots', { name: 'start' });
  promises.snapshots.set('start', 'there');
  while (soak.left() > 0) {
    if (soak.random.below(roundsPerFirstStart) === 0) await killFirstStart(soak, folder);
    const round = soak.random.pick(rounds);
    const play = async (): Promise<void> => void (server = await round(killing, server));
    const isFollowed = soak.random.below(roundsPerFollowed) === 0;
    if (isFollowed) soak.tally('rounds with a follower');
    await (isFollowed ? followWhile(soak, ledger, play) : play());
    demand((await server.raw('GET', '/ready')).status === 200, 'the server is not ready');
    await demandProof(server);
    await promises.hold(server);
    await holdBooks(ledger);
  }
}

/** Kills the first start on a folder without a ledger; the next start must make a whole one, or go on with what is there. */
async function killFirstStart(soak: Soak, folder: string): Promise<void> {
  soak.tally('killed first start');
  const ledger = join(folder, 'new', 'ledger.sqlite');
  rmSync(join(folder, 'new'), { recursive: true, force: true });
  await KilledServer.startAndKill(soak, ledger, 50 + soak.random.below(450));
  soak.step();
  const server = await KilledServer.start(soak, ledger);
  const { payments } = await ask(server, 'GET', '/sandbox/payments');
  demand(payments.length === 0, 'a new ledger has payments');
  await holdBooks(ledger);
  await server.kill();
  soak.step();
}

/** The text from `mark-` to the next point in a column. */
const markIn = (column: string): string => {
  const rest = `substr(${column}, instr(${column}, 'mark-'))`;
  return `substr(${rest}, 1, instr(${rest}, '.'))`;
};
const keptTwice = (table: string, column: string): string =>
  `select ${markIn(column)} as mark from ${table} where instr(${column}, 'mark-') > 0 group by mark having count(*) > 1`;

/** Queries that must return no rows: runs out of order, initiations stored twice. */
const checks = {
  'runs after the last one passed': `select date, number from settlement_run
    where at > (select last_run_at from bank_state)`,
  'runs whose attempts are not what they counted': `select r.date, r.number from settlement_run r
    left join attempt a on a.run_date = r.date and a.run_number = r.number group by r.date, r.number
    having sum(a.outcome is 'settle') <> r.settled or sum(a.outcome is 'retry') <> r.retried
      or sum(a.outcome is 'reject') <> r.rejected`,
  'attempts that are not in the order of their runs': `select one.execution_id from attempt one
    join attempt later on later.execution_id = one.execution_id and later.number > one.number
    where (later.run_date, later.run_number) <= (one.run_date, one.run_number)`,
  'initiations that were kept twice': keptTwice('payment_initiation', 'body'),
  'bulk payments that were kept twice': keptTwice('credit_transfer', 'initiation'),
} as const;

/** Checks the books of a ledger by SQL of the tests, while the server has it open. */
export async function holdBooks(path: string): Promise<void> {
  const ledger = await openLedger(path);
  try {
    await demandBooks({ ledger }, '', checks);
  } finally {
    await ledger.close();
  }
}

/** Input of all rounds. */
interface Killing {
  readonly soak: Soak;
  readonly ledger: string;
  readonly promises: Promises;
  readonly next: () => number;
  readonly change: Change;
}

/** A round takes a running server, kills it at least once, and returns a running one. */
type Round = (killing: Killing, server: KilledServer) => Promise<KilledServer>;

/** Kills and restarts the server. */
async function again({ soak, ledger, change }: Killing, server: KilledServer): Promise<KilledServer> {
  await server.kill();
  soak.step();
  change(ledger);
  return KilledServer.start(soak, ledger);
}

/** Clients that initiate, sign, cancel, force, advance, save and create, all at once. */
const manyWrites: Round = async (killing, server) => {
  const { soak, promises, next } = killing;
  const { date: today } = (await ask(server, 'GET', '/sandbox/clock')) as { readonly date: LocalDate };
  const sent = new UnderWay();
  const ms = soak.random.below(300);
  for (let count = 3 + soak.random.below(12); count > 0; count -= 1)
    sent.send(drawMove({ ...soak, server, promises, today, next })());
  await sent.kill(soak, ms, () => server.kill());
  return again(killing, server);
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

const rounds: readonly Round[] = [
  ...[manyWrites, manyWrites, manyWrites, manyWrites, manyWrites],
  ...[longAdvance, goingBack, catchUp],
];

async function hashOf(server: KilledServer): Promise<string> {
  return String((await ask(server, 'GET', '/sandbox/ledger/hash')).hash);
}
