import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { pino } from 'pino';
import { Disk } from '../../api/hosting/host-load.ts';
import { ConsoleClient } from '../console/console-client.ts';
import type { TestBank } from '../lab/server.ts';
import { as, clock, host, hostToken, make, startHost } from './credentials.ts';

/* docs/spec/control-plane.md H Host: what each bank asks of the server, and the room on the disk. */

const rate = 5;
const folder = mkdtempSync(join(tmpdir(), 'sandbank-host-'));
let server: TestBank;
/** The blocks of the disk that are left, of a hundred. */
let left = 50;
const logged: { level: number; msg: string; free?: number }[] = [];

const wall = startHost((started) => (server = started), {
  flags: ['--bank-rate', String(rate), '--trust-proxy', '1', '--banks', folder],
  stands: true,
  log: pino({ level: 'warn' }, { write: (line: string) => void logged.push(JSON.parse(line)) }),
  disk: () =>
    left < 0 ? Promise.reject(new Error('gone')) : Promise.resolve({ bavail: left, blocks: 100, bsize: 1_000 }),
  heartbeat: 5,
});

const loadOf = async (name: string) =>
  (await server.raw('GET', '/sandbox/host', host)).body.banks.find((each: { name: string }) => each.name === name);
const metrics = async (): Promise<ReadonlyMap<string, number>> => {
  const answer = await fetch(`${server.address}/metrics`, { headers: host });
  const lines = (await answer.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]));
};

test('the host sees requests, refusals and 429s of each bank and of strangers, as a call, a page and metrics without names', async () => {
  const token = await make(server, 'seen');
  const [busy] = [await make(server, 'busy')];
  const call = (name: string, path: string, given: object = {}) =>
    server.raw('GET', `/banks/${name}${path}`, { 'x-forwarded-for': '192.0.2.10', ...given });
  for (let sent = 0; sent < 3; sent += 1) await clock(server, 'seen', token);
  expect((await call('seen', '/sandbox/nothing', as(token))).status).toBe(404);
  expect((await call('seen', '/sandbox/clock', as(token))).status).toBe(200);
  for (let sent = 0; sent < 2; sent += 1) expect((await call('seen', '/sandbox/clock', as(token))).status).toBe(429);
  const ofStrangers = [];
  for (let sent = 0; sent < rate + 3; sent += 1) ofStrangers.push((await call('seen', '/docs')).status);
  expect(ofStrangers.filter((status) => status === 429)).toHaveLength(3);
  for (let sent = 0; sent < 2; sent += 1) await clock(server, 'busy', busy);
  const seen = { requests: 5, refusals: 1, tooMany: 2, strangers: rate + 3, strangersTooMany: 3, clients: 2 };
  expect(await loadOf('seen')).toEqual(expect.objectContaining({ ...seen, journal: 0 }));
  expect(await loadOf('busy')).toEqual(
    expect.objectContaining({ requests: 2, refusals: 0, strangers: 0, bytes: expect.any(Number) }),
  );
  const { body } = await server.raw('GET', '/sandbox/host', host);
  expect(body.banks.map(({ name }: { name: string }) => name)).toEqual(['seen', 'busy', 'default']);
  const told = await metrics();
  const figures: readonly (readonly [string, number, number])[] = [
    ['requests', 7, 5],
    ['refusals', 1, 1],
    ['too_many', 2, 2],
    ['strangers', rate + 3, rate + 3],
    ['strangers_too_many', 3, 3],
    ['clients', 3, 2],
    ['journal_entries', 0, 0],
  ];
  for (const [name, all, most] of figures)
    expect([name, ...['all', 'most'].map((of) => told.get(`sandbank_banks_${name}{of="${of}"}`))]).toEqual([
      name,
      all,
      most,
    ]);
  expect(told.get('sandbank_banks_ledger_bytes{of="most"}')).toBeGreaterThan(0);
  expect(told.get('sandbank_banks_last_use_timestamp_seconds')).toBeGreaterThan(0);
  expect([...told.keys()].filter((key) => /seen|busy/.test(key))).toEqual([]);
  const client = new ConsoleClient(server.address);
  await client.post('/console/session', { 'control-token': hostToken });
  const page = await client.get('/console/host');
  expect([page.status, page.text.includes('>seen</bdi></a>')]).toEqual([200, true]);
});

