import { existsSync, readFileSync, readdirSync } from 'node:fs';
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

/** The engine's rooms: each imports those before it in this list, never one after it. */
const engineRooms = [
  'values',
  'time',
  'ledger',
  'bank',
  'parties',
  'accounts',
  'settlement',
  'sca',
  'calls',
  'payments',
  'cards',
  'consents',
  'approval',
  'runs',
  'tpps',
  'sandbox-data',
  'proof',
];

/** The API's rooms, in the same order. */
const apiRooms = [
  'bodies',
  'signing',
  'client',
  'faults',
  'pipeline',
  'pages',
  'start',
  'catalogue',
  'interface',
  'sca',
  'control',
  'journal',
  'coverage',
  'openapi',
  'console',
  'hosting',
  'harness',
];

/** `payments` of `engine/payments/rows/payments.ts`; null for a file beside the rooms, which stands above them all. */
function roomOf(path: string): string | null {
  const [, room = '', ...rest] = path.split('/');
  return rest.length === 0 ? null : room;
}

type Floor = 'rules' | 'rows' | 'operations';

const floors: readonly Floor[] = ['rules', 'rows', 'operations'];

/** The floor of an engine file, by its path alone. The rooms of values and of the ledger are one floor each; the ledger asks the clock. */
function floorOf(path: string): Floor {
  if (path === 'engine/time/clock.ts') return 'rows';
  const [, room, floor] = path.split('/');
  if (room === 'values' || floor === 'rules') return 'rules';
  return room === 'ledger' || floor === 'rows' ? 'rows' : 'operations';
}

/** Every import between our own files of one folder, `engine` or `api`. */
function importsWithin(folder: string): { from: string; to: string }[] {
  return sources
    .filter(({ path }) => path.startsWith(`${folder}/`))
    .flatMap(({ path: from, imports }) => imports.map((to) => ({ from, to })))
    .filter(({ to }) => to.startsWith(`${folder}/`));
}

function againstOrder(folder: string, rooms: readonly string[]): string[] {
  const place = (path: string): number => {
    const room = roomOf(path);
    return room === null ? rooms.length : rooms.indexOf(room);
  };
  return importsWithin(folder)
    .filter(({ from, to }) => place(to) > place(from))
    .map(({ from, to }) => `${from} -> ${to}`);
}

