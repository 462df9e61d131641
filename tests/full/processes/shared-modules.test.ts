import { spawnSync } from 'node:child_process';
import { sign, verify } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import { tempFolder } from '../../support/temp-folder.ts';
import { keyPairSync } from '../../../api/signing/certificate/key-pair.ts';
import { preparedLedger } from '../../../api/hosting/open-configured-bank.ts';
import { testWith } from '../../support/test-with.ts';
import { noCompileCache } from '../../support/kept.ts';

const { workerGracefulExitTimeout } = (
  (await import(resolve('jest.config.js'))) as { default: Record<string, unknown> }
).default;

const folder = tempFolder();

const globals = "import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';";
const shared = globals.replace(' jest,', '');

/** The same in each file: what one leaves behind, the next would see. */
const file = `${shared}
import { evaluated, suite, users } from './module.mjs';
users.push(import.meta.filename);
let hooked = 0;
suite('a suite that a module declares', () => {
  beforeEach(() => (hooked += 1));
  test('has its hook', () => expect(hooked).toBe(1));
});
test('other tests have no hook of it', () => expect(hooked).toBe(1));
test('begins as the worker began', () => {
  expect(evaluated).toBe(1);
  expect([process.env.LEFT, process.cwd(), String(console.log)]).toEqual([undefined, ${JSON.stringify(folder)}, expect.any(String)]);
  process.env.LEFT = 'here';
  process.exitCode = 7;
  process.chdir('/');
});
describe.each([1, 2])('%i', (one) => test('is a number', () => expect(one).toBeGreaterThan(0)));
`;
const files = {
  'module.mjs': `${shared} globalThis.evaluations = (globalThis.evaluations ?? 0) + 1;
    export const evaluated = globalThis.evaluations; export const users = []; export const suite = describe;`,
  'setup.mjs': `${shared} import { appendFileSync } from 'node:fs';
    afterEach(() => appendFileSync(${JSON.stringify(join(folder, 'hooks'))}, expect.getState().currentTestName + '\\n'));`,
  'a.test.mjs': file,
  'b.test.mjs': file,
  'isolated.test.mjs': `/** @jest-environment node */
${globals}
import { users } from './module.mjs';
test('has modules, globals and timers of its own', () => {
  expect(users).toEqual([]);
  jest.useFakeTimers({ now: 0 });
  expect(Date.now()).toBe(0);
});
`,
};

/** Jest decides by itself against workers for files that are done fast; not when their memory has a limit. */
const inWorkers = ['--maxWorkers=2', '--workerIdleMemoryLimit=4GB'];

/** Runs jest in the folder, all files in one process if left out: the exit code, and what jest counts of them. */
function jestOn(
  more: Record<string, string> = {},
  processes: readonly string[] = ['-i'],
): { result: { code: number | null; counts: object }; said: string } {
  for (const [name, text] of Object.entries({ ...files, ...more })) writeFileSync(join(folder, name), text);
  const config = {
    rootDir: folder,
    testMatch: ['**/*.test.mjs'],
    moduleFileExtensions: ['mjs', 'js', 'json'],
    testEnvironment: resolve('tests/support/jest/environment.js'),
    runtime: resolve('tests/support/jest/runtime.js'),
    setupFilesAfterEnv: [join(folder, 'setup.mjs')],
    transform: {},
    workerGracefulExitTimeout,
  };
  const options = [
    ...processes,
    '--json',
    '--outputFile',
    join(folder, 'result.json'),
    '--config',
    JSON.stringify(config),
  ];
  const { status, stderr } = spawnSync(process.execPath, [resolve('node_modules/jest/bin/jest.js'), ...options], {
    cwd: folder,
    encoding: 'utf8',
    env: {
      ...process.env,
      ...noCompileCache,
      NODE_OPTIONS: '--experimental-vm-modules --disable-warning=ExperimentalWarning',
    },
  });
  const {
    numPassedTests: passed,
    numFailedTests: failed,
    numFailedTestSuites: failedFiles,
  } = JSON.parse(readFileSync(join(folder, 'result.json'), 'utf8')) as Record<string, number>;
  return { result: { code: status, counts: { passed, failed, failedFiles } }, said: stderr };
}

