import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import ts from 'typescript';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

interface SourceFile {
  readonly path: string;
  readonly text: string;
  readonly imports: readonly string[];
}

function sourcesIn(folder: string): SourceFile[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
    .map(({ path, text }) => ({ path, text, imports: importsOf(path, text) }));
}

/** What a file imports: our own files as paths from the root, packages by name, types included. */
function importsOf(path: string, text: string): string[] {
  return ts
    .preProcessFile(text)
    .importedFiles.map(({ fileName }) =>
      fileName.startsWith('.') ? relative(root, join(root, dirname(path), fileName)) : fileName,
    );
}

const sources = ['engine', 'api', 'scripts'].flatMap(sourcesIn);

/** Who may import whom (ARCHITECTURE.md): the first folder that a file lies in decides. */
const mayImport: readonly (readonly [from: string, allowed: readonly RegExp[]])[] = [
  ['engine/core/', [/^engine\/core\//]],
  ['engine/ledger/migrations/0', [/^kysely$/]],
  [
    'engine/ledger/',
    [
      /^engine\/(core|ledger)\//,
      /^kysely/,
      /^better-sqlite3$/,
      /^node:(async_hooks|crypto|fs\/promises|module|path|perf_hooks|timers\/promises|worker_threads|zlib)$/,
    ],
  ],
  ['engine/operations/shared/', [/^engine\/(core|ledger|operations\/shared)\//, /^engine\/(clock|ids)\.ts$/]],
  ['engine/operations/', [/^engine\/(core|ledger|operations)\//, /^engine\/(clock|ids)\.ts$/]],
  ['engine/', [/^engine\//, /^node:(crypto|module)$/, /^node-cron$/, /^date-holidays$/]],
  ['api/signing/', [/^api\/signing\//, /^engine\/core\//, /^node:/, /^(node-forge|@sigstore\/core)$/]],
  ['api/representations/', [/^api\/(representations|fault-response)/, /^engine\/(core|ledger|operations)\//]],
  ['api/bodies/', [/^api\/bodies\//, /^api\/middleware\/body\/shown\.ts$/, /^engine\/core\//, /^typebox$/]],
  ['api/harness/jest', [/^api\/harness\//, /^(expect|@jest\/globals)$/]],
  ['api/', [/^api\//, /^engine\//, /^fixtures\//, /^package\.json$/, /^node:/, /^(express|ajv|ajv\/.*|pino|helmet)$/]],
  ['scripts/', [/./]],
];

/** One package, one home. */
const homes: readonly (readonly [what: RegExp, home: RegExp])[] = [
  [/^express$/, /^api\//],
  [/^kysely/, /^(engine\/ledger|scripts\/bench)\//],
  [/^better-sqlite3$/, /^(engine\/ledger|scripts\/(bench|soak))\//],
  [/^node-cron$/, /^engine\/scheduler\.ts$/],
  [/^date-holidays$/, /^engine\/norwegian-calendar\.ts$/],
  [/^ajv/, /^api\/middleware\/validate-body\.ts$/],
  [/^typebox/, /^api\/bodies\//],
  [/^node-forge$/, /^api\/signing\//],
  [/^@sigstore\/core$/, /^api\/signing\/der\.ts$/],
];

/** Calls that would make a run differ from the one before, and the one place of each (rules.md T1; ids). */
const banned: readonly (readonly [what: RegExp, home: RegExp])[] = [
  [/\bDate\.now\s*\(/, /^engine\/clock\.ts$/],
  [/\bnew Date\(\s*\)/, /^engine\/clock\.ts$/],
  [/\bMath\.random\s*\(/, /^$/],
  [/\brandomUUID\b|\brandomBytes\b/, /^engine\/ids\.ts$/],
  [/\bprocess\.env\b/, /^api\/config\.ts$/],
];

test('the rules are read over real files', () => {
  expect(sources.length).toBeGreaterThan(80);
  expect(sources.flatMap(({ imports }) => imports)).toContain('kysely');
});

test.each(mayImport.map(([from], index) => ({ from, index })))('$from imports only what it may', ({ from, index }) => {
  const earlier = mayImport.slice(0, index).map(([folder]) => folder);
  const allowed = mayImport[index]?.[1] ?? [];
  const here = sources.filter(
    ({ path }) => path.startsWith(from) && !earlier.some((folder) => path.startsWith(folder)),
  );
  expect(here.length).toBeGreaterThan(0);
  const wrong = here.flatMap(({ path, imports }) =>
    imports.filter((name) => !allowed.some((pattern) => pattern.test(name))).map((name) => `${path} -> ${name}`),
  );
  expect(wrong).toEqual([]);
});

test('the interface reaches rows only through operations: types of the ledger are all it may see', () => {
  const wrong = sources
    .filter(({ path }) => path.startsWith('api/'))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/^import (?!type )[^;]*?from '[^']*engine\/ledger\/[^']*'/gm)].map(() => path),
    );
  expect(wrong).toEqual([]);
});

describe('one package, one home', () => {
  test.each(homes)('%s', (what, home) => {
    const users = sources.filter(({ imports }) => imports.some((name) => what.test(name))).map(({ path }) => path);
    expect(users.length).toBeGreaterThan(0);
    expect(users.filter((path) => !home.test(path))).toEqual([]);
  });
});

describe('clock, chance and environment come from one place', () => {
  test.each(banned)('%s', (what, home) => {
    const users = sources
      .filter(({ path }) => !path.startsWith('scripts/bench'))
      .filter(({ text }) => what.test(withoutComments(text)))
      .map(({ path }) => path);
    expect(users.filter((path) => !home.test(path))).toEqual([]);
  });

  test('core has no Date at all', () => {
    const users = sources.filter(
      ({ path, text }) => path.startsWith('engine/core/') && /\bDate\b[.(]/.test(withoutComments(text)),
    );
    expect(users.map(({ path }) => path)).toEqual([]);
  });
});

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
}
