import { clientLimits } from '../../api/hosting/http-server.ts';
import { exchange } from '../lab/exchange.ts';
import { bodilessPaths, bodyPaths, floodWith, openRaw } from '../lab/raw-connection.ts';
import { startTestBank } from '../lab/server.ts';
import { demand, type Search } from './campaign.ts';

const megabyte = 1024 * 1024;
/** In bytes: more than the largest body, the part that is thrown away after it, and the buffers on the way. */
const maxTaken = 60 * megabyte;
/** In ms, short, so that slow bodies end soon. */
const limits = { ...clientLimits, headers: 200, request: 300, look: 20 };

/** Each with its largest size in bytes; 0: it reads no body. */
const paths = [...bodyPaths, ...bodilessPaths.map((line) => [line, '', 0] as const)] as const;
const bytes = 'x'.repeat(0x8000);
const chunk = `8000\r\n${bytes}\r\n`;
const chunked = 'Transfer-Encoding: chunked\r\n';

interface Kind {
  /** Headers after that of the type. `size` is too large for the path, `small` is not. */
  readonly headers: (size: number, small: number) => string;
  /** Sent again and again after the head, until `maxBytes`. Left out: the client waits. */
  readonly flood?: { readonly chunk: string; readonly maxBytes: number };
  /** Status codes that are right, `none` for a connection that closes without an answer. Left out: any but a 5xx. */
  readonly right?: readonly string[];
}

// A machine that is busy may take so long that the body is late first.
const tooLarge = ['413', '408'];
const kinds: Readonly<Record<string, Kind>> = {
  announced: { headers: (size) => `Content-Length: ${size}\r\n`, right: tooLarge },
  'announced and begun': {
    headers: (size) => `Content-Length: ${size}\r\n`,
    flood: { chunk: bytes, maxBytes: 8 * megabyte },
  },
  chunked: { headers: () => chunked, flood: { chunk, maxBytes: 2 * maxTaken }, right: tooLarge },
  both: {
    headers: (size) => `Content-Length: ${size}\r\n${chunked}`,
    flood: { chunk, maxBytes: 2 * maxTaken },
    right: ['400', 'none'],
  },
  'two lengths': { headers: (size) => `Content-Length: 10\r\nContent-Length: ${size}\r\n`, right: ['400', 'none'] },
  upgrade: {
    headers: () => 'Connection: upgrade\r\nUpgrade: h2c\r\n',
    flood: { chunk: bytes, maxBytes: 2 * maxTaken },
  },
  slow: { headers: (_size, small) => `Content-Length: ${1 + small}\r\n` },
  'broken off': { headers: (_size, small) => `Content-Length: ${1_000 + small}\r\n` },
};

/** A test makes the head of a request worse than it is. */
export type ChangeHead = (head: string) => string;

/** Bodies that are too large, too slow or told in two ways: each is answered or cut off, and the server goes on (docs/spec/control-plane.md C2). */
export async function sendBodies(search: Search, count: number, change: ChangeHead): Promise<void> {
  await using bank = await startTestBank('2027-03-24', [], { limits });
  await bank.control('POST', '/sandbox/banks', { name: 'other' });
  // The code of each path is loaded with its first request, which takes longer than a body may.
  for (const [line] of paths) {
    const [method = '', path = ''] = line.split(' ');
    await exchange(bank.address + path, { method, headers: {} });
  }
  for (let sent = 0; sent < count; sent += 1) {
    await sendOne(search, bank.address, change);
    const { status } = await bank.raw('GET', '/ready');
    demand(status === 200, `/ready answers ${status}`);
    search.step();
  }
}

async function sendOne({ random, tally }: Search, address: string, change: ChangeHead): Promise<void> {
  const [line, type, limit] = random.pick(paths);
  const [name, { headers, flood, right }] = random.pick(Object.entries(kinds));
  const size = Math.max(limit, 8 * megabyte) + 1 + random.below(megabyte);
  const connection = await openRaw(address);
  const { socket } = connection;
  socket.write(change(`${line} HTTP/1.1\r\nHost: localhost\r\n${type}${headers(size, random.below(1_000))}\r\n`));
  if (name === 'broken off') socket.end('x'.repeat(random.below(1_000)));
  if (flood !== undefined) await floodWith(connection, flood.chunk, flood.maxBytes);
  const written = socket.bytesWritten;
  if (name === 'upgrade') socket.destroy();
  const answer = await connection.answer;
  const status = /^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 'none';
  tally(`a body, ${name}: ${status}`);
  const what = `${line}, ${name}: answered ${status}`;
  demand(written <= maxTaken, `${what}, and the bank took ${written} bytes`);
  demand(!status.startsWith('5'), `${what}: ${answer.slice(0, 300)}`);
  if (right === tooLarge && limit === 0) return;
  demand(right?.includes(status) !== false, `${what}, expected ${right?.join(' or ')}: ${answer.slice(0, 300)}`);
}
