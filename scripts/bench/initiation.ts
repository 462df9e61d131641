import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { at } from '../lab/bank.ts';
import { closeInOnePiece } from './bench-bank.ts';
import { figure, type Figure } from './figure.ts';
import { serve, serveByHand, withServers } from './servers.ts';
import { initiation, ratesOf, type Stream } from './signed-requests.ts';

/** A banking day, so that no answer has a warning. */
export const bankingDay = '2027-03-16T12:00:00Z';

/** Signed initiations over HTTP, beside a server that does the same by hand; on a file, where each waits for the disk. */
export function figures(folder: string, scale: number): Promise<Figure[]> {
  return withServers(async (start) => {
    const clock = ['--clock-mode', 'frozen', '--clock-now', bankingDay];
    const ledger = join(folder, 'initiation.sqlite');
    await (await start(serve('--ledger', ledger, ...clock))).stop();
    closeInOnePiece(new BetterSqlite3(ledger));
    const stream = async (words: readonly string[]): Promise<Stream> => {
      return { address: (await start(words)).address, requests: initiationsOf(5_000 / scale), status: 201 };
    };
    const { byHand, bank, onFile } = await ratesOf({
      byHand: await stream(serveByHand(ledger, at(bankingDay))),
      bank: await stream(serve('--ledger', ':memory:', ...clock)),
      onFile: await stream(serve('--ledger', ledger)),
    });
    return [
      figure('signed initiations, in memory', bank, 'requests/s', { of: ['by hand', byHand], atLeast: 0.75 }),
      figure('signed initiations, on a file', onFile, 'requests/s', { of: ['in memory', bank], atLeast: 0.8 }),
    ];
  });
}

/** `count` initiations a turn. No two of them are alike; `from`: other streams to the same bank have others. */
export function initiationsOf(count: number, from = 0): Stream['requests'] {
  return (turn) => Array.from({ length: count }, (_, index) => initiation(from + turn * count + index));
}
