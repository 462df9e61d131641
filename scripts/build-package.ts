import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type BuildOptions } from 'esbuild';
import ts from 'typescript';
import packageJson from '../package.json' with { type: 'json' };

/*
 * Builds the harness, which tests import, into dist/api/harness: ES modules and CommonJS with their types. Bundles the
 * dependencies that are ES modules only, as Jest's CommonJS cannot load them; the others stay outside. The bundle lies as
 * deep as the sources, so that `import.meta.url` finds the fixtures (fixtures-folder.ts).
 */
const outdir = join(import.meta.dirname, '../dist/api/harness');
const sources = join(import.meta.dirname, '../api/harness');

/** Bundled packages and their licence files, which are copied too. */
const builtIn = { kysely: 'LICENSE', typebox: 'license' };

const common = {
  entryPoints: [join(sources, 'index.ts'), join(sources, 'jest.ts')],
  outdir,
  bundle: true,
  platform: 'node',
  // Older than the package needs, so that an older Node can run the check that refuses it.
  target: 'node20',
  external: ['@jest/globals', ...Object.keys(packageJson.dependencies).filter((name) => !(name in builtIn))],
  logLevel: 'warning',
} as const satisfies BuildOptions;

// Removes the chunks of earlier builds, whose names have other hashes.
rmSync(outdir, { recursive: true, force: true });
// Split, so that only createBank loads what an older Node cannot.
await build({ ...common, format: 'esm', splitting: true, outExtension: { '.js': '.mjs' } });
await build({
  ...common,
  format: 'cjs',
  outExtension: { '.js': '.cjs' },
  // Jest's CommonJS knows no import() either.
  supported: { 'dynamic-import': false },
  define: { 'import.meta.url': 'bundleUrl' },
  banner: { js: "const bundleUrl = require('node:url').pathToFileURL(__filename).href;" },
});

for (const [name, terms] of Object.entries(builtIn)) {
  copyFileSync(join(import.meta.dirname, '../node_modules', name, terms), join(outdir, `${name}.LICENSE`));
}

const types = declarationsOf('types.ts');
const index = `${types}\nexport declare const createBank: CreateBank;\nexport declare const matchers: SandbankMatchers;\n`;
for (const ending of ['d.mts', 'd.cts']) {
  writeFileSync(join(outdir, `index.${ending}`), index);
  writeFileSync(join(outdir, `jest.${ending}`), declarationsOf('jest-matchers.ts'));
}

/** Declarations of a file that imports nothing. */
function declarationsOf(name: string): string {
  const text = readFileSync(join(sources, name), 'utf8');
  const { outputText, diagnostics = [] } = ts.transpileDeclaration(text, {
    fileName: name,
    reportDiagnostics: true,
    compilerOptions: { target: ts.ScriptTarget.ES2024, module: ts.ModuleKind.NodeNext },
  });
  if (diagnostics.length > 0) throw new Error(ts.formatDiagnostics(diagnostics, ts.createCompilerHost({})));
  return outputText;
}
