import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { tempFolder } from '../../support/temp-folder.ts';
import { advanceClock } from '../../../engine/runs/advance-clock.ts';
import { busyEnd, layBusyLedger, openBusy } from '../../support/busy-ledger.ts';
import { compileCache } from '../../support/kept.ts';
import { brokenProofs } from '../../lab/proof.ts';
import { dump } from '../../lab/rows.ts';
import { isWhole } from '../../support/sample.ts';
import { seeded } from '../../lab/seeded.ts';

const folder = tempFolder();
const laid = join(folder, 'laid.sqlite');
const program = fileURLToPath(new URL('settling-process.ts', import.meta.url));

/** The rows of a ledger that one process settled without being disturbed. */
let twin: Awaited<ReturnType<typeof dump>>;

beforeAll(async () => {
  await layBusyLedger(laid);
  twin = await finish(copyOfLaid('twin'));
}, 30_000);

function copyOfLaid(name: string): string {
  const file = join(folder, `${name}.sqlite`);
  copyFileSync(laid, file);
  return file;
}

/** Opens what is there, settles what is left of it, and gives the rows. */
async function finish(file: string): ReturnType<typeof dump> {
  const bank = await openBusy(file);
  await advanceClock(bank, busyEnd);
  const rows = await dump(bank);
  await bank.close();
  return rows;
}

async function proofsOf(file: string): ReturnType<typeof brokenProofs> {
  const bank = await openBusy(file);
  const broken = await brokenProofs(bank);
  await bank.close();
  return broken;
}

function settle(file: string): ChildProcess {
  return spawn(process.execPath, [program, file], { stdio: ['ignore', 'pipe', 'inherit'], env: compileCache });
}

/** Kills a settling process this long after it began; false when it had ended by itself. */
async function killAfter(file: string, ms: number): Promise<boolean> {
  const child = settle(file);
  const exit = once(child, 'exit');
  if (child.stdout !== null) await once(child.stdout, 'data');
  await new Promise((resolve) => setTimeout(resolve, ms));
  child.kill('SIGKILL');
  const [, signal] = (await exit) as [number | null, string | null];
  return signal === 'SIGKILL';
}

describe('one ledger file', () => {
  test('T4: two processes that settle it at the same time carry out each run once', async () => {
    const file = copyOfLaid('shared');
    const exits = [settle(file), settle(file), settle(file)].map((child) => once(child, 'exit'));
    for (const exit of await Promise.all(exits)) expect(exit).toEqual([0, null]);
    expect(await finish(file)).toEqual(twin);
    expect(await proofsOf(file)).toEqual({});
  }, 60_000);

  const seed = randomInt(2 ** 31);
  // The campaign `kill` has the long search.
  const moments = isWhole ? 20 : 4;

  test(`R8, T4: SIGKILL at ${moments} random moments of a settlement loses nothing and repeats nothing (seed ${seed})`, async () => {
    const random = seeded(seed);
    let kills = 0;
    let file = copyOfLaid('killed-0');
    while (kills < moments) {
      if (await killAfter(file, random.below(250))) {
        kills += 1;
        expect(await proofsOf(file)).toEqual({});
      } else {
        expect(await finish(file)).toEqual(twin);
        file = copyOfLaid(`killed-${kills}`);
      }
    }
    expect(await finish(file)).toEqual(twin);
    expect(await proofsOf(file)).toEqual({});
  }, 120_000);

  test('T4: a second handle that is behind finds that the runs have been', async () => {
    const file = copyOfLaid('handles');
    const [first, second] = [await openBusy(file), await openBusy(file)];
    await advanceClock(first, busyEnd);
    expect((await advanceClock(second, busyEnd)).runs).toEqual([]);
    expect(await dump(second)).toEqual(twin);
    await first.close();
    await second.close();
  }, 30_000);

  test('the twin settled something, retried something and rejected something', () => {
    const outcomes = new Set(twin['attempt']?.map((row) => row['outcome']));
    expect([...outcomes].sort()).toEqual(['reject', 'retry', 'settle']);
  });
});
