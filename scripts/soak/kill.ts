import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { openLedger } from '../../engine/ledger/database.ts';
import { brokenProofs } from '../lab/proof.ts';
import { rowsOf } from '../lab/rows.ts';
import { type Campaign, demand, type Soak } from './campaign.ts';
import { Promises } from './kill-promises.ts';
import { ask, rounds } from './kill-rounds.ts';
import { followWhile, KilledServer } from './killed-server.ts';

/** Other rounds per killed first start. */
const roundsPerFirstStart = 10;

/** One of this many rounds has a follower of the ledger. */
const roundsPerFollowed = 2;

/**
 * `kill -9` of a server at random moments of everything that writes. `tamper` runs between each kill and the next start, to prove that
 * the campaign finds its changes.
 */
export function killCampaign(tamper: (ledger: string) => void = () => undefined): Campaign {
  return { unit: 'kills', usualCount: 2_000, run: (soak) => run(soak, tamper) };
}

export const kill: Campaign = killCampaign();

async function run(given: Soak, tamper: (ledger: string) => void): Promise<void> {
  const folder = given.folder();
  const ledger = join(folder, 'ledger.sqlite');
  const promises = new Promises();
  let [count, kills] = [0, 0];
  const step = (): void => {
    kills += 1;
    given.step();
  };
  const soak = { ...given, step };
  const killing = { soak, ledger, promises, tamper, next: () => (count += 1) };
  let server = await KilledServer.start(soak, ledger);
  await ask(server, 'POST', '/sandbox/snapshots', { name: 'start' });
  promises.snapshots.set('start', 'there');
  while (kills < soak.count) {
    if (soak.random.below(roundsPerFirstStart) === 0) await killFirstStart(soak, folder);
    const round = soak.random.pick(rounds);
    const play = async (): Promise<void> => void (server = await round(killing, server));
    if (soak.random.below(roundsPerFollowed) === 0) await followed(soak, ledger, play);
    else await play();
    demand((await server.raw('GET', '/ready')).status === 200, 'the server is not ready');
    const proof = await ask(server, 'GET', '/sandbox/ledger/proof');
    demand(proof.ok === true, () => `the books are broken: ${JSON.stringify(proof).slice(0, 500)}`);
    await promises.hold(server);
    await holdBooks(ledger);
  }
}

/** A round while another process follows the ledger. */
async function followed(soak: Soak, ledger: string, play: () => Promise<void>): Promise<void> {
  soak.tally('rounds with a follower');
  await followWhile(soak, ledger, play);
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
async function holdBooks(path: string): Promise<void> {
  const ledger = await openLedger(path);
  try {
    const broken: Record<string, unknown> = { ...(await brokenProofs({ ledger })) };
    await ledger.read(async (reader) => {
      for (const [name, statement] of Object.entries(checks)) {
        const rows = await rowsOf(reader, statement);
        if (rows.length > 0) broken[name] = rows;
      }
    });
    const asText = (_key: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);
    const found = Object.keys(broken).length > 0;
    demand(!found, () => `the books are broken: ${JSON.stringify(broken, asText).slice(0, 2_000)}`);
  } finally {
    await ledger.close();
  }
}
