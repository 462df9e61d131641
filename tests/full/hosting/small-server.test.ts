import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, expect, test } from '@jest/globals';
import { bulkPath } from '../../lab/bodies.ts';
import { exchange } from '../../lab/exchange.ts';
import { greetedAddress } from '../../lab/greeted-address.ts';
import { largestBulk } from '../../lab/largest-bulk.ts';
import { program } from '../../support/program.ts';

const megabyte = 1024 * 1024;
let server: ChildProcess | undefined;
afterEach(() => void server?.kill('SIGKILL'));

test('C25: a server with the heap of a container of 512 MB answers or refuses eight large bodies at once, of each kind', async () => {
  const flags = [
    '--ledger',
    ':memory:',
    '--port',
    '0',
    '--clock-mode',
    'frozen',
    '--clock-now',
    '2027-03-24T12:00:00+01:00',
  ];
  // Node takes half of a small container's memory for its heap.
  const args = ['--max-old-space-size=256', program, 'serve', ...flags, '--log-level', 'silent'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  server = child;
  const ended = once(child, 'exit');
  const address = await greetedAddress(child.stdout);
  const json = { 'content-type': 'application/json' };
  const ofPsu = { ...json, 'x-psu-identity': '13039319955', 'psu-context': 'PRIVATE' };
  const post = (path: string, text: string, headers: Readonly<Record<string, string>>) =>
    exchange(address + path, { method: 'POST', headers, body: Buffer.from(text) });
  const eight = async (one: (index: number) => ReturnType<typeof post>) => {
    const answers = await Promise.all(Array.from({ length: 8 }, (_, index) => one(index)));
    return new Set(answers.map(({ status }) => status));
  };
  const bulk = (text: string) => post(`/sandbox/as/eight${bulkPath}`, text, ofPsu);
  const valid = await eight((index) => bulk(largestBulk(1 + index * 100_000).text));
  expect([...valid].filter((status) => status !== 503)).toEqual([201]);
  expect(await eight(() => bulk(`{"payments":[${'{},'.repeat(2.6 * megabyte)}{}]}`))).toEqual(new Set([400]));
  // As many as the bound lets through.
  const sparse = await eight(() => bulk(`{"payments":[${`{}${' '.repeat(22)},`.repeat(0.3 * megabyte)}{}]}`));
  expect([...sparse].filter((status) => status !== 503)).toEqual([400]);
  const lines = await eight(() =>
    post('/sandbox/doctor', 'a\n'.repeat(4 * megabyte), { 'content-type': 'message/http' }),
  );
  expect([...lines].filter((status) => status !== 503)).toEqual([400]);
  expect((await exchange(`${address}/health`, { method: 'GET', headers: {} })).status).toBe(200);
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
}, 120_000);