test('files share their modules; hooks and tests are those of each file, and the process is put back after it; what fails is counted', () => {
  const more = {
    'c.test.mjs': `${shared} test('fails', () => expect(1).toBe(2)); test('hangs', () => new Promise(() => {}), 50);`,
    'd.test.mjs': 'import "./missing.mjs";',
    'e.test.mjs': `${shared} test('rejects', async () => { Promise.reject(new Error('unseen')); await new Promise(setImmediate); });`,
    // Five times a limit is left to each.
    'f.test.mjs': `${shared}
const pause = () => new Promise((resolve) => setTimeout(resolve, 300));
describe('slow', () => { beforeEach(pause, 200); test('slow', pause, 200); });`,
    'g.test.mjs': `${shared} import { createServer } from 'node:net';
test('leaves', (done) => void createServer().listen(0, done));`,
    'h.test.mjs': `${shared} import { createServer } from 'node:net';
beforeAll((done) => void createServer().listen(0, () => done(new Error('no bank')))); test('has no bank', () => {});`,
  };
  const { result, said } = jestOn(more);
  expect(result).toEqual({ code: 1, counts: { passed: 12, failed: 4, failedFiles: 5 } });
  // Each is told at its file, and at the end.
  const told = said.match(/The file leaves a server open|no bank$/gm)?.toSorted();
  expect(told).toEqual([...Array(2).fill('The file leaves a server open'), ...Array(2).fill('no bank')]);
  const names = [
    'a suite that a module declares has its hook',
    'other tests have no hook of it',
    'begins as the worker began',
    '1 is a number',
    '2 is a number',
  ];
  const own = 'has modules, globals and timers of its own';
  const others = [own, 'fails', 'hangs', 'rejects', 'slow slow', 'leaves', 'has no bank'];
  expect(readFileSync(join(folder, 'hooks'), 'utf8').trimEnd().split('\n').sort()).toEqual(
    [...names, ...names, ...others].sort(),
  );
  for (const name of Object.keys(more)) rmSync(join(folder, name));
});

test('a worker ends without freeing its memory first; one that takes a second to end is no leak, one that never ends is', () => {
  const ends = join(folder, 'ends');
  const more = {
    'setup.mjs': `import { appendFileSync } from 'node:fs';
      process.once('exit', () => {
        appendFileSync(${JSON.stringify(ends)}, new Error('by').stack.includes('endAtOnce') + '\\n');
        for (const end = performance.now() + 1_000; performance.now() < end;);
      });`,
  };
  const { result, said } = jestOn(more, inWorkers);
  expect(result).toEqual({ code: 0, counts: { passed: 11, failed: 0, failedFiles: 0 } });
  expect(readFileSync(ends, 'utf8')).toMatch(/^(true\n)+$/);
  expect(said).not.toContain('failed to exit gracefully');
  const options = [...inWorkers, '--workerGracefulExitTimeout=1000'];
  expect(jestOn({ 'setup.mjs': 'setInterval(() => {}, 1_000);' }, options).said).toContain('failed to exit gracefully');
});

test.each([2048, 3072, 4096] as const)(
  'keys of %i bits are each another, though they share primes',
  (modulusLength) => {
    const keys = Array.from({ length: modulusLength === 2048 ? 12 : 6 }, () => keyPairSync(modulusLength));
    for (const { publicKey, privateKey } of keys) {
      expect(publicKey.asymmetricKeyDetails).toMatchObject({ modulusLength, publicExponent: 65_537n });
      const text = Buffer.from('signed');
      expect(
        keys.filter((key) => verify('sha256', text, key.publicKey, sign('sha256', text, privateKey))),
      ).toHaveLength(1);
    }
  },
);

/** Not with `npm test -- --plain`: runtime.js gives a file of tests this address. */
const isShared = import.meta.url.includes('?time=');

testWith(isShared, 'shared modules')('the seeded ledger is made once for the files of a worker', () => {
  expect(preparedLedger()?.image().length).toBeGreaterThan(100_000);
});
