import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import BetterSqlite3 from 'better-sqlite3';
import { startTestBank } from '../../lab/server.ts';
import { BankClient } from '../../lab/server.ts';
import { greetedAddress } from '../../lab/greeted-address.ts';
import { attachStrace, canTrace, traceFiles, traceWrites, wholeCalls } from '../../lab/strace.ts';
import { program } from '../../support/program.ts';
import { testWith } from '../../support/test-with.ts';

/* docs/spec/control-plane.md K18: what the server has answered is on the disk. */

const now = '2027-03-24T12:00:00.000+01:00';
const json = { 'content-type': 'application/json' };

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandbank-lasting-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const flagsIn = () => ['--ledger', join(folder, 'host', 'ledger.sqlite'), '--banks', join(folder, 'host', 'banks')];

/**
 * The files that were renamed into their place though their content was not on the disk, and the folders whose names were not when an answer
 * left; and how many of each there were.
 */
function readTrace(trace: string): { early: string[]; renamed: number; answers: number } {
  const early: string[] = [];
  const [synced, open] = [new Set<string>(), new Set<string>()];
  let [renamed, answers] = [0, 0];
  for (const line of trace.split('\n')) {
    const [, file = ''] = /\bf(?:data)?sync\(\d+<([^>]*)>\)\s+= 0/.exec(line) ?? [];
    if (file !== '') {
      synced.add(file);
      open.delete(file);
    }
    const [, from = '', to = ''] =
      /\brename\w*\((?:AT_FDCWD[^,]*, )?"([^"]+)", (?:AT_FDCWD[^,]*, )?"([^"]+)".*= 0/.exec(line) ?? [];
    // Neither is the place of anything: a copy ahead is made again, and the next ledger gets its place later.
    if (from !== '' && !/\.copy$|\/next\.sqlite$/.test(to)) {
      renamed += 1;
      const isMoved = to.includes('/removed/');
      if (!isMoved && !synced.has(from)) early.push(`${from} has its name before it is synced`);
      open.add(to.slice(0, to.lastIndexOf('/')));
      if (isMoved) open.add(from.slice(0, from.lastIndexOf('/')));
    }
    if (!/HTTP\/1\.1 20[01]/.test(line)) continue;
    answers += 1;
    early.push(...[...open].map((each) => `answered before ${each} was synced`));
    open.clear();
  }
  return { early, renamed, answers };
}

test('a sync that strace tells in two lines counts where it ended, and an answer where it began', () => {
  const told = (...answer: string[]) =>
    wholeCalls(
      [
        '[pid 11] rename("/host/a.new", "/host/a" <unfinished ...>',
        '[pid 12] fsync(7</host/a.new> <unfinished ...>',
        '[pid 12] <... fsync resumed>)              = 0',
        '[pid 11] <... rename resumed>)             = 0',
        '[pid 12] fsync(8</host> <unfinished ...>',
        ...answer,
        '[pid 12] <... fsync resumed>)              = 0',
        '[pid 11] write(9<TCP>, "HTTP/1.1 201 Created", 20) = 20',
      ].join('\n'),
    );
  expect(readTrace(told())).toEqual({ early: [], renamed: 1, answers: 1 });
  const early = ['answered before /host was synced'];
  const begun = ['[pid 11] write(9<TCP>, "HTTP/1.1 200 OK", 15 <unfinished ...>'];
  expect(readTrace(told(...begun))).toEqual({ early, renamed: 1, answers: 2 });
});

testWith(await canTrace(), 'strace')(
  'banks, faults, clocks and removals are synced, file and folder, before their answer',
  async () => {
    const stdio: ['ignore', 'pipe', 'ignore'] = ['ignore', 'pipe', 'ignore'];
    const child = spawn(process.execPath, [program, '--port', '0', ...flagsIn()], { env: {}, stdio });
    try {
      const client = new BankClient(await greetedAddress(child.stdout));
      const ask = async (method: string, path: string, body?: object) => {
        const sent = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
        const { status } = await client.raw(method, path, json, sent);
        return status;
      };
      expect(await ask('PUT', '/sandbox/banks/first', { now, mode: 'frozen' })).toBe(201);
      const trace = await traceFiles(child.pid ?? 0);
      if (trace === null) throw new Error('strace did not attach');
      expect(await ask('PUT', '/sandbox/banks/team', { now, mode: 'frozen' })).toBe(201);
      expect(await ask('POST', '/banks/team/sandbox/faults', { code: 'SYSTEM_ERROR' })).toBe(200);
      expect(await ask('POST', '/banks/team/sandbox/snapshots', { name: 'one' })).toBe(200);
      expect(await ask('POST', '/banks/team/sandbox/reset', {})).toBe(200);
      expect(await ask('DELETE', '/sandbox/banks/team')).toBe(200);
      const { early, renamed, answers } = readTrace(await trace.stop());
      expect(early).toEqual([]);
      expect(renamed).toBeGreaterThan(7);
      expect(answers).toBe(5);
    } finally {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  },
  60_000,
);

testWith(await canTrace(), 'strace')(
  'a stop waits for the disk beside the event loop, so that many banks share their waits; no log is left, and the clocks are stored',
  async () => {
    const stdio: ['ignore', 'pipe', 'ignore'] = ['ignore', 'pipe', 'ignore'];
    const child = spawn(process.execPath, [program, '--port', '0', ...flagsIn()], { env: {}, stdio });
    const ended = once(child, 'exit');
    const client = new BankClient(await greetedAddress(child.stdout));
    const banks = join(folder, 'host/banks');
    const names = ['one', 'two', 'three'];
    // No run and no midnight comes before the stop.
    const evening = Buffer.from('{"now":"2027-03-24T20:00:00+01:00"}');
    for (const name of names) await client.raw('PUT', `/sandbox/banks/${name}`, json, evening);
    const hasLog = (name: string) => statSync(join(banks, `${name}.sqlite-wal`)).size > 0;
    // The first check of a bank, within a second, writes and waits for the disk. A later one of an idle bank writes nothing.
    while (!names.every(hasLog)) await delay(20);
    // One bank stops with a new log.
    const reset = await client.raw('POST', '/banks/one/sandbox/reset', json, Buffer.from('{}'));
    expect([reset.status, names.map(hasLog)]).toEqual([200, [false, true, true]]);
    const trace = await traceWrites(child.pid ?? 0);
    const stopped = Date.now();
    child.kill('SIGTERM');
    await ended;
    const lines = ((await trace?.stop()) ?? '').split('\n').filter((line) => line.includes('/host/banks'));
    expect(lines.filter((line) => line.includes('pwrite64') && line.includes('.sqlite>'))).not.toEqual([]);
    expect(lines.filter((line) => line.includes('sync('))).toEqual([]);
    expect(readdirSync(banks).filter((file) => file.endsWith('-wal'))).toEqual([]);
    for (const name of names) {
      const ledger = new BetterSqlite3(join(banks, `${name}.sqlite`), { readonly: true });
      expect(ledger.prepare('select clock_seen from bank_state').pluck().get()).toBeGreaterThanOrEqual(stopped);
      ledger.close();
    }
  },
  60_000,
);

test('ledgers and all that is beside them are for their owner only, and so are the folders that a start makes', async () => {
  const server = await startTestBank(now, flagsIn());
  await server.control('PUT', '/sandbox/banks/team', {});
  await server.raw('POST', '/banks/team/sandbox/snapshots', json, Buffer.from('{"name":"one"}'));
  const wrong = readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) => {
    const mode = statSync(join(entry.parentPath, entry.name)).mode & 0o777;
    return mode === (entry.isDirectory() ? 0o700 : 0o600) ? [] : [`${entry.name} ${mode.toString(8)}`];
  });
  await server.stop();
  expect(wrong).toEqual([]);
});

testWith(await canTrace(), 'strace')(
  'a bank whose log cannot be written back, because the disk is full, is removed all the same',
  async () => {
    const child = spawn(process.execPath, [program, '--port', '0', ...flagsIn()], {
      env: {},
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    try {
      const client = new BankClient(await greetedAddress(child.stdout));
      expect((await client.raw('PUT', '/sandbox/banks/full', json, Buffer.from('{}'))).status).toBe(201);
      const body = Buffer.from(JSON.stringify({ by: 'P1D' }));
      const advanced = await client.raw('POST', '/banks/full/sandbox/clock/advance', json, body);
      expect(advanced.status).toBe(200);
      const disk = await attachStrace(child.pid ?? 0, { calls: 'pwrite64', error: 'ENOSPC', nth: '1+' });
      const removed = await client.raw('DELETE', '/sandbox/banks/full', {});
      expect(await disk?.detach()).toBeGreaterThan(0);
      expect([removed.status, removed.body]).toEqual([200, { removed: 'full' }]);
    } finally {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  },
  60_000,
);
