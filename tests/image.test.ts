import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

/*
 * There is no Docker engine where the tests run: they carry out what the Dockerfile's steps run, with the words that
 * stand there.
 */
const dockerfile = readFileSync('Dockerfile', 'utf8');
const port = '18089';
let folder: string;
let env: NodeJS.ProcessEnv;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandbank-image-'));
  env = {
    PATH: process.env['PATH'],
    HOST: '127.0.0.1',
    PORT: port,
    SANDBANK_LEDGER: join(folder, 'data/ledger.sqlite'),
  };
  execFileSync('npm', ['run', 'build'], { stdio: 'pipe' });
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function commandOf(instruction: string): string[] {
  const found = new RegExp(`^${instruction}.*?(\\[.*\\])$`, 'm').exec(dockerfile)?.[1] ?? '[]';
  return JSON.parse(found) as string[];
}

/** What `docker run IMAGE` starts: with words of its own in the place of CMD. */
function started(words = commandOf('CMD')): readonly [program: string, args: string[]] {
  const [program = '', ...args] = [...commandOf('ENTRYPOINT'), ...words];
  return [program, args];
}

function start(): ChildProcess {
  const [program, args] = started();
  return spawn(program, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
}

/** The health check of the image; null when it says the bank is not ready. */
function healthCheck(): string | null {
  const [program = '', ...args] = commandOf('HEALTHCHECK');
  try {
    return execFileSync(program, args, { env, encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    return null;
  }
}

async function untilReady(): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    if (healthCheck() === 'ready') return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('the built bank did not get ready');
}

test('the built bank starts, says five lines, is healthy, and SIGTERM ends it cleanly in under 2 s', async () => {
  expect(healthCheck()).toBeNull();
  const bank = start();
  let said = '';
  bank.stdout?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  await untilReady();
  const info = await fetch(`http://127.0.0.1:${port}/sandbox/info`);
  expect(info.status).toBe(200);
  const advanced = execFileSync(...started(['advance', '--runs', '1']), { env, encoding: 'utf8', stdio: 'pipe' });
  expect(advanced).toMatch(/^0 runs with work, 1 without\.\nThe bank clock went from /);
  expect(execFileSync(...started(['--help']), { env, encoding: 'utf8' })).toContain('sandbank COMMAND');
  const ended = new Promise<number | null>((resolve) => bank.once('exit', (code) => resolve(code)));
  const begun = performance.now();
  bank.kill('SIGTERM');
  expect(await ended).toBe(0);
  expect(performance.now() - begun).toBeLessThan(2_000);
  expect(said.trim().split('\n')).toHaveLength(5);
}, 60_000);

test.each([
  [
    '/home/nora/sandbank/scripts/sandbank.js',
    /^Sandbank needs Node 22\.18, or 24 or newer, and runs on v20\.20\.2\. .*npm start/,
  ],
  ['/app/node_modules/sandbank/dist/scripts/sandbank.js', /^Sandbank needs Node 22\.15, or 24 or newer, .*node@24/],
])('an older Node is told in one line what it needs, and how to get it: %s', (where, line) => {
  const source = readFileSync('scripts/sandbank.js', 'utf8');
  const asOldNode = source
    .replace('process.versions.node', "'20.20.2'")
    .replace('process.version}', "'v20.20.2'}")
    .replace('import.meta.url', `'file://${where}'`);
  try {
    execFileSync('node', ['--input-type=module', '-e', asOldNode], { env, encoding: 'utf8', stdio: 'pipe' });
    throw new Error('it started');
  } catch (error) {
    const { status, stderr } = error as { status: number; stderr: string };
    expect(status).toBe(1);
    expect(stderr.trim().split('\n')).toEqual([expect.stringMatching(line)]);
  }
});