test('nobody else sees it', async () => {
  const token = await make(server, 'other');
  for (const given of [{}, as(token)])
    expect((await server.raw('GET', '/sandbox/host', { ...given, 'x-forwarded-for': '192.0.2.11' })).status).toBe(401);
  const client = new ConsoleClient(server.address);
  await client.post('/banks/other/console/session', { 'control-token': token });
  expect((await client.get('/banks/other/console/host')).status).toBe(404);
});

test('a disk with less than 5 % left is told of once in the log, in the metrics, in the call and on the page', async () => {
  const client = new ConsoleClient(server.address);
  await client.post('/console/session', { 'control-token': hostToken });
  /** What is told of the disk after some looks of the server. */
  const told = async (blocks: number) => {
    left = blocks;
    for (let look = 0; look < 3; look += 1) {
      wall.pass(60_000);
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    const { disk } = (await server.raw('GET', '/sandbox/host', host)).body;
    const figures = await metrics();
    const { text } = await client.get('/console/host');
    const lines = logged.splice(0).filter(({ msg }) => msg.startsWith('the disk'));
    const metric = ['free_bytes', 'size_bytes', 'is_low'].map((name) => figures.get(`sandbank_disk_${name}`));
    return [
      lines.map(({ level, msg, free }) => [level, msg.slice(0, 23), free]),
      disk,
      metric,
      /almost full/.test(text),
    ];
  };
  const at = (blocks: number, isLow: boolean) => [
    { free: blocks * 1_000, size: 100_000, isLow },
    [blocks * 1_000, 100_000, isLow ? 1 : 0],
    isLow,
  ];
  expect(await told(5)).toEqual([[], ...at(5, false)]);
  expect(await told(4)).toEqual([[[50, 'the disk is almost full', 4_000]], ...at(4, true)]);
  // Neither the next minutes nor a disk at the edge are told of again.
  expect(await told(3)).toEqual([[], ...at(3, true)]);
  expect(await told(5)).toEqual([[], ...at(5, false)]);
  expect(await told(4)).toEqual([[], ...at(4, true)]);
  expect(await told(6)).toEqual([[[40, 'the disk has room again', 6_000]], ...at(6, false)]);
  expect(await told(2)).toEqual([[[50, 'the disk is almost full', 2_000]], ...at(2, true)]);
});

test('a bank that cannot be opened is told as long as its files are there', async () => {
  await make(server, 'sound');
  const [ledger, record] = [join(folder, 'cut.sqlite'), join(folder, 'cut.json')];
  copyFileSync(join(folder, 'sound.sqlite'), ledger);
  writeFileSync(record, '');
  const told = async () => {
    const { status } = await server.raw('GET', '/banks/cut/sandbox/clock', host);
    const { damaged } = (await server.raw('GET', '/sandbox/host', host)).body;
    return [status, damaged.map(({ name }: { name: string }) => name)];
  };
  expect(await told()).toEqual([503, ['cut']]);
  rmSync(ledger);
  rmSync(record);
  expect(await told()).toEqual([404, []]);
});

test('a disk that cannot be asked hides no other metric', async () => {
  left = -1;
  expect((await fetch(`${server.address}/metrics`, { headers: host })).status).toBe(200);
  expect((await metrics()).size).toBeGreaterThan(10);
});

test.each([
  ['the larger disk, of which less is left', { bavail: 10, blocks: 100 }, { bavail: 20, blocks: 1_000 }, 20, true],
  ['the smaller one, of which less is left', { bavail: 4, blocks: 100 }, { bavail: 60, blocks: 1_000 }, 4, true],
  [
    'a disk with exactly 5 % left, as one with room',
    { bavail: 5, blocks: 100 },
    { bavail: 60, blocks: 1_000 },
    5,
    false,
  ],
])('H Host: of two disks the server shows %s', async (_what, ofBanks, ofLedger, bavail, isLow) => {
  for (const banks of ['/banks', '/data']) {
    const read = (path: string) => Promise.resolve({ ...(path === '/banks' ? ofBanks : ofLedger), bsize: 1 });
    const disk = new Disk({ banks, ledger: banks === '/banks' ? '/data/bank.sqlite' : '/banks/bank.sqlite' }, read);
    expect(await disk.room()).toEqual(expect.objectContaining({ free: bavail, isLow }));
  }
});
