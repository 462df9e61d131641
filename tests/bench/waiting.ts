import { join } from 'node:path';
import { serveBook } from './bench-bank.ts';
import { longestBeside } from './beside.ts';
import { figure, type Figure } from './measure.ts';

/** One block of the event loop is enough to fail, so the longest wait of these turns counts. */
const turns = 3;

/** What is asked, and its path. */
const asked = { '/health': '/health', "another bank's clock": '/banks/other/sandbox/clock' };

/** The longest wait of other requests while one bank of the server carries out a large run. */
export async function figures(folder: string, scale: number): Promise<Figure[]> {
  const due = 50_000 / scale;
  const all: Figure[] = [];
  for (const [place, atMost] of Object.entries({ 'in memory': 50, 'on a file': 150 })) {
    const longest: number[][] = [];
    for (let turn = 0; turn < turns; turn += 1) {
      console.error(`  turn ${turn + 1} of ${turns} ${place}`);
      const ledger = place === 'in memory' ? ':memory:' : join(folder, `waiting-${turn}.sqlite`);
      longest.push(await longestWaits(folder, ledger, due));
    }
    Object.keys(asked).forEach((what, at) => {
      const name = `${what} while ${due.toLocaleString('en')} settle ${place}, longest wait`;
      all.push(figure(name, Math.max(...longest.map((waits) => waits[at] ?? NaN)), 'ms', { atMost }));
    });
  }
  return all;
}

/** Of each path, in ms. The server is in this process, the client in another. */
async function longestWaits(folder: string, ledger: string, due: number): Promise<number[]> {
  await using server = await serveBook(folder, due, ledger);
  const { address } = server;
  await server.control('POST', '/sandbox/banks', { name: 'other' });
  // The server ends with this block.
  return await longestBeside({ address, paths: Object.values(asked) }, async () => {
    const { runs } = (await server.advance({ runs: 1 })).body;
    if (runs[0]?.settled !== due) throw new Error(`${runs[0]?.settled} of ${due} payments settled`);
  });
}