/** Packages that a room of the engine may import, beside Node's own. */
const enginePackages: readonly (readonly [where: RegExp, packages: readonly string[]])[] = [
  [/^engine\/ledger\//, ['kysely', 'kysely/migration', 'better-sqlite3']],
  [/^engine\/[\w-]+\/rows\//, ['kysely']],
  [/^engine\/time\//, ['node-cron', 'date-holidays']],
];

/** One package, one home. */
const homes: readonly (readonly [what: RegExp, home: RegExp])[] = [
  [/^express$/, /^(api|scripts\/bench)\//],
  [/^kysely/, /^(engine\/ledger|engine\/[\w-]+\/rows|scripts\/bench|scripts\/soak)\//],
  [/^better-sqlite3$/, /^(engine\/ledger|scripts\/bench|scripts\/soak)\//],
  [/^node-cron$/, /^engine\/time\/scheduler\.ts$/],
  [/^date-holidays$/, /^engine\/time\/norwegian-calendar\.ts$/],
  [/^ajv/, /^(api\/pipeline\/validate-body\.ts$|scripts\/bench\/)/],
  [/^typebox$/, /^api\/(bodies|catalogue|interface|control|journal|coverage|openapi|hosting)\//],
  [/^node-forge$/, /^api\/signing\/certificate\//],
  [/^@sigstore\/core$/, /^api\/signing\/certificate\/der\.ts$/],
];

/** Calls that would make a run differ from the one before, and the one place of each (rules.md T1; ids). */
const banned: readonly (readonly [what: RegExp, home: RegExp])[] = [
  [/\bDate\.now\s*\(/, /^engine\/time\/clock\.ts$/],
  // Of the process only: a test's fake timers replace them, and scripts run in no test.
  [/\bperformance\.now\b|\bhrtime\b/, /^(engine\/time\/clock\.ts$|scripts\/)/],
  [/['"](node:)?timers\b/, /^(engine\/time\/clock\.ts$|scripts\/)/],
  // The client runs in programs of others, and signs by their clock.
  [/\bnew Date\(\s*\)/, /^(engine\/time\/clock\.ts$|api\/client\/)/],
  [/\bMath\.random\s*\(/, /^$/],
  [/\brandomUUID\b|\brandomBytes\b/, /^(engine\/bank\/ids\.ts$|api\/client\/)/],
  [/\bprocess\.env\b/, /^api\/start\/config\.ts$/],
];

test('the rules are read over real files', () => {
  expect(sources.length).toBeGreaterThan(80);
  expect(sources.flatMap(({ imports }) => imports)).toContain('kysely');
});

describe('rooms first', () => {
  test('every folder of the engine and of the API is a room of the list', () => {
    const rooms = (folder: string) =>
      [
        ...new Set(
          sources
            .map(({ path }) => path)
            .filter((path) => path.startsWith(`${folder}/`))
            .map(roomOf),
        ),
      ]
        .filter((room) => room !== null)
        .toSorted();
    expect(rooms('engine')).toEqual(engineRooms.toSorted());
    expect(rooms('api')).toEqual(apiRooms.toSorted());
  });

  test('a room of the engine imports only rooms before it', () => {
    expect(againstOrder('engine', engineRooms)).toEqual([]);
  });

  test('a room of the API imports only rooms before it', () => {
    expect(againstOrder('api', apiRooms)).toEqual([]);
  });
});

describe('floors inside', () => {
  test('rules import rules; rows import rows and rules', () => {
    const wrong = importsWithin('engine').filter(
      ({ from, to }) => floors.indexOf(floorOf(to)) > floors.indexOf(floorOf(from)),
    );
    expect(wrong).toEqual([]);
  });

  test('rules know no package, rows know Kysely, operations know neither', () => {
    const wrong = sources
      .filter(({ path }) => path.startsWith('engine/'))
      .flatMap(({ path, imports }) => {
        const allowed = enginePackages.flatMap(([where, packages]) => (where.test(path) ? packages : []));
        const isPure = floorOf(path) === 'rules';
        return imports
          .filter((name) => !/^(engine|fixtures)\//.test(name))
          .filter((name) => (name.startsWith('node:') ? isPure : !allowed.includes(name)))
          .map((name) => `${path} -> ${name}`);
      });
    expect(wrong).toEqual([]);
  });

  test('rules have no Date at all', () => {
    const users = sources.filter(
      ({ path, text }) =>
        path.startsWith('engine/') && floorOf(path) === 'rules' && /\bDate\b[.(]/.test(withoutComments(text)),
    );
    expect(users.map(({ path }) => path)).toEqual([]);
  });
});

describe('the house', () => {
  test('the engine knows nothing outside itself', () => {
    const wrong = sources
      .filter(({ path }) => path.startsWith('engine/'))
      .flatMap(({ path, imports }) =>
        imports.filter((name) => /^(api|scripts|tests|fixtures)\//.test(name)).map((name) => `${path} -> ${name}`),
      );
    expect(wrong).toEqual([]);
  });

  test('the API knows nothing of scripts and tests', () => {
    const wrong = sources
      .filter(({ path }) => path.startsWith('api/'))
      .flatMap(({ path, imports }) =>
        imports.filter((name) => /^(scripts|tests)\//.test(name)).map((name) => `${path} -> ${name}`),
      );
    expect(wrong).toEqual([]);
  });

  test('the API reaches rows through operations only: types of rows are all it may import', () => {
    const wrong = sources
      .filter(({ path }) => path.startsWith('api/'))
      .flatMap(({ path, text }) =>
        [...text.matchAll(/^import (?!type )[^;]*?from '[^']*engine\/(ledger|[\w-]+\/rows)\/[^']*'/gm)].map(() => path),
      );
    expect(wrong).toEqual([]);
  });
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
      .filter(({ path }) => !/^scripts\/(bench|soak)/.test(path))
      .filter(({ text }) => what.test(withoutComments(text)))
      .map(({ path }) => path);
    expect(users.filter((path) => !home.test(path))).toEqual([]);
  });
});

test('timers are those of engine/time/clock.ts, not the global ones, which fake timers replace', () => {
  const wrong = sources
    .filter(({ path }) => /^(engine|api)\//.test(path) && path !== 'engine/time/clock.ts')
    .flatMap(({ path, text }) => {
      const [, imported = ''] = /^import \{([^}]*)\} from '[./]+(?:engine\/time\/|time\/)?clock\.ts'/m.exec(text) ?? [];
      const used =
        withoutComments(text).match(/\b(set|clear)(Timeout|Interval|Immediate)\b|\b(nextTick|queueMicrotask)(?=\()/g) ??
        [];
      return used
        .filter((name) => !imported.split(/,\s*/).some((each) => each.trim() === name))
        .map((name) => `${path}: ${name}`);
    });
  expect(wrong).toEqual([]);
});

describe('ARCHITECTURE.md', () => {
  const page = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');

  test.each([
    ['engine', engineRooms],
    ['api', apiRooms],
  ])('its map of %s has the rooms in their order, each with a file that it holds', (folder, rooms) => {
    const map = new RegExp(`^${folder}/ [^]*?\\n\\n`, 'm').exec(page)?.[0] ?? '';
    const rows = [...map.matchAll(/^ {2}([a-z-]+)\/.* (\S+\.ts)$/gm)].map(([, room = '', file = '']) => ({
      room,
      file,
    }));
    expect(rows.map(({ room }) => room)).toEqual(rooms);
    expect(rows.filter(({ room, file }) => !existsSync(join(root, folder, room, file)))).toEqual([]);
  });

  test('it and the decisions name files and folders that exist', () => {
    const decisions = readdirSync(join(root, 'docs/decisions')).map((name) => join('docs/decisions', name));
    const named = ['ARCHITECTURE.md', ...decisions].flatMap((name) =>
      [
        ...readFileSync(join(root, name), 'utf8').matchAll(/`((?:api|engine|scripts|tests|docs|fixtures)\/[\w./-]+)`/g),
      ].map(([, path = '']) => `${name}: ${path}`),
    );
    expect(named.length).toBeGreaterThan(40);
    expect(named.filter((entry) => !existsSync(join(root, entry.split(': ')[1] ?? '')))).toEqual([]);
  });
});

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
}
