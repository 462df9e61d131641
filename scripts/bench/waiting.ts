import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startServer } from '../../api/hosting/server.ts';
import { readConfig } from '../../api/start/config.ts';
import { carryOut } from './bench-bank.ts';
import { bookStatements, eveningBefore } from '../../lab/book.ts';
import { figure, type Figure } from './figure.ts';
import { control, here } from './servers.ts';

/** One block of the event loop is enough to fail, so the longest wait of these turns counts. */
const turns = 3;

/** The longest wait of other requests while one bank of the server carries out a large run. */
export async function figures(folder: string, scale: number): Promise<Figure[]> {
  const due = 50_000 / scale;
  const fixtures = join(folder, 'nobody.json');
  writeFileSync(fixtures, JSON.stringify({ customers: [], agreements: [] }));
  const all: Figure[] = [];
  for (const [place, atMost] of [
    ['in memory', 50],
    ['on a file', 150],
  ] as const) {
    for (const [asked, path] of [
      ['/health', '/health'],
      ["another bank's clock", '/banks/other/sandbox/clock'],
    ] as const) {
      const waits: number[] = [];
      for (let turn = 0; turn < turns; turn += 1) {
        const ledger = place === 'in memory' ? ':memory:' : join(folder, `waiting-${path.length}-${turn}.sqlite`);
        waits.push(await longestWait(path, due, ['--ledger', ledger, '--fixtures', fixtures]));
      }
      const name = `${asked} while ${due.toLocaleString('en')} settle ${place}, longest wait`;
      all.push(figure(name, Math.max(...waits), 'ms', { atMost }));
    }
  }
  return all;
}

/** In ms. The server is in this process, the one that asks in another. */
async function longestWait(path: string, due: number, flags: readonly string[]): Promise<number> {
  const clock = ['--clock-mode', 'frozen', '--clock-now', eveningBefore];
  const server = await startServer(readConfig({}, ['--port', '0', '--log-level', 'silent', ...clock, ...flags]));
  try {
    await control(server, 'banks', { name: 'other' });
    await carryOut(server.bank, bookStatements({ accounts: due / 10, due, history: 0 }));
    const words = [here('asking-process.ts'), server.address + path];
    const child = spawn(process.execPath, words, { stdio: ['pipe', 'pipe', 'inherit'] });
    let printed = '';
    child.stdout.setEncoding('utf8').on('data', (part: string) => (printed += part));
    await once(child.stdout, 'data');
    const { runs } = await control<{ runs: { settled: number }[] }>(server, 'clock/advance', { runs: 1 });
    if (runs[0]?.settled !== due) throw new Error(`${runs[0]?.settled} of ${due} payments settled`);
    child.stdin.end();
    await once(child, 'close');
    return Number(printed.split('\n').at(1));
  } finally {
    await server.stop();
  }
}
