import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type BuildOptions } from 'esbuild';
import ts from 'typescript';
import packageJson from '../package.json' with { type: 'json' };

/*
 * Builds what programs of others import: the harness into dist/api/harness and the client into dist/api/client, as ES modules
 * and CommonJS with their types. Bundles the dependencies that are ES modules only, as Jest's CommonJS cannot load them; the
 * others stay outside. A bundle lies as deep as its sources, so that `import.meta.url` finds the fixtures (fixtures-folder.ts).
 */
const root = join(import.meta.dirname, '..');

/** Bundled packages and their licence files, which are copied too. */
const builtIn = { kysely: 'LICENSE', typebox: 'license' };

const common = {
  bundle: true,
  platform: 'node',
  // Older than the harness needs, so that an older Node can run the check that refuses it; the client works there.
  target: 'node16',
  external: ['@jest/globals', 'vitest', ...Object.keys(packageJson.dependencies).filter((name) => !(name in builtIn))],
  logLevel: 'warning',
} as const satisfies BuildOptions;

const harness = await bundle('harness', ['index', 'jest', 'vitest', 'jest-reporter', 'vitest-reporter']);
for (const [name, terms] of Object.entries(builtIn)) {
  copyFileSync(join(root, 'node_modules', name, terms), join(harness, `${name}.LICENSE`));
}
declare('harness', 'index', 'types.ts', { createBank: 'CreateBank', matchers: 'SandbankMatchers' });
declare('harness', 'jest', 'jest-matchers.ts');
declare('harness', 'vitest', 'vitest-matchers.ts');
for (const [entry, reporter] of [
  ['jest-reporter', 'JestCoverageReporter'],
  ['vitest-reporter', 'VitestCoverageReporter'],
] as const) {
  declare('harness', entry, 'reporter-types.ts', {}, `\nexport default ${reporter};\n`);
}

await bundle('client', ['index']);
declare('client', 'index', 'types.ts', { signRequest: 'SignRequest', signingFetch: 'SigningFetch' });

/** Bundles entry files of a room of `api`. Returns their folder. */
async function bundle(room: string, entries: readonly string[]): Promise<string> {
  const outdir = join(root, 'dist/api', room);
  const entryPoints = entries.map((name) => join(root, 'api', room, `${name}.ts`));
  // Removes the chunks of earlier builds, whose names have other hashes.
  rmSync(outdir, { recursive: true, force: true });
  // Split, so that only createBank loads what an older Node cannot.
  await build({ ...common, entryPoints, outdir, format: 'esm', splitting: true, outExtension: { '.js': '.mjs' } });
  await build({
    ...common,
    entryPoints,
    outdir,
    format: 'cjs',
    outExtension: { '.js': '.cjs' },
    // Jest's CommonJS knows no import() either.
    supported: { 'dynamic-import': false },
    define: { 'import.meta.url': 'bundleUrl' },
    banner: { js: "const bundleUrl = require('node:url').pathToFileURL(__filename).href;" },
  });
  return outdir;
}

/** Writes the declarations of an entry: those of a file that imports nothing, constants of its types, and a last line. */
function declare(
  room: string,
  entry: string,
  source: string,
  constants: Readonly<Record<string, string>> = {},
  last = '',
): void {
  const lines = Object.entries(constants).map(([name, type]) => `export declare const ${name}: ${type};\n`);
  const text = declarationsOf(join(root, 'api', room, source)) + (lines.length > 0 ? `\n${lines.join('')}` : '') + last;
  for (const ending of ['d.mts', 'd.cts']) writeFileSync(join(root, 'dist/api', room, `${entry}.${ending}`), text);
}

function declarationsOf(path: string): string {
  const { outputText, diagnostics = [] } = ts.transpileDeclaration(readFileSync(path, 'utf8'), {
    fileName: path,
    reportDiagnostics: true,
    compilerOptions: { target: ts.ScriptTarget.ES2024, module: ts.ModuleKind.NodeNext },
  });
  if (diagnostics.length > 0) throw new Error(ts.formatDiagnostics(diagnostics, ts.createCompilerHost({})));
  return outputText;
}
