import { join } from 'node:path';
import { serveBook } from './bench-bank.ts';
import { longestBeside } from './beside.ts';
import { figure, type Figure } from './measure.ts';

/** One block of the event loop is enough to fail, so the longest wait of these turns counts. */
const turns = 3;

/** Ledger, what is asked, its path, and the longest wait in ms. */
const waits = [
  ['in memory', '/health', '/health', 50],
  ['in memory', "another bank's clock", '/banks/other/sandbox/clock', 50],
  ['on a file', '/health', '/health', 150],
  ['on a file', "another bank's clock", '/banks/other/sandbox/clock', 150],
] as const;

/** The longest wait of other requests while one bank of the server carries out a large run. */
export async function figures(folder: string, scale: number): Promise<Figure[]> {
  const due = 50_000 / scale;
  const all: Figure[] = [];
  for (const [index, [place, asked, path, atMost]] of waits.entries()) {
    console.error(`  ${asked} ${place}`);
    const longest: number[] = [];
    for (let turn = 0; turn < turns; turn += 1) {
      const ledger = place === 'in memory' ? ':memory:' : join(folder, `waiting-${index}-${turn}.sqlite`);
      longest.push(await longestWait(folder, ledger, path, due));
    }
    const name = `${asked} while ${due.toLocaleString('en')} settle ${place}, longest wait`;
    all.push(figure(name, Math.max(...longest), 'ms', { atMost }));
  }
  return all;
}

/** In ms. The server is in this process, the client in another. */
async function longestWait(folder: string, ledger: string, path: string, due: number): Promise<number> {
  await using server = await serveBook(folder, due, ledger);
  const { address } = server;
  await server.control('POST', '/sandbox/banks', { name: 'other' });
  // The server ends with this block.
  return await longestBeside({ address, path }, async () => {
    const { runs } = (await server.advance({ runs: 1 })).body;
    if (runs[0]?.settled !== due) throw new Error(`${runs[0]?.settled} of ${due} payments settled`);
  });
}
