import { rmSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { resetBank } from '../../engine/reset-bank.ts';
import { restoreSnapshot } from '../../engine/reset-bank.ts';
import { saveSnapshot } from '../../engine/bank/snapshots.ts';
import { openBenchBank } from './bench-bank.ts';
import { bookStatements } from './book.ts';

/** Ledger and clock go back, again and again. */
export interface SnapshotsMeasured {
  /** ms, at the 95th percentile. */
  readonly reset: number;
  readonly restore: number;
}

const turns = 21;
/** As between two tests: what the last restore began in the background is done, in ms. */
const pause = 100;

/** Restores a snapshot with so many payments, and resets the bank that holds them, in turns. */
export async function measureSnapshots(path: string, payments: number): Promise<SnapshotsMeasured> {
  const bank = await openBenchBank(path);
  const size = { accounts: payments / 10, due: payments, history: 0 };
  await bank.ledger.write(async (tx) => {
    for (const statement of bookStatements(size)) await sql.raw(statement).execute(tx);
  });
  await saveSnapshot(bank, 'full');
  const times: { reset: number[]; restore: number[] } = { reset: [], restore: [] };
  // The first turn loads code and settles the file: it is not counted.
  for (let turn = 0; turn <= turns; turn += 1) {
    const reset = await timed(() => resetBank(bank));
    const restore = await timed(() => restoreSnapshot(bank, 'full'));
    if (turn === 0) continue;
    times.reset.push(reset);
    times.restore.push(restore);
  }
  await bank.close();
  if (path !== ':memory:') {
    for (const suffix of ['', '-wal', '-shm', '.snapshots']) rmSync(path + suffix, { force: true, recursive: true });
  }
  return { reset: percentile95(times.reset), restore: percentile95(times.restore) };
}

async function timed(work: () => Promise<void>): Promise<number> {
  await setTimeout(pause);
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function percentile95(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length * 0.95)] ?? 0;
}
