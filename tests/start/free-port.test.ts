import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { freePortNear } from '../../api/start/free-port.ts';
import { readConfig } from '../../api/start/config.ts';
import { startServer } from '../../api/hosting/server.ts';

const held: Server[] = [];
afterEach(async () => {
  await Promise.all(held.splice(0).map((server) => new Promise((closed) => server.close(closed))));
});

/** Listens on a port; 0: on a free one. The port, or null if it is taken. */
async function hold(port: number): Promise<number | null> {
  const server = createServer();
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening');
  } catch {
    return null;
  }
  held.push(server);
  return (server.address() as AddressInfo).port;
}

test('C34: without a setting the port is 7263', () => {
  expect(readConfig({}, []).port).toBe(7263);
});

test('C34: the free port that is named can be listened on, and is none of those that are taken', async () => {
  const taken = (await hold(0)) ?? 0;
  const above = await hold(taken + 1);
  const free = await freePortNear(taken, '127.0.0.1');
  expect([taken, taken + 1]).not.toContain(free);
  expect(free).toBeGreaterThan(above === null ? 0 : taken + 1);
  expect(await hold(free)).toBe(free);
});

test('C34: beside the last port there is one too', async () => {
  const free = await freePortNear(65_535, '127.0.0.1');
  expect(await hold(free)).toBe(free);
});

test('C34: a server on a busy port ends its start with one line that names a port on which it starts', async () => {
  const taken = (await hold(0)) ?? 0;
  const start = (port: number) => startServer(readConfig({}, ['--ledger', ':memory:', '--port', String(port)]));
  const line = await start(taken).then(
    () => '',
    (error: Error) => error.message,
  );
  const [, free] = new RegExp(
    `^127\\.0\\.0\\.1:${taken} is taken: choose another with --port, such as (\\d+), which is free$`,
  ).exec(line) ?? [line];
  const server = await start(Number(free));
  expect(server.address).toBe(`http://127.0.0.1:${free}`);
  await server.stop();
});
