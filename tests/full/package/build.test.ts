import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from '@jest/globals';
import { tempFolder } from '../../support/temp-folder.ts';
import { singlePath, singlePayment } from '../../lab/bodies.ts';
import { greetedAddress } from '../../lab/greeted-address.ts';

/* A clone of its own, with packages that are links: its build, and when it is taken. */
const run = promisify(execFile);
const clone = tempFolder();
let cache: string;

/** Some of what the build is made of. */
const decisive = ['engine/values/money.ts', 'fixtures/known-state.json', 'package.json'];
const [past, later] = [new Date('2026-01-01T00:00:00Z'), new Date('2026-01-02T00:00:00Z')];

beforeAll(() => {
  mkdirSync(ownCache().TMPDIR);
  cache = join(clone, 'node_modules/.cache/sandbank');
  for (const name of [
    'engine',
    'api',
    'scripts',
    'fixtures',
    'scenarios',
    'docs',
    'README.md',
    'package.json',
    'tsconfig.json',
  ])
    cpSync(name, join(clone, name), { recursive: true, preserveTimestamps: true });
  for (const path of decisive) utimesSync(join(clone, path), past, past);
  const packages = join(clone, 'node_modules');
  mkdirSync(packages);
  for (const name of readdirSync('node_modules').filter((each) => each !== '.cache'))
    symlinkSync(resolve('node_modules', name), join(packages, name));
});

interface Served {
  /** On standard error, until it has ended. */
  readonly errors: string;
  readonly answer: string;
  /** The processes that it had started and that ran beside it, by their commands. */
  readonly children: readonly string[];
}

/** What `serve` says and answers at a path. */
async function served(
  path = '/ready',
  env: Readonly<Record<string, string>> = ownCache(),
  request: RequestInit = {},
): Promise<Served> {
  const args = [join(clone, 'scripts/sandbank.js'), 'serve', '--ledger', ':memory:', '--port', '0'];
  const server = spawn(process.execPath, args, { env });
  let errors = '';
  server.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const answer = await (await fetch((await greetedAddress(server.stdout)) + path, request)).text();
  const children = await childrenOf(server.pid);
  server.kill('SIGTERM');
  await once(server, 'close');
  return { errors, answer, children };
}

/** The folder in which Node and the program keep what they compile. */
function ownCache(): { readonly TMPDIR: string } {
  return { TMPDIR: join(clone, 'temporary') };
}

/** The file of the code that V8 made. */
function keptCode(): string {
  const files = readdirSync(ownCache().TMPDIR, { recursive: true, encoding: 'utf8' });
  const [name = ''] = files.filter((file) => file.endsWith('.code'));
  return join(ownCache().TMPDIR, name);
}

async function childrenOf(pid: number | undefined): Promise<readonly string[]> {
  const { stdout } = await run('ps', ['-A', '-o', 'ppid=,args=']);
  const rows = stdout.split('\n').map((row) => row.trim());
  return rows.filter((row) => row.startsWith(`${pid} `));
}

async function command(...args: readonly string[]): Promise<{ readonly stdout: string; readonly stderr: string }> {
  return run(process.execPath, [join(clone, 'scripts/sandbank.js'), ...args], { env: ownCache() });
}

/** The build says so from now on when it is taken. */
function mark(): void {
  const programs = readdirSync(cache).filter((name) => name.startsWith('program-'));
  expect(programs).toHaveLength(1);
  // A start reads a byte as a character.
  expect(/[^\0-\x7f]/.exec(readFileSync(join(cache, programs[0] ?? ''), 'latin1'))).toBe(null);
  appendFileSync(join(cache, programs[0] ?? ''), `\nconsole.error('from the build');\n`);
}

const building = 'Building the sources, which takes some seconds ...\n';
const made = new RegExp(
  `^${building}Made a build of the sources in [\\d.]+ s: the next start is faster, until they change\\.\\n$`,
);
const taken = 'from the build\n';

test('the first serve makes the build, later starts and commands take it', async () => {
  const unbuilt = await command('--help');
  expect(unbuilt.stderr).toBe('');
  const first = await served();
  expect(first).toEqual({ answer: '{"status":"ready"}', errors: expect.stringMatching(made), children: [] });
  mark();
  expect(await served()).toEqual({ answer: '{"status":"ready"}', errors: taken, children: [] });
  expect(await command('--help')).toEqual({ stdout: unbuilt.stdout, stderr: taken });
}, 60_000);

