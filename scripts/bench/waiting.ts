import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { bookStatements, eveningBefore } from '../lab/book.ts';
import { startTestBank } from '../lab/server.ts';
import { carryOut } from './bench-bank.ts';
import { figure, type Figure } from './figure.ts';
import { here } from './servers.ts';

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
  const fixtures = join(folder, 'nobody.json');
  writeFileSync(fixtures, JSON.stringify({ customers: [], agreements: [] }));
  const all: Figure[] = [];
  for (const [index, [place, asked, path, atMost]] of waits.entries()) {
    const longest: number[] = [];
    for (let turn = 0; turn < turns; turn += 1) {
      const ledger = place === 'in memory' ? ':memory:' : join(folder, `waiting-${index}-${turn}.sqlite`);
      longest.push(await longestWait(path, due, ['--ledger', ledger, '--fixtures', fixtures]));
    }
    const name = `${asked} while ${due.toLocaleString('en')} settle ${place}, longest wait`;
    all.push(figure(name, Math.max(...longest), 'ms', { atMost }));
  }
  return all;
}

/** In ms. The server is in this process, the one that asks in another. */
async function longestWait(path: string, due: number, flags: readonly string[]): Promise<number> {
  const server = await startTestBank(eveningBefore, flags);
  try {
    await server.control('POST', '/sandbox/banks', { name: 'other' });
    await carryOut(server.bank, bookStatements({ accounts: due / 10, due, history: 0 }));
    const words = [here('asking-process.ts'), server.address + path];
    const child = spawn(process.execPath, words, { stdio: ['pipe', 'pipe', 'inherit'] });
    const printed = text(child.stdout);
    await once(child.stdout, 'data');
    const { runs } = (await server.control('POST', '/sandbox/clock/advance', { runs: 1 })).body;
    if (runs[0]?.settled !== due) throw new Error(`${runs[0]?.settled} of ${due} payments settled`);
    child.stdin.end();
    return Number((await printed).split('\n').at(1));
  } finally {
    await server.stop();
  }
}
