import { existsSync, linkSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { readConfig } from '../../api/start/config.ts';
import { startServer, type RunningServer } from '../../api/hosting/server.ts';
import { lockLedger } from '../../engine/open-bank.ts';
import { temporaryFolder } from '../../engine/ledger/own-folder.cjs';
import { systemClock } from '../../engine/time/clock.ts';

/** In ms. */
const heartbeat = 50;
let folder: string;
let ledger: string;
let link: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandbank-link-'));
  ledger = join(folder, 'ledger.sqlite');
  link = join(folder, 'link.sqlite');
});
const running = new Set<RunningServer>();
afterEach(async () => {
  for (const server of running) await stop(server);
  rmSync(folder, { recursive: true, force: true });
});

async function start(file: string): Promise<RunningServer> {
  const server = await startServer(
    readConfig({}, ['--ledger', file, '--port', '0', '--log-level', 'silent']),
    systemClock,
    { heartbeat },
  );
  running.add(server);
  return server;
}

async function stop(server: RunningServer): Promise<void> {
  running.delete(server);
  await server.stop();
}

/** The locks of this file, and not of one before it that had its number. */
const locks = (): string[] => {
  const { dev, ino, birthtimeNs } = statSync(ledger, { bigint: true });
  return readdirSync(temporaryFolder('locks')).filter((name) => name === `${dev}-${ino}-${birthtimeNs}.lock`);
};

describe('one ledger file has one server, whatever names it has', () => {
  test('a second server under a hard link is told who serves it; after a stop it may, and no lock is left', async () => {
    const first = await start(ledger);
    linkSync(ledger, link);
    await expect(start(link)).rejects.toThrow(first.address);
    expect(locks()).toHaveLength(1);
    await stop(first);
    expect(locks()).toEqual([]);
    await stop(await start(link));
  });

  test('after a reset, which puts another file in the place, that file is held', async () => {
    const first = await start(ledger);
    await fetch(`${first.address}/sandbox/reset`, { method: 'POST', headers: { 'content-type': 'application/json' } });
    // A heartbeat holds it. The limit of the test ends it.
    while (locks().length === 0) await new Promise((resolve) => setTimeout(resolve, heartbeat));
    linkSync(ledger, link);
    await expect(start(link)).rejects.toThrow(first.address);
    await stop(first);
  });

  test('where nothing can be kept in the temporary folder, the bank starts all the same', async () => {
    const before = process.env['TMPDIR'];
    try {
      // Where no folder can be made.
      process.env['TMPDIR'] = '/proc/nowhere';
      await stop(await start(ledger));
      expect(existsSync(ledger)).toBe(true);
    } finally {
      process.env['TMPDIR'] = before;
      if (before === undefined) delete process.env['TMPDIR'];
    }
  });

  test('a lock that is released can be taken under the other name at once, many times', async () => {
    await stop(await start(ledger));
    linkSync(ledger, link);
    for (let pid = 1; pid <= 6; pid += 1) {
      const lock = lockLedger(pid % 2 === 0 ? ledger : link, { address: `http://127.0.0.1:${pid}`, pid });
      expect(() => lockLedger(pid % 2 === 0 ? link : ledger, { address: 'http://x', pid: 99 })).toThrow(
        `process ${pid}`,
      );
      lock.release();
    }
  });
});