test('a start takes the code that V8 made for an earlier one of the same build', async () => {
  const kept = keptCode();
  const lastWrite = (): number => statSync(kept).mtimeMs;
  const first = lastWrite();
  // Code that V8 refused would be written anew.
  expect(await served()).toMatchObject({ errors: taken });
  expect(lastWrite()).toBe(first);
  // V8 compares the length of a text alone.
  const [program = ''] = readdirSync(cache).filter((file) => file.startsWith('program-'));
  const build = join(cache, program);
  writeFileSync(
    build,
    readFileSync(build, 'utf8').replace("console.error('from the build')", "console.error('of another text')"),
  );
  expect(await served()).toMatchObject({ errors: 'of another text\n' });
  const second = lastWrite();
  expect(second).toBeGreaterThan(first);
  expect((await command('--version')).stderr).toBe('of another text\n');
  // What a full disk left of it, below the digest of the text.
  truncateSync(kept, 1_000);
  expect(await served()).toMatchObject({ answer: '{"status":"ready"}', errors: 'of another text\n' });
  expect(lastWrite()).toBeGreaterThan(second);
  writeFileSync(build, readFileSync(build, 'utf8').replace('of another text', 'from the build'));
}, 60_000);

test('a server that has made a payment keeps its code again as it ends, and one that has not leaves it', async () => {
  const file = (): [size: number, changed: number] => [statSync(keptCode()).size, statSync(keptCode()).mtimeMs];
  const pay = async (): Promise<string> => {
    const headers = { 'content-type': 'application/json', 'x-psu-identity': '13039319955', 'psu-context': 'PRIVATE' };
    const request = { method: 'POST', headers, body: JSON.stringify(singlePayment()) };
    return (await served(`/sandbox/as/buildtest${singlePath}`, ownCache(), request)).answer;
  };
  const [ofStart] = file();
  expect(await pay()).toContain('"RCVD"');
  const ofPayment = file();
  expect(ofPayment[0]).toBeGreaterThan(ofStart * 1.1);
  expect(await served()).toMatchObject({ answer: '{"status":"ready"}', errors: taken });
  expect(await pay()).toContain('"RCVD"');
  expect(file()).toEqual(ofPayment);
  for (const page of ['/console', '/docs/search?q=settlement']) {
    const [before] = file();
    expect((await served(page)).answer).toContain('<!doctype html>');
    const kept = file();
    expect(kept[0]).toBeGreaterThan(before * 1.02);
    expect(await served(page)).toMatchObject({ errors: taken });
    expect(file()).toEqual(kept);
  }
}, 60_000);

test.each([
  [0, 1],
  [6, 0],
])('after %i collections of all garbage a process keeps the code of %i builds as it ends', async (count, kept) => {
  const folder = mkdtempSync(join(clone, 'kept-'));
  const build = join(folder, 'program.cjs');
  writeFileSync(build, 'exports.useOfProgram = () => 2;');
  const lines = `
    const { evaluate } = require(${JSON.stringify(resolve('scripts/kept-code.cjs'))});
    evaluate(${JSON.stringify(build)}, ${JSON.stringify(folder)}, { kind: 'test', isKeeper: true });
    const { setFlagsFromString } = require('node:v8');
    setFlagsFromString('--expose-gc');
    const collect = require('node:vm').runInNewContext('gc');
    setFlagsFromString('--no-expose-gc');
    (async () => {
      for (let at = 0; at < ${count}; at += 1) {
        collect();
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    })();`;
  await run(process.execPath, ['-e', lines]);
  expect(readdirSync(folder).filter((name) => name.endsWith('.code'))).toHaveLength(kept);
});

test('code that no start has taken for two weeks is removed when other code is kept', async () => {
  const kept = keptCode();
  const folder = dirname(kept);
  const days = (count: number): Date => new Date(Date.now() - count * 86_400_000);
  const others = ['sandbank-0.code', 'sandbank-1.code', 'sandbank-0.code.7.1.partial', 'of-somebody.code'];
  for (const name of others) writeFileSync(join(folder, name), '');
  for (const name of others) utimesSync(join(folder, name), days(15), days(name === 'sandbank-1.code' ? 13 : 15));
  utimesSync(kept, days(13), days(13));
  expect(await served()).toMatchObject({ errors: taken });
  // It was taken, so it has its time again; nothing was kept.
  expect(statSync(kept).mtimeMs).toBeGreaterThan(days(1).getTime());
  expect(readdirSync(folder)).toEqual(expect.arrayContaining(others));
  truncateSync(kept, 1_000);
  expect(await served()).toMatchObject({ errors: taken });
  const left = readdirSync(folder).filter((name) => others.includes(name));
  expect(left.toSorted()).toEqual(['of-somebody.code', 'sandbank-1.code']);
  for (const name of left) rmSync(join(folder, name));
}, 60_000);

