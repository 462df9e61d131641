import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Campaign, Soak } from './campaign.ts';
import { holdBooks } from './kill-books.ts';
import { killMigration } from './kill-migration.ts';
import { expectStatus, Promises } from './kill-promises.ts';
import { catchUp, goingBack, longAdvance, manyWrites, type Round } from './kill-rounds.ts';
import { KilledServer } from './killed-server.ts';

/** `kill -9` of a server at random moments of everything that writes. */
export const kill: Campaign = killCampaign();

const rounds: readonly [Round, ...Round[]] = [
  ...[manyWrites, manyWrites, manyWrites, manyWrites, manyWrites],
  ...[longAdvance, goingBack, catchUp],
] as const;

/** One migration for so many other rounds. */
const roundsPerMigration = 10;

/** `tamper` comes between each kill and the next start, to see that the campaign finds what it changes. */
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
