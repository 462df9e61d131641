import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { openLedger } from '../../engine/ledger/database.ts';
import { type Campaign, demand, demandBooks, type Search } from './campaign.ts';
import { makeMove } from './kill-moves.ts';
import { ask, expectStatus, KilledServer, Promises, waysBack } from './killed-server.ts';

/** Other rounds per killed first start. */
const roundsPerFirstStart = 10;

/** Runs between a kill and the next start, on the ledger file: a test does harm. */
type Change = (ledger: string) => void;

/** `kill -9` of a server at random moments of everything that writes. */
export const kill: Campaign<Change> = async (search, change = () => undefined) => {
  const { random, tally, step } = search;
  const folder = search.folder();
  const ledger = join(folder, 'ledger.sqlite');
  const promises = new Promises();
  let server = await KilledServer.start(search, ledger);
  await promises.begin(server);
  /** Each kills the server at least once, and starts it again. */
  const rounds: readonly (() => Promise<void>)[] = [
    ...[manyWrites, manyWrites, manyWrites, manyWrites, manyWrites],
    ...[longAdvance, goingBack, catchUp],
  ];
  while (search.left() > 0) {
    if (random.below(roundsPerFirstStart) === 0) await killFirstStart(search, folder);
    await random.pick(rounds)();
    demand((await server.raw('GET', '/ready')).status === 200, 'the server is not ready');
    await promises.hold(server);
    await holdBooks(ledger);
  }

  async function again(): Promise<void> {
    await server.kill();
    step();
    change(ledger);
    server = await KilledServer.start(search, ledger);
  }

  /** Clients that initiate, sign, cancel, force, advance, save and create, all at once. */
  async function manyWrites(): Promise<void> {
    let underWay = 0;
    const sent = Array.from({ length: 3 + random.below(12) }, () => {
      underWay += 1;
      return makeMove({ random, tally, server, promises }).finally(() => (underWay -= 1));
    });
    const all = Promise.allSettled(sent);
    await setTimeout(random.below(300));
    tally('requests under way at a kill', underWay);
    await again();
    for (const result of await all) if (result.status === 'rejected') throw result.reason;
  }

  /** Kills an advance over many runs and compares it with an undisturbed one. */
  async function longAdvance(): Promise<void> {
    const runs = 20 + random.below(60);
    await ask(server, 'POST', '/sandbox/snapshots', { name: 'before-advance' });
    const begun = performance.now();
    const { to } = await ask(server, 'POST', '/sandbox/clock/advance', { runs });
    const took = performance.now() - begun;
    const undisturbed = await hashOf(server);
    await ask(server, 'POST', '/sandbox/snapshots/before-advance/restore');
    const killed = server.advance({ runs }).catch(() => null);
    await setTimeout(random.below(Math.ceil(took)));
    await again();
    tally((await killed) === null ? 'killed advance, in the middle' : 'killed advance, at its end');
    await ask(server, 'POST', '/sandbox/clock/advance', { to });
    demand((await hashOf(server)) === undisturbed, `a killed advance of ${runs} runs ended in another ledger`);
  }

  /** Kills a reset, an initialize or a restore: afterwards everything is old or everything is new. */
  async function goingBack(): Promise<void> {
    const [name, send] = random.pick(Object.entries(waysBack));
    const before = await hashOf(server);
    const killed = send(server).catch(() => null);
    await setTimeout(random.below(60));
    await again();
    const isAnswered = (await killed)?.status === 200;
    const found = await hashOf(server);
    expectStatus(await send(server), 200, name);
    const isDone = found === (await hashOf(server));
    tally(`killed ${name}, ${isAnswered ? 'answered' : isDone ? 'done, not answered' : 'not done'}`);
    const isWhole = isDone || (!isAnswered && found === before);
    const how = isAnswered ? 'answered' : 'killed';
    demand(isWhole, `a ${name} that was ${how} left neither the old ledger nor the new one`);
    promises.forget();
  }

  /** A clock that runs a day a second: kills the server during its runs and while the next start catches up. */
  async function catchUp(): Promise<void> {
    tally('killed catch-up');
    await ask(server, 'PUT', '/sandbox/clock', { mode: 'running', rate: 86_400 });
    await setTimeout(random.below(1_500));
    await server.kill();
    step();
    await setTimeout(random.below(2_000));
    // Kills a start early, or while it catches up.
    await KilledServer.startAndKill(search, ledger, 100 + random.below(900));
    await again();
    await ask(server, 'PUT', '/sandbox/clock', { mode: 'frozen' });
  }
};

/** Kills the first start on a folder without a ledger; the next start must make a whole one, or go on with what is there. */
async function killFirstStart(search: Search, folder: string): Promise<void> {
  search.tally('killed first start');
  const ledger = join(folder, 'new', 'ledger.sqlite');
  rmSync(join(folder, 'new'), { recursive: true, force: true });
  await KilledServer.startAndKill(search, ledger, 50 + search.random.below(450));
  search.step();
  const server = await KilledServer.start(search, ledger);
  const { payments } = await ask(server, 'GET', '/sandbox/payments');
  demand(payments.length === 0, 'a new ledger has payments');
  await holdBooks(ledger);
  await server.kill();
  search.step();
}

/** Queries that must return no rows. */
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

async function hashOf(server: KilledServer): Promise<string> {
  return String((await ask(server, 'GET', '/sandbox/ledger/hash')).hash);
}
