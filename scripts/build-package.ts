import { chmodSync, copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build, type BuildOptions } from 'esbuild';
import { bundleHolidays } from './bundle/bundle-holidays.ts';
import { bundleProgram, bundleThread, root } from './bundle/bundle-program.ts';
import { declare } from './bundle/declarations.ts';
import { licencesOf } from './bundle/licences.ts';
import { renderGuide } from './bundle/render-guide.ts';
import { runScript } from './run-script.ts';

const usage = `npm run build

Builds dist: the program and the harness in one file; their threads; what they read beside it, with the guide as HTML. And what
programs of others import: the harness from dist/api/harness and the client from dist/api/client, as ES modules and CommonJS
with their types. LICENSES.txt has the licences of all packages, those in the files and those beside them.`;

const dist = join(root, 'dist');

/** Of the small bundles that programs of others import. */
const common = {
  bundle: true,
  platform: 'node',
  // Older than the harness needs; the client works there.
  target: 'node16',
  external: ['@jest/globals', 'vitest'],
  legalComments: 'none',
  logLevel: 'warning',
} as const satisfies BuildOptions;

await runScript(usage, {}, main);

async function main(): Promise<void> {
  const inputs = [...(await buildProgram()), ...(await bundleHolidays(dist))];
  const ofHarness = await bundle('harness', ['jest', 'vitest', 'jest-reporter', 'vitest-reporter']);
  writeEntrance();
  const types = ['tpp', 'payment-order', 'account-reader', 'clock'];
  await declare('harness', 'index', {
    sources: ['types.ts', ...types.map((name) => `types/${name}.ts`)],
    answers: 'types/answers.ts',
    constants: { createBank: 'CreateBank', openPlatform: 'OpenPlatform', matchers: 'SandbankMatchers' },
  });
  await declare('harness', 'jest', { sources: ['matchers/expectations.ts', 'jest-matchers.ts'] });
  await declare('harness', 'vitest', { sources: ['matchers/expectations.ts', 'vitest-matchers.ts'] });
  for (const entry of ['jest-reporter', 'vitest-reporter'])
    await declare('harness', entry, { sources: ['reporter-types.ts', `${entry}.ts`] });

  const ofClient = await bundle('client', ['index']);
  await declare('client', 'index', {
    sources: ['types.ts'],
    constants: { signRequest: 'SignRequest', signingFetch: 'SigningFetch' },
  });

  copySwaggerUi();
  await renderGuide(join(dist, 'guide'));
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { dependencies: object };
  const beside = ['swagger-ui-dist', ...Object.keys(dependencies)].map((name) => `node_modules/${name}/package.json`);
  writeFileSync(join(dist, 'LICENSES.txt'), licencesOf([...inputs, ...ofHarness, ...ofClient, ...beside]));
}

/** Returns the files that the program and its threads are made of. */
async function buildProgram(): Promise<readonly string[]> {
  const file = join(dist, 'scripts/program.cjs');
  const { text, inputs: ofProgram } = await bundleProgram({ file, home: dist, extension: 'js' });
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  const inputs = [...ofProgram];
  const scripts = ['api/openapi/docs-script.js', 'api/console/live.js', 'api/guide/copy-code.js'];
  const asTheyAre = ['scripts/sandbank.js', 'scripts/launch.js', ...scripts];
  for (const name of asTheyAre) {
    mkdirSync(dirname(join(dist, name)), { recursive: true });
    copyFileSync(join(root, name), join(dist, name));
  }
  chmodSync(join(dist, 'scripts/sandbank.js'), 0o755);
  for (const thread of ['engine/check-ledger-thread', 'api/signing/doctor/search-thread'])
    inputs.push(...(await bundleThread(`${thread}.ts`, join(dist, `${thread}.js`))));
  for (const folder of ['fixtures', 'scenarios']) cpSync(join(root, folder), join(dist, folder), { recursive: true });
  return inputs;
}

/** Copies what the page /docs loads of Swagger UI, and its licences: the package itself would bring telemetry to users. */
function copySwaggerUi(): void {
  const [from, to] = [join(root, 'node_modules/swagger-ui-dist'), join(root, 'dist/swagger-ui')];
  mkdirSync(to, { recursive: true });
  for (const name of [
    'swagger-ui-bundle.js',
    'swagger-ui-bundle.js.LICENSE.txt',
    'swagger-ui.css',
    'LICENSE',
    'NOTICE',
  ]) {
    copyFileSync(join(from, name), join(to, name));
  }
}

/** Bundles entry files of a room of `api`, as ES modules and as CommonJS. Returns the files that the bundles are made of. */
async function bundle(room: string, entries: readonly string[]): Promise<readonly string[]> {
  const outdir = join(dist, 'api', room);
  const entryPoints = entries.map((name) => join(root, 'api', room, `${name}.ts`));
  rmSync(outdir, { recursive: true, force: true });
  await build({ ...common, entryPoints, outdir, format: 'esm', outExtension: { '.js': '.mjs' } });
  const { metafile } = await build({
    ...common,
    metafile: true,
    entryPoints,
    outdir,
    format: 'cjs',
    outExtension: { '.js': '.cjs' },
    // Jest's CommonJS knows no import() either.
    supported: { 'dynamic-import': false },
  });
  return Object.keys(metafile.inputs);
}

/** The entrance `sandbank` leads into the bundle of the program. Both kinds of import share it, and Node reads CommonJS faster. */
function writeEntrance(): void {
  const files = {
    'index.cjs': "module.exports = require('../../scripts/program.cjs').harness();\n",
    'index.mjs':
      "import { createRequire } from 'node:module';\n" +
      "export const { BankError, createBank, matchers, openPlatform } = createRequire(import.meta.url)('./index.cjs');\n",
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dist, 'api/harness', name), text);
}
