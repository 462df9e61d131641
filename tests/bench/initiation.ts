import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { at } from '../lab/bank.ts';
import { closeInOnePiece } from './bench-bank.ts';
import { figure, type Figure } from './measure.ts';
import { bankingDay, frozen, serve, serveByHand, serveInMemory, Servers, start } from './servers.ts';
import { initiationsIn, ratesOf, refusedInitiation } from './signed-requests.ts';

/**
 * Signed initiations over HTTP, beside a server that does the same by hand; on a file, where each waits for the disk; and beside a client
 * whose signature never fits: the doctor searches each of its requests to the end (rules.md G12).
 */
export async function figures(folder: string, scale: number): Promise<Figure[]> {
  await using servers = new Servers();
  const ledger = join(folder, 'initiation.sqlite');
  await (await start(serve('--ledger', ledger, ...frozen))).stop();
  closeInOnePiece(new BetterSqlite3(ledger));
  const addressOf = async (words: readonly string[]): Promise<string> => (await servers.start(words)).address;
  const [byHand, inMemory] = [await addressOf(serveByHand(ledger, at(bankingDay))), await addressOf(serveInMemory())];
  const rates = await ratesOf({
    byHand: initiationsIn(byHand, [], 5_000 / scale),
    bank: initiationsIn(inMemory, [], 5_000 / scale),
    onFile: initiationsIn(await addressOf(serve('--ledger', ledger)), [], 5_000 / scale),
  });
  const refused = await addressOf(serveInMemory());
  const { alone, beside } = await ratesOf({
    alone: initiationsIn(refused, [], 3_000 / scale),
    beside: {
      ...initiationsIn(refused, [], 3_000 / scale, 1_000_000),
      beside: { request: refusedInitiation(), status: 400 },
    },
  });
  const [unit, what] = ['requests/s', 'signed initiations'] as const;
  return [
    figure(`${what}, in memory`, rates.bank, unit, { of: ['by hand', rates.byHand], atLeast: 0.75 }),
    figure(`${what}, on a file`, rates.onFile, unit, { of: ['in memory', rates.bank], atLeast: 0.8 }),
    figure(`${what}, beside a client that is refused`, beside, unit, { of: ['alone', alone], atLeast: 0.9 }),
  ];
}
