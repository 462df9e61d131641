import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, expect, test } from '@jest/globals';
import { bulkPath } from '../../lab/bodies.ts';
import { openRaw, type RawConnection } from '../../lab/raw-connection.ts';
import { exchange } from '../../lab/exchange.ts';
import { testBank } from '../../support/test-bank.ts';

const bank = testBank('2027-03-24T12:00:00+01:00');
const megabyte = 1024 * 1024;

const open: RawConnection[] = [];
afterEach(async () => {
  for (const { socket } of open.splice(0)) socket.destroy();
});

/** Begins a request with this body, in chunks of this length, and never ends it. Resolves when all of it is on its way. */
async function begun(path: string, text: string, chunkLength: number): Promise<RawConnection> {
  const connection = await openRaw(bank.address);
  open.push(connection);
  const { socket } = connection;
  const type = 'Content-Type: application/json\r\nTransfer-Encoding: chunked';
  socket.write(`POST ${path} HTTP/1.1\r\nHost: localhost\r\n${type}\r\n\r\n`);
  const wire: string[] = [];
  for (let at = 0; at < text.length; at += chunkLength) {
    const chunk = text.slice(at, at + chunkLength);
    wire.push(`${chunk.length.toString(16)}\r\n${chunk}\r\n`);
  }
  await Promise.race([new Promise((resolve) => socket.write(wire.join(''), resolve)), connection.answer]);
  return connection;
}

const clock = () => exchange(`${bank.address}/sandbox/clock`, { method: 'GET', headers: {} });

test('C25: bodies under way have 64 MB at most; one more is 503 with Retry-After, and a request without a body is answered', async () => {
  // Each has a buffer of 7 MB and more.
  const large = 'x'.repeat(5 * megabyte);
  for (let count = 0; count < 8; count += 1) await begun(bulkPath, large, 64 * 1024);
  for (const path of [bulkPath, '/sandbox/doctor']) {
    await begun(path, large, 64 * 1024);
    // One of them: within the first second the new one, later the oldest.
    const [ended, text] = await Promise.race(open.map(async (each) => [each, await each.answer] as const));
    open.splice(open.indexOf(ended), 1);
    expect(text).toMatch(/^HTTP\/1\.1 503 [^]*\r\nRetry-After: 1\r\n/i);
    expect(text).toMatch(/\r\nConnection: close\r\n/i);
    expect(text).toMatch(/"SYSTEM_ERROR".*64 MB at one time|64 MB at one time.*"SYSTEM_ERROR"/);
  }
  expect((await clock()).status).toBe(200);
  for (const { socket, answer } of open.splice(0)) {
    socket.destroy();
    await answer;
  }
  await clock();
  const again = await begun(bulkPath, large, 64 * 1024);
  again.socket.write('0\r\n\r\n');
  again.socket.end();
  expect(await again.answer).toMatch(/^HTTP\/1\.1 400 /);
}, 60_000);

test('C25: bodies that never end give way after a second, the oldest first of those that have memory', async () => {
  const large = 'x'.repeat(5 * megabyte);
  const empty = await begun(bulkPath, '', 1);
  const slow: RawConnection[] = [];
  for (let count = 0; count < 8; count += 1) slow.push(await begun(bulkPath, large, 64 * 1024));
  const gaveWay: number[] = [];
  slow.forEach(({ answer }, at) => void answer.then((text) => text.startsWith('HTTP/1.1 503 ') && gaveWay.push(at)));
  await setTimeout(1_100);
  for (let count = 0; count < 2; count += 1) {
    const whole = await begun(bulkPath, large, 64 * 1024);
    whole.socket.end('0\r\n\r\n');
    expect(await whole.answer).toMatch(/^HTTP\/1\.1 400 /);
  }
  expect(gaveWay).toEqual([0]);
  empty.socket.end('0\r\n\r\n');
  expect(await empty.answer).toMatch(/^HTTP\/1\.1 4/);
}, 60_000);

test('C25: a body in chunks of one byte takes its length, and not a hundred times as much', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const used = (): number => {
    collect();
    const { heapUsed, external } = process.memoryUsage();
    return (heapUsed + external) / megabyte;
  };
  await clock();
  const before = used();
  await begun(bulkPath, '1'.repeat(megabyte), 1);
  // The last bytes are on their way for some ms.
  let most = 0;
  for (let looks = 0; looks < 10; looks += 1) {
    await setTimeout(100);
    most = Math.max(most, used() - before);
  }
  expect(most).toBeLessThan(20);
}, 60_000);
