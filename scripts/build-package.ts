import { chmodSync, copyFileSync, cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build, type BuildOptions } from 'esbuild';
import { collections } from '../api/catalogue/collections.ts';
import { builtIndex, makeIndex } from '../api/guide/find-sections.ts';
import { builtPages, guidePages } from '../api/guide/guide-files.ts';
import { buildPackages } from './build/build-packages.ts';
import { buildProgram, buildProcess, root, small } from './build/build-program.ts';
import { declare } from './build/declarations.ts';
import { licencesOf } from './build/licences.ts';
import { runScript } from './run-script.ts';

const usage = `npm run build

Builds dist: the program and the harness in one file; their threads; what they read beside it. And what programs of others import:
the harness from dist/api/harness and the client from dist/api/client, as ES modules and CommonJS with their types. LICENSES.txt
has the licences of all packages, those in the files and those beside them.`;

const dist = join(root, 'dist');

/** Options of the small files that programs of others import. */
const common = {
  bundle: true,
  platform: 'node',
  // Older than the harness needs; the client works there.
  target: 'node16',
  external: ['vitest'],
  ...small,
  logLevel: 'warning',
} as const satisfies BuildOptions;

await runScript(usage, {}, main);

async function main(): Promise<void> {
  rmSync(dist, { recursive: true, force: true });
  const inputs = [...(await writeProgram()), ...(await buildPackages(dist))];
  const ofHarness = [
    ...(await writeModules('harness', 'vitest', ['esm'])),
    ...(await writeModules('harness', 'jest-environment', ['cjs'])),
    ...(await writeModules('harness', 'node-test', ['cjs'])),
  ];
  await writeEntrances();
  await declare('harness', 'index', {
    sources: ['types/bank.ts', 'types/expectations.ts', 'types/gauntlet.ts', 'types/tpp.ts'],
    answers: 'types/answers.ts',
    constants: {
      connectBank: 'ConnectBank',
      createBank: 'CreateBank',
      followClock: 'FollowClock',
      openPlatform: 'OpenPlatform',
      matchers: 'SandbankMatchers',
    },
  });
  await declare('harness', 'jest', { sources: ['types/expectations.ts', 'jest-matchers.ts'] });
  await declare('harness', 'vitest', { sources: ['types/expectations.ts', 'vitest-matchers.ts'] });
  await declare('harness', 'jest-environment', { sources: ['jest-environment.ts'] });
  await declare('harness', 'node-test', { sources: ['node-test.ts'] });

  const ofClient = await writeModules('client', 'index', ['esm', 'cjs']);
  await declare('client', 'index', {
    sources: ['types.ts'],
    constants: { signRequest: 'SignRequest', signingFetch: 'SigningFetch' },
  });

  for (const [path, text] of collections('http://127.0.0.1:7263')) {
    const file = join(dist, 'collections', path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  writeFileSync(join(dist, builtIndex), await makeIndex());
  writeFileSync(join(dist, builtPages), JSON.stringify(await guidePages()));
  writeFileSync(join(dist, 'LICENSES.txt'), licencesOf([...inputs, ...ofHarness, ...ofClient]));
}

/** Returns the files that the program and its threads are made of. */
async function writeProgram(): Promise<readonly string[]> {
  const file = join(dist, 'scripts/program.cjs');
  const { text, inputs: ofProgram } = await buildProgram({ file, home: dist, extension: 'js' });
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  const inputs = [...ofProgram];
  const scripts = ['api/console/live.js', 'api/guide/guide.js', 'api/guide/send-call.js'];
  const asTheyAre = [
    'scripts/sandbank.js',
    'scripts/launch.cjs',
    'scripts/kept-code.cjs',
    'engine/ledger/own-folder.cjs',
    ...scripts,
  ];
  for (const name of asTheyAre) {
    mkdirSync(dirname(join(dist, name)), { recursive: true });
    copyFileSync(join(root, name), join(dist, name));
  }
  chmodSync(join(dist, 'scripts/sandbank.js'), 0o755);
  const check = 'engine/check-ledger-process';
  inputs.push(...(await buildProcess(`${check}.ts`, join(dist, `${check}.js`))));
  for (const folder of ['fixtures', 'scenarios']) cpSync(join(root, folder), join(dist, folder), { recursive: true });
  return inputs;
}

/** Builds modules of an entry file of a room of `api`, in these formats. Returns the files that they are made of. */
async function writeModules(
  room: string,
  entry: string,
  formats: readonly ('esm' | 'cjs')[],
): Promise<readonly string[]> {
  const inputs: string[] = [];
  for (const format of formats) {
    const outfile = join(dist, 'api', room, `${entry}.${format === 'esm' ? 'mjs' : 'cjs'}`);
    const entryPoints = [join(root, 'api', room, `${entry}.ts`)];
    const { metafile } = await build({ ...common, metafile: true, entryPoints, outfile, format });
    inputs.push(...Object.keys(metafile.inputs));
  }
  return inputs;
}

/**
 * Entrances that lead into the build of the program. Both kinds of import share it, and Node reads CommonJS faster.
 * `sandbank/vitest` is a module of its own, because vitest refuses `require`, and `sandbank/jest-environment`, because
 * jest loads it outside of the tests.
 */
async function writeEntrances(): Promise<void> {
  const ofHarness = Object.keys(await import('../api/harness/index.ts')).join(', ');
  const entrances = [
    { file: 'index', has: 'harness', names: ofHarness },
    { file: 'jest', has: 'jest', names: '' },
  ];
  const write = (name: string, lines: readonly string[]): void =>
    writeFileSync(join(dist, 'api/harness', name), lines.map((line) => `${line};\n`).join(''));
  for (const { file, has, names } of entrances) {
    const program = `require('../../scripts/kept-code.cjs').imported().${has}()`;
    const asModule = `createRequire(import.meta.url)('./${file}.cjs')`;
    const exported = names === '' ? asModule : `export const { ${names} } = ${asModule}`;
    write(`${file}.cjs`, [`module.exports = ${program}`]);
    write(`${file}.mjs`, ["import { createRequire } from 'node:module'", exported]);
  }
  write('vitest.cjs', ["module.exports = require('vitest')"]);
}
