import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Campaign, type Soak, Violation } from './campaign.ts';
import { holdBooks } from './kill-books.ts';
import { expectStatus, Promises } from './kill-promises.ts';
import { catchUp, goingBack, longAdvance, manyWrites, type Round } from './kill-rounds.ts';
import { KilledServer } from './killed-server.ts';
import BetterSqlite3 from 'better-sqlite3';

/** `kill -9` of a server at random moments of everything that writes. */
export const kill: Campaign = killCampaign();

const rounds: readonly [Round, ...Round[]] = [
  ...[manyWrites, manyWrites, manyWrites, manyWrites, manyWrites],
  ...[longAdvance, goingBack, catchUp],
] as const;

/** Other rounds per migration round. */
const roundsPerMigration = 10;

/** `tamper` runs between each kill and the next start, to prove that the campaign finds its changes. */
export function killCampaign(tamper: (ledger: string) => void = () => undefined): Campaign {
  return {
    unit: 'kills',
    usualCount: 2_000,
    run: async (soak) => {
      const folder = mkdtempSync(join(tmpdir(), 'sandbank-kill-'));
      try {
        await killAll(soak, folder, tamper);
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
  };
}

async function killAll(soak: Soak, folder: string, tamper: (ledger: string) => void): Promise<void> {
  const ledger = join(folder, 'ledger.sqlite');
  const promises = new Promises();
  let count = 0;
  let kills = 0;
  const step = (): void => {
    kills += 1;
    soak.step();
  };
  const killing = { soak: { ...soak, step }, ledger, promises, tamper, next: () => (count += 1) };
  let server = await KilledServer.start(ledger);
  try {
    expectStatus(await server.control('POST', '/sandbox/snapshots', { name: 'start' }), 200, 'the first snapshot');
    promises.snapshots.set('start', 'there');
    while (kills < soak.count) {
      if (soak.random.below(roundsPerMigration) === 0) await killMigration(killing.soak, folder);
      server = await soak.random.pick(rounds)(killing, server);
      expectStatus(await server.control('GET', '/ready'), 200, '/ready');
      const proof = expectStatus(await server.control('GET', '/sandbox/ledger/proof'), 200, 'the proof');
      expectStatus({ ...proof, status: proof.body.ok === true ? 200 : 500 }, 200, 'the books');
      await promises.hold(server);
      await holdBooks(ledger);
    }
  } finally {
    await KilledServer.killAll();
  }
}

const older = readFileSync(new URL('../../tests/ledger/ledger-of-002.sql', import.meta.url), 'utf8');

/** The payments of that ledger and their statuses, as the older program reported them. */
const payments = {
  'enc!!r2Qq4ivDqMirjaZrmUBMhZvIn0IIGoEWfGCaJkoVIg==': 'ACSC',
  'enc!!-yLV09REYJoJoebNFlQ1KYTuouB9z7O5nucLk4qWKg==': 'ACSP',
  'enc!!TeZz3MnzdvgSCKo5ivjkwd4OO1dLeiq3kpXXoD9bFQ==': 'ACSP',
  'enc!!tExWnZQSNBunJq6Bb-22EDjnPj8XpkI_oVoFRu5VeA==': 'RCVD',
};

/** Kills migrations of an older ledger; one that is left alone must then show every payment as before. */
async function killMigration({ random, step, tally }: Soak, folder: string): Promise<void> {
  tally('killed migration');
  const ledger = join(folder, 'older.sqlite');
  for (const end of ['', '-wal', '-shm']) rmSync(`${ledger}${end}`, { force: true });
  const file = new BetterSqlite3(ledger);
  file.exec(older);
  file.close();
  await KilledServer.startAndKill(ledger, 100 + random.below(900));
  step();
  const server = await KilledServer.start(ledger);
  try {
    for (const [id, status] of Object.entries(payments)) {
      const target = `/sandbox/payments/${encodeURIComponent(id)}`;
      const { body } = expectStatus(await server.control('GET', target), 200, `payment ${id} of an older program`);
      if (body.status !== status)
        throw new Violation(`payment ${id} was ${status}, and is ${body.status} after a migration`);
    }
    await holdBooks(ledger);
  } finally {
    await server.kill();
    step();
  }
}
