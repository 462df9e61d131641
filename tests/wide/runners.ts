import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packedPackage } from '../full/package/built.ts';
import type { Place, WideCheck } from './check.ts';
import { jestImports, jestRequires, paymentTest } from './payment-test.ts';
import {
  nodeMarks,
  nodeRedSuite,
  redSuite,
  requireNodeBundles,
  requireOwnBundles,
  vitestImports,
} from './red-suite.ts';

/** Runs the tests with the jest that is installed, as CommonJS or ES modules, also with timers that are faked by its configuration. */
async function testAs(
  place: Place,
  ending: 'js' | 'mjs',
  ...jest: readonly [program: string, ...args: string[]]
): Promise<void> {
  place.write(`payment.test.${ending}`, paymentTest('jest', ...(ending === 'js' ? jestRequires : jestImports)));
  const config = { testMatch: [`**/*.test.${ending}`] };
  place.write('usual.json', config);
  place.write('faked.json', { ...config, fakeTimers: { enableGlobally: true } });
  for (const name of ['usual.json', 'faked.json']) await place.run(...jest, '--config', name);
}

/** The gauntlet runs these tests: a trial that they hear, and one that nothing can hear, as they set `now`. */
async function throughGauntlet(place: Place, ...command: readonly string[]): Promise<void> {
  await place.run('sandbank', 'gauntlet', '--only', 'charset,leap-day', '--json', 'gauntlet.json', '--', ...command);
  const { trials } = JSON.parse(readFileSync(join(place.folder, 'gauntlet.json'), 'utf8')) as {
    readonly trials: readonly { readonly verdict: string }[];
  };
  assert.deepEqual(
    trials.map(({ verdict }) => verdict),
    ['survived', 'not heard'],
  );
}

const nodeBody = `
test('a payment over Easter, also with mocked timers', async (t) => {
  for (const mocked of [false, true]) {
    if (mocked) t.mock.timers.enable();
    const bank = await createBank({ now: '2027-03-24T12:00:00+01:00' });
    const payment = await bank.tpp().pay({ from: '09232911044', to: '90491105991', amount: '250.00', on: '2027-03-25' });
    await bank.clock.advance('2027-03-31');
    const { status } = await bank.payments(payment);
    assert.equal(status, 'ACSC');
    const { pass } = await matchers.toHaveBalance(bank.account('09232911044'), 'NOK 17750.00');
    assert.ok(pass);
    assert.equal((await bank.tpp().fetch('/v1/nowhere')).status, 404);
    await bank.close();
  }
});
`;

const nodeNames = { assert: 'node:assert/strict', '{ test }': 'node:test', '{ createBank, matchers }': 'sandbank' };
const nodeImports = Object.entries(nodeNames).map(([what, from]) => `import ${what} from '${from}';`);

/** Jest's own names are global. */
const redImports = ["import { createBank } from 'sandbank';", "import 'sandbank/jest';"];

/** Each way in which TypeScript finds a package. */
const resolutions = [
  { module: 'commonjs', moduleResolution: 'node10', ignoreDeprecations: '6.0' },
  { module: 'node16', moduleResolution: 'node16' },
];

/** A program that does not compile without the types of the matchers. */
const wrongTypes = `import { expect } from 'vitest';
import 'sandbank/vitest';
// @ts-expect-error a date
expect(1).toSettleOn(1);
`;

const vitestTest = paymentTest(
  'vi',
  "import { expect, test, vi } from 'vitest';",
  "import { createBank, matchers } from 'sandbank';",
  "import 'sandbank/vitest';",
  'expect.extend(matchers);',
);

const vitest: WideCheck = {
  name: 'vitest',
  summary: 'vitest 5, the types of its matchers, also with vitest 4',
  run: async (place) => {
    place.write('package.json', { private: true, type: 'module' });
    await place.install('vitest@5', 'typescript@6', '@types/node@24');
    const programs = { 'payment.test.ts': vitestTest, 'wrong.ts': wrongTypes };
    for (const [name, text] of Object.entries(programs)) place.write(name, text);
    await place.run('vitest', 'run');
    await throughGauntlet(place, 'npx', 'vitest', 'run');
    await checkBundles(place);
    await checkTypes(place);
    const older = place.within('vitest-4');
    older.write('package.json', { private: true, type: 'module' });
    await older.install('vitest@4', 'typescript@6', '@types/node@24');
    for (const [name, text] of Object.entries(programs)) older.write(name, text);
    await older.run('vitest', 'run');
    await checkTypes(older);
  },
};

