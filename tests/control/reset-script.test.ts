import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { readConfig } from '../../api/start/config.ts';
import { startServer, type RunningServer } from '../../api/hosting/server.ts';
import { readClock } from '../../engine/bank/read-clock.ts';
import { setClock } from '../../engine/reset-and-restore.ts';
import { at } from '../lab/bank.ts';
import { program } from '../support/program.ts';
import { runMain } from '../support/recorded-terminal.ts';

const run = promisify(execFile);
let folder: string;
let flags: string[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandbank-reset-'));
  flags = ['--ledger', join(folder, 'ledger.sqlite'), '--clock-mode', 'frozen', '--clock-now', '2027-03-24'];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** `sandbank reset` in this process: standard output, or the exit code and standard error. */
async function reset(...more: string[]): Promise<string> {
  const { code, lines, errors } = await runMain(['reset', ...flags, ...more]);
  return code === 0 ? lines.join('\n') : `${code} ${errors.join('\n')}`;
}

/** The same in a process of its own. */
async function resetAlone(...more: string[]): Promise<string> {
  try {
    return (await run(process.execPath, [program, 'reset', ...flags, ...more])).stdout;
  } catch (error) {
    const { code, stderr } = error as { code: number; stderr: string };
    return `${code} ${stderr}`;
  }
}

function start(...more: string[]): Promise<RunningServer> {
  return startServer(readConfig({}, [...flags, '--port', '0', '--log-level', 'silent', ...more]));
}

async function moved(server: RunningServer): Promise<string> {
  await setClock(server.bank, { now: at('2028-01-01'), mode: null, rate: null });
  return new URL(server.address).port;
}

test('D3b: a running server resets itself, its token given', async () => {
  const server = await start('--control-token', 'a-secret-of-the-server');
  try {
    const port = await moved(server);
    expect(await reset('--port', port)).toMatch(/^1 refused .*401/);
    expect(await resetAlone('--port', port, '--control-token', 'a-secret-of-the-server')).toContain(`:${port} is back`);
    expect((await readClock(server.bank)).date).toBe('2027-03-24');
  } finally {
    await server.stop();
  }
});

test('D1: without a server the ledger file is reset', async () => {
  const first = await start();
  await moved(first);
  await first.stop();
  expect(await resetAlone()).toContain('2027-03-24T00:00:00.000+01:00 (frozen)');
  const second = await start();
  expect((await readClock(second.bank)).date).toBe('2027-03-24');
  await second.stop();
});

test('D1: fixtures that cannot be used are told, and the ledger is as it was', async () => {
  const server = await start();
  await moved(server);
  await server.stop();
  const bad = join(folder, 'bad.json');
  const asked: readonly (readonly [content: string, problem: RegExp])[] = [
    ['{\n"customers"\n\n=', /^2 the fixtures .*bad\.json cannot be used: .*JSON.*$/],
    ['{"customers":[{}]}', /^2 the fixtures .*bad\.json cannot be used: .*$/],
  ];
  for (const [content, problem] of asked) {
    writeFileSync(bad, content);
    expect(await reset('--fixtures', bad)).toMatch(problem);
  }
  expect(await reset('--fixtures', 'nope')).toMatch(
    /^2 there are no fixtures nope\. There are .*known-state.*, or give a path$/,
  );
  const again = await start();
  expect((await readClock(again.bank)).date).toBe('2028-01-01');
  await again.stop();
}, 30_000);
