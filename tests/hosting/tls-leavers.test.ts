import { once } from 'node:events';
import { get } from 'node:https';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { duplexPair } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { afterEach, expect, test } from '@jest/globals';
import { readConfig } from '../../api/start/config.ts';
import { type RunningServer, startServer } from '../../api/hosting/server.ts';
import { clientLimits } from '../../api/hosting/http-server.ts';
import { systemClock } from '../../engine/time/clock.ts';

/* G13: a client that leaves during the handshake leaves no connection. A limit that never comes tells who closes it. */

let server: RunningServer | undefined;
afterEach(async () => {
  await server?.stop();
  server = undefined;
});

/** What a client of TLS sends first. */
async function clientHello(): Promise<Buffer> {
  const [near, far] = duplexPair();
  connectTls({ socket: near, servername: 'localhost' }).on('error', () => undefined);
  const [hello] = (await once(far, 'data')) as [Buffer];
  return hello;
}

/** A connection that has sent the beginning of a handshake, and what the server answered if it did. */
async function begun(hello: Buffer, isWhole: boolean): Promise<Socket> {
  const socket = connect(Number(new URL(server?.address ?? '').port), '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(isWhole ? hello : hello.subarray(0, 20));
  // With the whole message the server waits for the second one of the client.
  if (isWhole) await once(socket, 'data');
  else await setTimeout(20);
  return socket;
}

/** Whether a request by TLS is answered: the server has a connection left for it. */
const isAnswered = (): Promise<boolean> =>
  new Promise((resolve) => {
    const asked = get(`${server?.address}/health`, { agent: false, rejectUnauthorized: false }, (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200);
    });
    asked.on('error', () => resolve(false));
  });

const room = 5;

test.each([
  ['in the middle of its first message', false, (socket: Socket) => socket.destroy()],
  ['in the middle of its first message, by a reset', false, (socket: Socket) => socket.resetAndDestroy()],
  ['before its second message', true, (socket: Socket) => socket.destroy()],
  ['before its second message, by a reset', true, (socket: Socket) => socket.resetAndDestroy()],
  ['with one half of the connection', true, (socket: Socket) => socket.end()],
])('G13: who leaves %s makes room at once', async (_when, isWhole, leave) => {
  const never = { headers: 600_000, request: 600_000, connections: room };
  const flags = ['--port=0', '--tls=1', '--ledger=:memory:', '--log-level=silent'];
  server = await startServer(readConfig({}, flags), systemClock, { limits: { ...clientLimits, ...never } });
  const hello = await clientHello();
  const clients = await Promise.all(Array.from({ length: room }, () => begun(hello, isWhole)));
  expect(await isAnswered()).toBe(false);
  for (const client of clients) leave(client);
  // The limit of the test ends it.
  while (!(await isAnswered())) await setTimeout(20);
});