/** tsc finds no error in the programs of the folder, nor in the declarations that they import. */
async function checkTypes(place: Place): Promise<void> {
  for (const how of ['bundler', 'nodenext']) {
    const module = how === 'bundler' ? 'esnext' : how;
    const compilerOptions = { module, moduleResolution: how, target: 'es2022', strict: true, noEmit: true };
    const include = ['*.ts'];
    place.write('tsconfig.json', { compilerOptions: { ...compilerOptions, types: ['node'] }, include });
    await place.run('tsc');
  }
}

/** One red test, one bundle, as tests/full/package/own-bundles.test.ts has it of jest. */
async function checkBundles(place: Place): Promise<void> {
  const write = (red: readonly string[] | null): void => {
    for (const [name, text] of Object.entries(redSuite(vitestImports, red)))
      place.write(`bundles/${name}.test.mjs`, text);
  };
  write(null);
  await requireOwnBundles(place.folder, await place.fail('vitest', 'run', '--dir', 'bundles'));
  const left = (): readonly string[] =>
    readdirSync(join(place.folder, '.sandbank')).filter((name) => name.endsWith('.sandbank'));
  // What is left out takes nothing away.
  const red = ['1.02', '2.01', '3.02', '6.02', '7.01'];
  write(red);
  await place.fail('vitest', 'run', '--dir', 'bundles', '--sequence.shuffle');
  assert.equal(left().length, red.length);
  write([]);
  await place.run('vitest', 'run', '--dir', 'bundles', '--reporter', 'default', '-t', 'twice');
  assert.equal(left().length, red.length - 1);
  await place.run('vitest', 'run', '--dir', 'bundles', '--reporter', 'default');
  assert.deepEqual(left(), []);
}

const olderRunners: WideCheck = {
  name: 'older-runners',
  summary: 'the bundles of red tests with jest 29 and vitest 3',
  run: async (place) => {
    const jest = place.within('jest-29');
    await jest.install('jest@29');
    for (const [name, text] of Object.entries(redSuite(jestRequires))) jest.write(`${name}.test.js`, text);
    jest.write('jest.config.json', { testEnvironment: 'sandbank/jest-environment' });
    // Jest 29 runs concurrent tests before all others, and does not tell of them.
    const printed = await jest.fail('jest', '-t', '^(?!concurrent)');
    await requireOwnBundles(jest.folder, printed, ['4.01', '4.02', '4.03', '4.04']);
    const vitest = place.within('vitest-3');
    vitest.write('package.json', { private: true, type: 'module' });
    await vitest.install('vitest@3');
    for (const [name, text] of Object.entries(redSuite(vitestImports))) vitest.write(`${name}.test.mjs`, text);
    await requireOwnBundles(vitest.folder, await vitest.fail('vitest', 'run'));
  },
};

