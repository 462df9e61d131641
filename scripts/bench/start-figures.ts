import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Figure, given, median } from './figure.ts';
import { repeats } from './run-interleaved.ts';
import { freePort, startProcess, untilReady } from './server-process.ts';

/** Time from the command to the first 200 of /ready, with a new ledger. */
export async function startFigures(folder: string): Promise<Figure[]> {
  const all: number[] = [];
  for (let turn = 0; turn < repeats; turn += 1) all.push(await measureStart(join(folder, 'start.sqlite')));
  return [given('start to /ready, fresh ledger', `${median(all).toFixed(0)} ms`)];
}

async function measureStart(ledger: string): Promise<number> {
  const port = await freePort();
  const start = performance.now();
  const server = startProcess(['--port', String(port), '--ledger', ledger]);
  try {
    await untilReady(port, server);
    return performance.now() - start;
  } finally {
    await server.stop();
    for (const suffix of ['', '-wal', '-shm']) rmSync(ledger + suffix, { force: true });
  }
}
