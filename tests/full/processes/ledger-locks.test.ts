import { execFileSync, spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { linkSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { readConfig } from '../../../api/start/config.ts';
import { startServer } from '../../../api/hosting/server.ts';
import { lockLedger } from '../../../engine/open-bank.ts';
import { temporaryFolder } from '../../../engine/ledger/own-folder.cjs';
import { greetedAddress } from '../../lab/greeted-address.ts';
import { compileCache } from '../../support/kept.ts';
import { program } from '../../support/program.ts';

/* Processes that want one ledger file; within one process: tests/ledger/one-server.test.ts. */

const lockingProcess = join(import.meta.dirname, 'locking-process.ts');

type Spawned = ChildProcessByStdio<null, Readable, Readable>;

let folder: string;
let ledger: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandbank-locks-'));
  ledger = join(folder, 'ledger.sqlite');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function spawned(command: string, ...args: string[]): Spawned {
  return spawn(process.execPath, [program, command, '--ledger', ledger, ...args], {
    env: compileCache,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

async function ending(child: Spawned): Promise<readonly [code: number, errors: string]> {
  let errors = '';
  child.stderr.on('data', (chunk) => (errors += String(chunk)));
  const [code] = (await once(child, 'close')) as [number];
  return [code, errors];
}

test('a second one says in one line which the first is, and ends in 2; SIGKILL of the first frees the file', async () => {
  const first = spawned('serve', '--port', '0');
  const address = await greetedAddress(first.stdout);
  const [code, errors] = await ending(spawned('serve', '--port', '0'));
  expect([code, errors]).toEqual([
    2,
    `the ledger ${ledger} is served by ${address} (process ${first.pid}) already: stop that one, or choose another with --ledger\n`,
  ]);
  first.kill('SIGKILL');
  await once(first, 'exit');
  const flags = ['--ledger', ledger, '--port', '0', '--log-level', 'silent'];
  await (await startServer(readConfig({}, flags))).stop();
}, 30_000);

test('one that waits for a lock whose holder abandons it, and removes its file, holds the lock for all others', async () => {
  for (let [times, held] = [0, 0]; held < 3; times += 1) {
    const own = join(folder, `abandoned-${times}.sqlite`);
    const first = lockLedger(own, { address: 'http://127.0.0.1:1', pid: 1 });
    const waiting = spawn(process.execPath, [lockingProcess, own], { stdio: 'pipe' });
    let errors = '';
    waiting.stderr.on('data', (chunk) => (errors += String(chunk)));
    const ended = Promise.race([once(waiting.stdout, 'data'), once(waiting, 'close')]);
    await once(waiting.stderr, 'data');
    await setTimeout(20 + (times % 3) * 20);
    first.abandon();
    const [said] = (await ended) as [unknown];
    // It waits for 200 ms, which this process may need to abandon the lock on a busy machine.
    if (errors.includes('is served by')) continue;
    held += 1;
    expect([String(said), errors]).toEqual(['holds\n', 'begins\n']);
    expect(() => lockLedger(own, { address: 'http://127.0.0.1:3', pid: 3 })).toThrow('process 2');
    waiting.stdin.end();
    await once(waiting, 'close');
  }
});

/** What a process with this temporary folder says of who holds the link. */
function heldFor(temporary: string): string {
  const engine = pathToFileURL(resolve('engine/open-bank.ts')).href;
  const program = `import { lockLedger } from '${engine}';
    try { lockLedger('${join(folder, 'link.sqlite')}', { address: 'http://x', pid: 2 }).release(); console.log('nobody'); }
    catch (error) { console.log(error.message); }`;
  const env = { ...process.env, ...compileCache, TMPDIR: temporary };
  return execFileSync(process.execPath, ['--input-type=module', '-e', program], { env, encoding: 'utf8' }).trimEnd();
}

test('a folder of locks that another has put there is not believed', () => {
  writeFileSync(ledger, '');
  const lock = lockLedger(ledger, { address: 'http://127.0.0.1:1', pid: 1 });
  linkSync(ledger, join(folder, 'link.sqlite'));
  const ours = temporaryFolder('locks');
  expect(heldFor(dirname(ours))).toContain('http://127.0.0.1:1');
  symlinkSync(ours, join(folder, basename(ours)));
  expect(heldFor(folder)).toBe('nobody');
  lock.release();
});