/** The same tests in each runner, kind of module, and version of Node. */
export const runners: readonly WideCheck[] = [
  {
    name: 'jest',
    summary: 'jest, CommonJS and ES modules, also with jsdom and with timers that are faked by its configuration',
    run: async (place) => {
      await place.install('jest@30', 'jest-environment-jsdom@30');
      const ofModules = ['node', '--experimental-vm-modules', 'node_modules/jest/bin/jest.js'] as const;
      await testAs(place, 'js', 'jest');
      await throughGauntlet(place, 'npx', 'jest', '--config', 'usual.json');
      await testAs(place, 'mjs', ...ofModules);
      await throughGauntlet(place, ...ofModules, '--config', 'usual.json');
      place.write('jsdom.json', { testMatch: ['**/*.test.js'], testEnvironment: 'jsdom' });
      await place.run('jest', '--config', 'jsdom.json');
    },
  },
  {
    name: 'ts-jest',
    summary: 'ts-jest with its type check, module resolution node10 and node16',
    run: async (place) => {
      await place.install('jest@30', 'ts-jest@29', 'typescript@6', '@jest/globals@30', '@types/node@24');
      place.write('payment.test.ts', paymentTest('jest', ...jestImports));
      place.write('jest.config.json', { preset: 'ts-jest', testMatch: ['**/*.test.ts'] });
      for (const how of resolutions) {
        const compilerOptions = { ...how, target: 'es2022', strict: true, esModuleInterop: true, types: ['node'] };
        place.write('tsconfig.json', { compilerOptions: { ...compilerOptions, isolatedModules: false } });
        await place.run('jest', '--no-cache');
      }
      // It is JavaScript: without types.
      for (const [name, text] of Object.entries(redSuite(redImports))) place.write(`red/${name}.ts`, text);
      const transform = { '\\.ts$': ['ts-jest', { diagnostics: false }] };
      const testEnvironment = 'sandbank/jest-environment';
      place.write('red.config.json', { transform, testMatch: ['**/red/*.ts'], testEnvironment });
      await requireOwnBundles(place.folder, await place.fail('jest', '--config', 'red.config.json'));
    },
  },
  {
    name: 'old-node',
    summary: 'Node 18, 20 and 22.14: the program and a test end with one line, whose cure helps',
    run: async (place) => {
      for (const version of ['18', '20', '22.14.0']) {
        await place.install(`node@${version}`, 'jest@29');
        place.write('payment.test.js', paymentTest('jest', ...jestRequires));
        const cure = await refusal(place, 'sandbank', '--help');
        if (cure.trim().split('\n').length !== 1) throw new Error(`The program says more than one line:\n${cure}`);
        await refusal(place, 'jest');
        const [, words = ''] = /npm (install \S+ node@\d+)/.exec(cure) ?? [];
        await place.run('npm', ...words.split(' '));
        await place.run('jest');
        await place.run('sandbank', '--help');
      }
    },
  },
  {
    name: 'node-22',
    summary:
      "jest, vitest, Node's own test runner, the gauntlet and the demo on Node 22.15, the oldest that the package runs on",
    run: async (place) => {
      await place.install('node@22.15.0', 'jest@30', 'vitest@5');
      place.write('payment.test.js', paymentTest('jest', ...jestRequires));
      place.write('vi/payment.test.mjs', vitestTest);
      place.write('own/payment.test.mjs', [...nodeImports, nodeBody].join('\n'));
      place.write('jest.config.json', { testMatch: ['**/*.test.js'] });
      for (const [program, ...words] of [
        ['npx', 'jest', '--config', 'jest.config.json'],
        ['npx', 'vitest', 'run', '--dir', 'vi'],
        ['node', '--test', 'own/payment.test.mjs'],
      ] as const) {
        await place.run(program, ...words);
        await throughGauntlet(place, program, ...words);
      }
      await place.run('sandbank', 'demo');
      place.write('red/red.test.mjs', nodeRedSuite('mjs', null));
      const printed = await place.fail('node', '--test', '--test-reporter=spec', 'red/red.test.mjs');
      await requireNodeBundles(place.folder, printed, nodeMarks);
    },
  },
  {
    name: 'pnpm',
    summary: 'jest, CommonJS, installed by pnpm, which runs no install scripts',
    run: async (place) => {
      place.write('package.json', { private: true });
      const pnpm = ['--yes', 'pnpm@12', 'add', '--config.strictDepBuilds=false', await packedPackage(), 'jest@30'];
      await place.run('npx', ...pnpm);
      await testAs(place, 'js', 'jest');
      await place.run('sandbank', '--help');
    },
  },
  vitest,
  olderRunners,
];

/** What the program prints when it refuses the Node that runs it. */
async function refusal(place: Place, ...words: readonly [program: string, ...args: string[]]): Promise<string> {
  const printed = await place.fail(...words);
  if (/needs Node 22\.15, or 24 or newer/.test(printed)) return printed;
  throw new Error(`${words.join(' ')} failed, and not for an old Node:\n${printed}`);
}
