import { chmodSync, copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build, type BuildOptions } from 'esbuild';
import ts from 'typescript';
import { bundleHolidays } from './bundle/bundle-holidays.ts';
import {
  bundleProgram,
  bundleThread,
  holidaysBeside,
  outside,
  preparedModule,
  root,
  withoutParsers,
} from './bundle/bundle-program.ts';
import { licencesOf } from './bundle/licences.ts';
import { runScript } from './run-script.ts';

const usage = `npm run build

Builds dist: the program in one file; its threads; what it reads beside it. And what
programs of others import: the harness into dist/api/harness and the client into dist/api/client, as ES modules and CommonJS
with their types. LICENSES.txt has the licences of all packages, those in the files and those beside them.`;

const dist = join(root, 'dist');

/**
 * Of a bundle that programs of others import. Jest loads the packages in it as one file too, and could not load those that are ES
 * modules only. These bundles are as deep as their sources, so that `import.meta.url` finds the fixtures (fixtures-folder.ts).
 */
const common = {
  bundle: true,
  platform: 'node',
  // Older than the harness needs, so that an older Node can run the check that refuses it; the client works there.
  target: 'node16',
  external: ['@jest/globals', 'vitest', ...outside],
  legalComments: 'none',
  logLevel: 'warning',
} as const satisfies BuildOptions;

await runScript(usage, {}, main);

async function main(): Promise<void> {
  const inputs = [...(await buildProgram()), ...(await bundleHolidays(dist))];
  const ofHarness = await bundle('harness', ['index', 'jest', 'vitest', 'jest-reporter', 'vitest-reporter'], {
    index: ['BankError', 'createBank', 'matchers'],
  });
  declare(
    'harness',
    'index',
    [
      ...[
        'types.ts',
        'types/tpp.ts',
        'types/payment-order.ts',
        'types/payment-story.ts',
        'types/read-payment.ts',
        'types/account-reader.ts',
        'types/bank-answer.ts',
        'types/bank-info.ts',
        'types/clock.ts',
        'types/fixtures.ts',
        'types/money.ts',
      ],
      'types/closed-lists.ts',
    ],
    { createBank: 'CreateBank', matchers: 'SandbankMatchers' },
  );
  declare('harness', 'jest', ['matchers/expectations.ts', 'jest-matchers.ts']);
  declare('harness', 'vitest', ['matchers/expectations.ts', 'vitest-matchers.ts']);
  for (const [entry, reporter] of [
    ['jest-reporter', 'JestCoverageReporter'],
    ['vitest-reporter', 'VitestCoverageReporter'],
  ] as const) {
    declare('harness', entry, ['reporter-types.ts'], {}, `\nexport default ${reporter};\n`);
  }

  const ofClient = await bundle('client', ['index']);
  declare('client', 'index', ['types.ts'], { signRequest: 'SignRequest', signingFetch: 'SigningFetch' });

  copySwaggerUi();
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
  const asTheyAre = ['scripts/sandbank.js', 'scripts/launch.js', 'api/openapi/docs-script.js', 'api/console/live.js'];
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

/**
 * Bundles entry files of a room of `api`. An entry with `exported` has one bundle, which
 * its ES module loads: both kinds of import then share it, and Node reads CommonJS faster. Returns the files that the bundles are made of.
 */
async function bundle(
  room: string,
  entries: readonly string[],
  exported: Readonly<Record<string, readonly string[]>> = {},
): Promise<readonly string[]> {
  const outdir = join(dist, 'api', room);
  const sourcesOf = (names: readonly string[]): string[] => names.map((name) => join(root, 'api', room, `${name}.ts`));
  rmSync(outdir, { recursive: true, force: true });
  const ofBoth = entries.filter((name) => !Object.hasOwn(exported, name));
  await build({ ...common, entryPoints: sourcesOf(ofBoth), outdir, format: 'esm', outExtension: { '.js': '.mjs' } });
  const { metafile } = await build({
    ...common,
    plugins: [holidaysBeside, withoutParsers, await preparedModule()],
    metafile: true,
    entryPoints: sourcesOf(entries),
    outdir,
    format: 'cjs',
    outExtension: { '.js': '.cjs' },
    // Jest's CommonJS knows no import() either.
    supported: { 'dynamic-import': false },
    define: { 'import.meta.url': 'bundleUrl' },
    banner: { js: "const bundleUrl = require('node:url').pathToFileURL(__filename).href;" },
  });
  for (const [entry, names] of Object.entries(exported)) {
    const text = [
      "import { createRequire } from 'node:module';",
      `export const { ${names.join(', ')} } = createRequire(import.meta.url)('./${entry}.cjs');`,
      '',
    ];
    writeFileSync(join(outdir, `${entry}.mjs`), text.join('\n'));
  }
  return Object.keys(metafile.inputs);
}

/**
 * Writes the declarations of an entry: those of files that import nothing but each other, as one; constants of its types, and
 * a last line.
 */
function declare(
  room: string,
  entry: string,
  sources: readonly string[],
  constants: Readonly<Record<string, string>> = {},
  last = '',
): void {
  const lines = Object.entries(constants).map(([name, type]) => `export declare const ${name}: ${type};\n`);
  const parts = sources.map((source) => {
    const path = join(root, 'api', room, source);
    return source.endsWith('closed-lists.ts') ? unionsOf(path) : declarationsOf(path);
  });
  const text = parts.join('\n') + (lines.length > 0 ? `\n${lines.join('')}` : '') + last;
  if (/^(import|export type \*) /m.test(text)) throw new Error(`the declarations of ${room}/${entry} import something`);
  for (const ending of ['d.mts', 'd.cts']) writeFileSync(join(root, 'dist/api', room, `${entry}.${ending}`), text);
}

/** The declarations of a file, without its imports from files beside it. */
function declarationsOf(path: string): string {
  const { outputText, diagnostics = [] } = ts.transpileDeclaration(readFileSync(path, 'utf8'), {
    fileName: path,
    reportDiagnostics: true,
    compilerOptions: { target: ts.ScriptTarget.ES2024, module: ts.ModuleKind.NodeNext },
  });
  refuse(diagnostics);
  return outputText.replaceAll(/^(?:import|export) type [^'\n]{1,500} from '\.\/[^'\n]{1,200}';\n/gm, '');
}

/** The type aliases of a file, each written out as a union of texts. */
function unionsOf(path: string): string {
  const { options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(join(root, 'tsconfig.json'), (file) => readFileSync(file, 'utf8')).config,
    ts.sys,
    root,
  );
  const program = ts.createProgram([path], { ...options, types: [] });
  const source = program.getSourceFile(path);
  if (source === undefined) throw new Error(`there is no ${path}`);
  refuse(program.getSemanticDiagnostics(source));
  const checker = program.getTypeChecker();
  return source.statements
    .filter((statement) => ts.isTypeAliasDeclaration(statement))
    .map((alias) => {
      const type = checker.getTypeAtLocation(alias);
      const texts = (type.isUnion() ? type.types : [type]).map((each) => {
        if (each.isStringLiteral()) return `'${each.value}'`;
        throw new Error(`${alias.name.text} is no union of texts`);
      });
      const comment = alias.getFullText(source).slice(0, alias.getLeadingTriviaWidth(source)).trim();
      return `${comment}\nexport type ${alias.name.text} = ${texts.toSorted().join(' | ')};\n`;
    })
    .join('');
}

function refuse(diagnostics: readonly ts.Diagnostic[]): void {
  if (diagnostics.length > 0) throw new Error(ts.formatDiagnostics(diagnostics, ts.createCompilerHost({})));
}
