import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { clientLimits } from '../../api/hosting/http-server.ts';
import { readConfig } from '../../api/start/config.ts';
import { startServer } from '../../api/hosting/server.ts';
import { systemClock } from '../../engine/time/clock.ts';
import { exchange } from '../../lab/exchange.ts';
import { type Campaign, type Soak, Violation } from './campaign.ts';

const megabyte = 1024 * 1024;
/** More than the largest body, what is thrown away after it, and the buffers on the way. */
const mostTaken = 60 * megabyte;
/** Short, so that slow bodies end soon. */
const limits = { ...clientLimits, headers: 200, request: 300, look: 20 };

const json = 'Content-Type: application/json\r\n';
const form = 'Content-Type: application/x-www-form-urlencoded\r\n';
type Path = readonly [line: string, type: string, limit: number];

/** Each with the most that it takes in bytes; 0: it reads no body. */
const paths: readonly [Path, ...Path[]] = [
  ['POST /v1/payments/norwegian-domestic-credit-transfers', json, 256 * 1024],
  ['POST /v1/bulk-payments/norwegian-domestic-credit-transfers', json, 8 * megabyte],
  ['GET /v1/accounts', json, 256 * 1024],
  ['DELETE /v1/consents/x', json, 256 * 1024],
  ['POST /sandbox/as/shop/v1/signing-baskets', json, 256 * 1024],
  ['POST /sandbox/clock/advance', json, 256 * 1024],
  ['PUT /sandbox/clock', json, 256 * 1024],
  ['POST /console/session', form, 32 * 1024],
  ['POST /sca/x', form, 16 * 1024],
  ['POST /', '', 0],
  ['GET /openapi.json', '', 0],
  ['POST /health', '', 0],
];
const kinds = ['announced', 'announced and begun', 'chunked', 'both', 'two lengths', 'slow', 'broken off'] as const;

/** Makes the head of a request worse than it is, to show that the campaign finds it. */
export type Tampering = (head: string) => string;

/** Bodies that are too large, too slow or told in two ways: each is answered or cut off, and the server goes on (docs/spec/control-plane.md C2). */
export function bodiesCampaign(tamper: Tampering = (head) => head): Campaign {
  return { unit: 'bodies', usualCount: 10_000, run: (soak) => run(soak, tamper) };
}

export const bodies = bodiesCampaign();

async function run(soak: Soak, tamper: Tampering): Promise<void> {
  const flags = [
    '--port=0',
    '--ledger=:memory:',
    '--log-level=silent',
    '--clock-mode=frozen',
    '--clock-now=2027-03-24',
  ];
  const server = await startServer(readConfig({}, flags), systemClock, { limits });
  try {
    // The code of each path is loaded with its first request, which takes longer than a body may.
    for (const [line] of paths) {
      const [method = '', path = ''] = line.split(' ');
      await exchange(server.address + path, { method, headers: {} });
    }
    for (let number = 0; number < soak.count; number += 1) {
      await sendOne(soak, server.address, tamper);
      const { status } = await exchange(`${server.address}/ready`, { method: 'GET', headers: {} });
      if (status !== 200) throw new Violation(`/ready answers ${status}`);
      soak.step();
    }
  } finally {
    await server.stop();
  }
}

async function sendOne({ random, tally }: Soak, address: string, tamper: Tampering): Promise<void> {
  const [line, type, limit] = random.pick(paths);
  const kind = random.pick(kinds);
  const size = Math.max(limit, 8 * megabyte) + 1 + random.below(megabyte);
  const lengths: Readonly<Record<(typeof kinds)[number], string>> = {
    announced: `Content-Length: ${size}\r\n`,
    'announced and begun': `Content-Length: ${size}\r\n`,
    chunked: 'Transfer-Encoding: chunked\r\n',
    both: `Content-Length: ${size}\r\nTransfer-Encoding: chunked\r\n`,
    'two lengths': `Content-Length: 10\r\nContent-Length: ${size}\r\n`,
    slow: `Content-Length: ${1 + random.below(1_000)}\r\n`,
    'broken off': `Content-Length: ${1_000 + random.below(1_000)}\r\n`,
  };
  const socket = connect(Number(new URL(address).port), '127.0.0.1');
  let answer = '';
  socket.on('error', () => undefined).on('data', (chunk) => (answer += String(chunk)));
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  await once(socket, 'connect').catch(() => undefined);
  socket.write(tamper(`${line} HTTP/1.1\r\nHost: localhost\r\n${type}${lengths[kind]}\r\n`));
  if (kind === 'broken off') socket.end('x'.repeat(random.below(1_000)));
  else if (kind === 'announced and begun') await flood(socket, 'x'.repeat(0x8000), size);
  else if (kind === 'chunked' || kind === 'both')
    await flood(socket, `8000\r\n${'x'.repeat(0x8000)}\r\n`, 2 * mostTaken);
  const written = socket.bytesWritten;
  await closed;
  const status = /^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 'none';
  tally(`${kind}: ${status}`);
  if (written > mostTaken) throw new Violation(`${line}, ${kind}: the bank took ${written} bytes`);
  if (status.startsWith('5')) throw new Violation(`${line}, ${kind}: ${answer.slice(0, 300)}`);
  const isTooLarge = kind === 'announced' || (kind === 'chunked' && limit > 0);
  // A machine that is busy may take so long that the body is late first.
  if (isTooLarge && limit > 0 && status !== '413' && status !== '408') {
    throw new Violation(`${line}, ${kind}: answered ${status}, expected 413: ${answer.slice(0, 300)}`);
  }
  if ((kind === 'both' || kind === 'two lengths') && status !== '400' && status !== 'none') {
    throw new Violation(`${line}, ${kind}: answered ${status}, expected 400`);
  }
}

/** Writes until this much is sent, or the connection is gone. */
async function flood(socket: Socket, chunk: string, most: number): Promise<void> {
  const gone = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  while (!socket.destroyed && socket.writable && socket.bytesWritten < most) {
    if (!socket.write(chunk)) await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), gone]);
  }
}
