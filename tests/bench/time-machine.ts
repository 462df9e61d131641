import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { saveSnapshot } from '../../engine/bank/snapshots.ts';
import { resetBank, restoreSnapshot } from '../../engine/reset-and-restore.ts';
import { carryOut, openBenchBank } from './bench-bank.ts';
import { bookStatements } from '../lab/book.ts';
import { figure, type Figure, inTurns, msOf, quantile } from './measure.ts';

/** Resets and restores of a bank with few payments and with many. */
export async function figures(folder: string, scale: number): Promise<Figure[]> {
  const all: Figure[] = [];
  for (const [payments, atMost] of [
    [1_000, 20],
    [100_000 / scale, 60],
  ] as const) {
    for (const place of ['on a file', 'in memory']) {
      const ledger = place === 'in memory' ? ':memory:' : join(folder, `${payments}.sqlite`);
      for (const [what, ms] of Object.entries(await timesBack(ledger, payments))) {
        const name = `${what} ${payments.toLocaleString('en')} payments ${place}, 95th percentile`;
        all.push(figure(name, quantile(ms, 0.95), 'ms', { atMost }));
      }
    }
  }
  return all;
}

/** Pause in ms, as between two tests, in which the background work of the last restore ends. */
const pause = 100;

/** Times in ms to reset a bank with so many payments, and to restore it. */
async function timesBack(ledger: string, payments: number): Promise<Record<'reset' | 'restore', number[]>> {
  const bank = await openBenchBank(ledger);
  await carryOut(bank, bookStatements({ accounts: payments / 10, due: payments, history: 0 }));
  await saveSnapshot(bank, 'full');
  const ways = { reset: () => resetBank(bank), restore: () => restoreSnapshot(bank, 'full') };
  const times = await inTurns(
    ways,
    async (goBack: () => Promise<unknown>) => {
      await setTimeout(pause);
      return msOf(goBack);
    },
    21,
  );
  await bank.close();
  return times;
}
