import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { readConfig } from '../../api/start/config.ts';
import { startServer, type RunningServer } from '../../api/hosting/server.ts';
import { bookStatements, eveningBefore } from './book.ts';
import { withTarget, type Figure } from './figure.ts';

/** In ms. */
const targets = { memory: 50, file: 150 };
/** Repeats: the longest wait of all turns counts, as one block of the event loop is enough to fail. */
const turns = 3;

const asking = fileURLToPath(new URL('./asking-process.ts', import.meta.url));

/** Longest wait of other requests while one bank of the server carries out a large run. */
export async function waitingFigures(folder: string, scale: number): Promise<Figure[]> {
  const due = 50_000 / scale;
  const fixtures = join(folder, 'nobody.json');
  writeFileSync(fixtures, JSON.stringify({ customers: [], agreements: [] }));
  const figures: Figure[] = [];
  for (const place of ['memory', 'file'] as const) {
    for (const asked of ['/health', '/banks/other/sandbox/clock']) {
      const worst = { longest: 0, answers: 0 };
      for (let turn = 0; turn < turns; turn += 1) {
        const ledger = place === 'memory' ? ':memory:' : join(folder, `waiting-${asked.length}-${turn}.sqlite`);
        const { longest, answers } = await askDuringRun({ ledger, fixtures, asked, due });
        worst.longest = Math.max(worst.longest, longest);
        worst.answers += answers;
      }
      const what = asked === '/health' ? asked : "another bank's clock";
      figures.push(
        withTarget(
          `${what} while ${due.toLocaleString('en')} settle, ${place === 'file' ? 'on a file' : 'in memory'}`,
          { figure: `${worst.longest.toFixed(0)} ms at most`, ratio: `${worst.answers} answers` },
          { by: worst.longest, atMost: targets[place], unit: ' ms' },
        ),
      );
    }
  }
  return figures;
}

interface Question {
  readonly ledger: string;
  readonly fixtures: string;
  readonly asked: string;
  readonly due: number;
}

async function askDuringRun({ ledger, fixtures, asked, due }: Question): Promise<{ longest: number; answers: number }> {
  const clock = ['--clock-mode', 'frozen', '--clock-now', eveningBefore];
  const flags = ['--port', '0', '--ledger', ledger, '--fixtures', fixtures, '--log-level', 'silent', ...clock];
  const server = await startServer(readConfig({}, flags));
  try {
    await control(server, 'banks', { name: 'other' });
    await server.bank.ledger.write(async (tx) => {
      const book = bookStatements({ accounts: due / 10, due, history: 0 });
      for (const statement of book) await sql.raw(statement).execute(tx);
    });
    const child = spawn(process.execPath, [asking, server.address + asked], { stdio: ['pipe', 'pipe', 'inherit'] });
    let told = '';
    child.stdout.setEncoding('utf8').on('data', (part: string) => (told += part));
    await once(child.stdout, 'data');
    const { runs } = (await control(server, 'clock/advance', { runs: 1 })) as { runs: { settled: number }[] };
    if (runs[0]?.settled !== due) throw new Error(`${runs[0]?.settled} of ${due} payments settled`);
    child.stdin.end();
    await once(child, 'close');
    return JSON.parse(told.split('\n').at(1) ?? '') as { longest: number; answers: number };
  } finally {
    await server.stop();
  }
}

async function control({ address }: RunningServer, path: string, body: object): Promise<unknown> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${address}/sandbox/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}
