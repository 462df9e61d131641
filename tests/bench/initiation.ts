import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { at } from '../lab/bank.ts';
import { closeInOnePiece } from './bench-bank.ts';
import { figure, type Figure } from './measure.ts';
import { bankingDay, frozen, serve, serveByHand, serveInMemory, Servers, start } from './servers.ts';
import { initiationsIn, ratesOf } from './signed-requests.ts';

/**
 * Signed initiations over HTTP, beside a server that does the same by hand, on a file, where each waits for the disk, and over TLS with
 * connections that are kept.
 */
export async function figures(folder: string, scale: number): Promise<Figure[]> {
  await using servers = new Servers();
  const ledger = join(folder, 'initiation.sqlite');
  await (await start(serve('--ledger', ledger, ...frozen))).stop();
  closeInOnePiece(new BetterSqlite3(ledger));
  const [byHand, inMemory] = [
    await servers.start(serveByHand(ledger, at(bankingDay))),
    await servers.start(serveInMemory()),
  ];
  const rates = await ratesOf({
    byHand: initiationsIn(byHand, [], 2_000 / scale),
    bank: initiationsIn(inMemory, [], 2_000 / scale),
    overTls: initiationsIn(await servers.start(serveInMemory('--tls')), [], 2_000 / scale),
    onFile: initiationsIn(await servers.start(serve('--ledger', ledger)), [], 2_000 / scale),
  });
  const [unit, what] = ['requests/s of processor', 'signed initiations'] as const;
  return [
    figure(`${what}, in memory`, rates.bank, unit, { of: ['by hand', rates.byHand], atLeast: 0.75 }),
    figure(`${what}, over TLS`, rates.overTls, unit, { of: ['over HTTP', rates.bank], atLeast: 0.9 }),
    figure(`${what}, on a file`, rates.onFile, unit, { of: ['in memory', rates.bank], atLeast: 0.8 }),
  ];
}
