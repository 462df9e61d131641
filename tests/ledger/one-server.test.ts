import { mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { readConfig } from '../../api/start/config.ts';
import { startServer, type RunningServer } from '../../api/hosting/server.ts';
import { lockLedger } from '../../engine/open-bank.ts';

let folder: string;
let ledger: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandbank-one-'));
  ledger = join(folder, 'ledger.sqlite');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const start = (file = ledger): Promise<RunningServer> =>
  startServer(readConfig({}, ['--ledger', file, '--port', '0', '--log-level', 'silent']));

describe('one ledger file has one server', () => {
  test('under another name of the file too; a server that stopped, or failed to start, holds nothing', async () => {
    const first = await start();
    const link = join(folder, 'link.sqlite');
    symlinkSync(ledger, link);
    await expect(start(link)).rejects.toThrow(first.address);
    await first.stop();
    const second = await start(link);
    await second.stop();
    await (await start()).stop();
  });

  test('of several that try at the same time one at most holds it', () => {
    const holders = [1, 2, 3].map((pid) => {
      try {
        return lockLedger(ledger, { address: `http://127.0.0.1:${pid}`, pid });
      } catch (error) {
        return error instanceof Error ? error.message : String(error);
      }
    });
    expect(holders.slice(1)).toEqual(Array<string>(2).fill('http://127.0.0.1:1 (process 1)'));
    if (typeof holders[0] === 'object') holders[0].release();
    lockLedger(ledger, { address: 'http://127.0.0.1:4', pid: 4 }).release();
  });

  test('ledgers in memory are as many as one likes', async () => {
    const servers = [await start(':memory:'), await start(':memory:')];
    for (const server of servers) await server.stop();
  });
});

test('T7: info tells the clock of the ledger, not the settings that only a new one looks at', async () => {
  const flags = (now: string): string[] => [
    ...['--ledger', ledger, '--port', '0', '--log-level', 'silent', '--clock-mode', 'frozen', '--clock-now', now],
  ];
  await (await startServer(readConfig({}, flags('2027-03-24T12:00:00+01:00')))).stop();
  const server = await startServer(readConfig({}, [...flags('2030-01-01'), '--clock-mode', 'running']));
  const read = async (path: string) => (await fetch(server.address + path)).json() as Promise<Record<string, unknown>>;
  const info = await read('/sandbox/info');
  const clock = await read('/sandbox/clock');
  expect(info['clock']).toMatchObject({ now: '2027-03-24T12:00:00.000+01:00', mode: 'frozen' });
  expect(Object.keys(info['clock'] as object)).toEqual(Object.keys(clock));
  expect(info['configuration']).not.toHaveProperty('clockNow');
  expect(info['configuration']).not.toHaveProperty('clockMode');
  await server.stop();
});

test('a new ledger with the inode of one that was deleted under its server is another ledger', () => {
  const holder = { address: 'http://127.0.0.1:1', pid: process.pid };
  writeFileSync(ledger, '');
  const { ino } = statSync(ledger);
  const held = lockLedger(ledger, holder);
  rmSync(ledger);
  // Most file systems give a free inode to one of the next files.
  const files = Array.from({ length: 50 }, (_, index) => join(folder, `new-${index}.sqlite`));
  for (const file of files) writeFileSync(file, '');
  const again = files.find((file) => statSync(file).ino === ino);
  if (again === undefined) console.warn('Skipped, as no new file got the inode.');
  else lockLedger(again, holder).release();
  held.release();
});
