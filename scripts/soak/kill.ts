import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Campaign, type Soak, Violation } from './campaign.ts';
import { holdBooks } from './kill-books.ts';
import { expectStatus, Promises } from './kill-promises.ts';
import { catchUp, goingBack, longAdvance, manyWrites, type Round } from './kill-rounds.ts';
import { KilledServer } from './killed-server.ts';

/** `kill -9` of a server at random moments of everything that writes. */
export const kill: Campaign = killCampaign();

const rounds: readonly [Round, ...Round[]] = [
  ...[manyWrites, manyWrites, manyWrites, manyWrites, manyWrites],
  ...[longAdvance, goingBack, catchUp],
] as const;

/** Other rounds per killed first start. */
const roundsPerFirstStart = 10;

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
      if (soak.random.below(roundsPerFirstStart) === 0) await killFirstStart(killing.soak, folder);
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

/** Kills the first start on a folder without a ledger; the next start must make a whole one, or go on with what is there. */
async function killFirstStart({ random, step, tally }: Soak, folder: string): Promise<void> {
  tally('killed first start');
  const ledger = join(folder, 'new', 'ledger.sqlite');
  rmSync(join(folder, 'new'), { recursive: true, force: true });
  await KilledServer.startAndKill(ledger, 50 + random.below(450));
  step();
  const server = await KilledServer.start(ledger);
  try {
    const found = expectStatus(await server.control('GET', '/sandbox/payments'), 200, 'the payments of a new ledger');
    if (found.body.payments.length > 0) throw new Violation('a new ledger has payments');
    await holdBooks(ledger);
  } finally {
    await server.kill();
    step();
  }
}
