import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { Violation, type Soak } from './campaign.ts';
import { holdBooks } from './kill-books.ts';
import { expectStatus } from './kill-promises.ts';
import { KilledServer } from './killed-server.ts';

const older = readFileSync(new URL('../../tests/ledger/ledger-of-002.sql', import.meta.url), 'utf8');

/** The payments of that ledger, and their statuses, as the program that wrote it showed them. */
const payments = {
  'enc!!r2Qq4ivDqMirjaZrmUBMhZvIn0IIGoEWfGCaJkoVIg==': 'ACSC',
  'enc!!-yLV09REYJoJoebNFlQ1KYTuouB9z7O5nucLk4qWKg==': 'ACSP',
  'enc!!TeZz3MnzdvgSCKo5ivjkwd4OO1dLeiq3kpXXoD9bFQ==': 'ACSP',
  'enc!!tExWnZQSNBunJq6Bb-22EDjnPj8XpkI_oVoFRu5VeA==': 'RCVD',
};

/** A ledger of an older program, killed while it is brought up to date; what nobody killed shows every payment as it was. */
export async function killMigration({ random, step, tally }: Soak, folder: string): Promise<void> {
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