test('B9: code is neither taken from nor kept in a folder that others can write, or that is a link', async () => {
  const kept = keptCode();
  const folder = dirname(kept);
  const first = statSync(kept).mtimeMs;
  // Whoever keeps code here would have it executed.
  chmodSync(folder, 0o777);
  truncateSync(kept, 1_000);
  expect(await served()).toMatchObject({ answer: '{"status":"ready"}', errors: taken });
  expect(statSync(kept)).toMatchObject({ size: 1_000 });
  chmodSync(folder, 0o700);
  renameSync(folder, `${folder}.aside`);
  symlinkSync(`${folder}.aside`, folder);
  expect(await served()).toMatchObject({ errors: taken });
  expect(statSync(kept)).toMatchObject({ size: 1_000 });
  rmSync(folder);
  expect(await served()).toMatchObject({ errors: taken });
  expect(statSync(kept).mtimeMs).toBeGreaterThan(first);
}, 60_000);

test('B9: a build in a folder that everybody can write is not taken', async () => {
  chmodSync(cache, 0o777);
  expect((await command('--version')).stderr).toBe('');
  chmodSync(cache, 0o755);
  expect((await command('--version')).stderr).toBe(taken);
});

test('a start evaluates what /ready needs', async () => {
  const folder = join(clone, 'coverage');
  await served('/ready', { NODE_V8_COVERAGE: folder, NODE_DISABLE_COMPILE_CACHE: '1' });
  // The build evaluates each module by a function with its path as the name.
  const [report = ''] = readdirSync(folder);
  const { result } = JSON.parse(readFileSync(join(folder, report), 'utf8')) as Coverage;
  const functions = result.find(({ url }) => url.includes('/program-'))?.functions ?? [];
  const modules = functions.flatMap(({ functionName: path, ranges: [whole] }) =>
    whole?.count === 0 || !/^(?:engine|api|scripts)\/|node_modules\//.test(path) ? [] : [path],
  );
  const packages = new Set(modules.flatMap((path) => /(?<=node_modules\/)(?:@[^/]+\/)?[^/]+/.exec(path) ?? []));
  expect(packages).toContain('kysely');
  expect(unneeded.filter((name) => packages.has(name))).toEqual([]);
  const loaded = (folder: string): string[] => modules.filter((path) => path.startsWith(folder));
  const commands = ['scripts/build/node-globals.ts', 'scripts/commands/index.ts', 'scripts/commands/serve.ts'];
  expect(
    loaded('scripts/')
      .filter((path) => !path.startsWith('scripts/cli/'))
      .toSorted(),
  ).toEqual(commands);
  for (const room of ['interface', 'openapi', 'guide', 'quirks', 'catalogue', 'harness', 'client'])
    expect(loaded(`api/${room}/`)).toEqual([]);
  expect(modules.length).toBeGreaterThan(500);
  expect(modules.length).toBeLessThan(720);
}, 60_000);

/** Packages that no answer of `/ready` needs. */
const unneeded = [
  ...['ajv', 'typebox', 'fast-uri', 'json-schema-traverse', 'marked', 'minisearch'],
  ...['node-forge', '@sigstore/core', 'date-holidays'],
];

/** A part of the report of NODE_V8_COVERAGE. */
interface Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly {
      readonly functionName: string;
      readonly ranges: readonly { readonly count: number }[];
    }[];
  }[];
}

test('what lies beside the sources is found from the build', async () => {
  expect((await served('/docs/send-call.js')).answer).toBe(readFileSync('api/guide/send-call.js', 'utf8'));
  expect((await served('/docs/spec/rules')).answer).toContain('<h1 id="rules-of-the-bank">');
  expect((await command('play')).stdout).toContain('five-attempts');
}, 60_000);

test.each(decisive)('when %s has changed, commands run the sources, until it is as it was', async (path) => {
  utimesSync(join(clone, path), later, later);
  expect((await command('--version')).stderr).toBe('');
  utimesSync(join(clone, path), past, past);
  expect((await command('--version')).stderr).toBe(taken);
});

test('when a source has changed, serve builds anew; without esbuild it runs the sources, and says why', async () => {
  utimesSync(join(clone, 'engine/values/money.ts'), later, later);
  // The build of other sources goes.
  writeFileSync(join(cache, 'program-0.cjs'), '');
  expect((await served()).errors).toMatch(made);
  mark();
  expect((await command('--version')).stderr).toBe(taken);
  utimesSync(join(clone, 'engine/values/money.ts'), past, past);
  rmSync(join(clone, 'node_modules/esbuild'));
  const { answer, errors } = await served();
  expect(answer).toBe('{"status":"ready"}');
  expect(errors).toMatch(/^Building .*\nThe sources run without a build: .*esbuild.*\n$/);
  utimesSync(join(clone, 'engine/values/money.ts'), later, later);
}, 60_000);

test('a note that cannot be read counts as none', async () => {
  expect((await command('--version')).stderr).toBe(taken);
  appendFileSync(join(cache, 'note.json'), '}');
  expect((await command('--version')).stderr).toBe('');
}, 60_000);
