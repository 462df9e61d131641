import { once } from 'node:events';
import { get } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { ServerProcess } from './server-process.ts';

/** ms */
const pollEvery = 5;

/** Waits for the first 200 of /ready; fails at once when the server died. */
export async function untilReady(port: number, server: ServerProcess): Promise<void> {
  while (!(await isReady(port))) {
    server.assertAlive();
    await setTimeout(pollEvery);
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

/** A port that nobody listens on. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}
