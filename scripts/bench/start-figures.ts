import { rmSync } from 'node:fs';
import { get } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { given, type Figure } from './figure.ts';
import { median, repeats } from './run-interleaved.ts';
import { startProcess } from './server-process.ts';

/** ms */
const pollEvery = 5;

/** From the command to the first 200 of /ready, on a ledger that does not exist yet. */
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
    while (!(await isReady(port))) {
      server.assertAlive();
      await setTimeout(pollEvery);
    }
    return performance.now() - start;
  } finally {
    await server.stop();
    for (const suffix of ['', '-wal', '-shm']) rmSync(ledger + suffix, { force: true });
  }
}

function isReady(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const request = get({ port, host: '127.0.0.1', path: '/ready', agent: false }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode === 200));
    });
    request.on('error', () => resolve(false));
  });
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}
