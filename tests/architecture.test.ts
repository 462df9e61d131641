import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import ts from 'typescript';
import { tables } from '../engine/ledger/tables.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

interface SourceFile {
  readonly path: string;
  readonly text: string;
  readonly imports: readonly string[];
}

function sourcesIn(folder: string, ending = '.ts'): SourceFile[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
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

/** What proves the product or pictures it; the laws hold it too. */
const equipment = ['lab', 'campaigns', 'bench', 'wide', 'pictures'].map((room) => `tests/${room}`);

const sources = ['engine', 'api', 'scripts', ...equipment].flatMap((folder) => sourcesIn(folder));

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
  'life',
  'runs',
  'inspection',
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
  'causes',
  'start',
  'catalogue',
  'interface',
  'quirks',
  'sca',
  'control',
  'journal',
  'openapi',
  'gauntlet',
  'settlement-line',
  'console',
  'guide',
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
function importsWithin(folder: string, files: readonly SourceFile[] = sources): { from: string; to: string }[] {
  return files
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

/** One package, one home. Lab, bench and campaigns may open the ledger file themselves. */
const homes: readonly (readonly [what: RegExp, home: RegExp])[] = [
  [/^express$/, /^(api|tests\/bench)\//],
  [/^kysely/, /^(engine\/ledger|engine\/[\w-]+\/rows|tests\/lab|tests\/bench|tests\/campaigns)\//],
  [/^better-sqlite3$/, /^(engine\/ledger|tests\/lab|tests\/bench|tests\/campaigns)\//],
  [/^node-cron$/, /^engine\/time\/scheduler\.ts$/],
  [/^date-holidays$/, /^engine\/time\/norwegian-calendar\.ts$/],
  [/^ajv/, /^(api\/pipeline\/validators\.ts$|tests\/bench\/)/],
  [/^commander$/, /^scripts\/cli\/(arguments|help)\.ts$/],
  [/^typebox$/, /^api\/(bodies|start|catalogue|interface|control|journal|openapi|hosting)\//],
  [/^node-forge$/, /^api\/signing\/certificate\//],
  [/^marked$/, /^api\/guide\/render-page\.ts$/],
  [/^minisearch$/, /^api\/guide\/find-sections\.ts$/],
  [/^@modelcontextprotocol\/sdk/, /^(scripts\/mcp\/sdk\.ts$|tests\/)/],
  [/^fast-xml-parser$/, /^scripts\/gauntlet\/failed-tests\.ts$/],
  [/^@sigstore\/core$/, /^api\/signing\/certificate\/der\.ts$/],
];

/** Calls that would make a run differ from the one before, and the one place of each (rules.md T1; ids). */
const banned: readonly (readonly [what: RegExp, home: RegExp])[] = [
  [/\bDate\.now\s*\(/, /^engine\/time\/clock\.ts$/],
  // Of the process only: a test's fake timers replace them, and scripts run in no test.
  [/\bperformance\.now\b|\bhrtime\b/, /^(engine\/time\/clock\.ts$|scripts\/|tests\/)/],
  [/['"](node:)?timers\b/, /^(engine\/time\/clock\.ts$|scripts\/|tests\/)/],
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

describe('no circle of files', () => {
  test('no file leads back to itself by imports, those of types too', () => {
    expect(circlesIn(sources)).toEqual([]);
  });

  test.each([
    ['two files', `import type { B } from './b.ts';`, `export type { A } from './a.ts';`],
    ['two files, one on request', `const load = () => import('./b.ts');`, `import { type A } from './a.ts';`],
    ['a type within a type', `type B = import('./b.ts').B;`, `import { a } from './a.ts';`],
  ])('seen: %s', (_what, ...texts) => {
    const stray = texts.map((text, index) => strayFile(`api/hosting/${'ab'[index]}.ts`, text));
    expect(circlesIn([...sources, ...stray])).toEqual(['api/hosting/a.ts api/hosting/b.ts']);
  });

  test('seen: a circle through files that stand', () => {
    const planted = sources.map((file) =>
      file.path === 'api/hosting/bank-files.ts'
        ? strayFile(file.path, `${file.text}\nimport type { HostedBanks } from './hosted-banks.ts';`)
        : file,
    );
    const [circle = '', ...others] = circlesIn(planted);
    expect(circle.split(' ')).toEqual(
      expect.arrayContaining(['api/hosting/bank-files.ts', 'api/hosting/hosted-banks.ts']),
    );
    expect(others).toEqual([]);
  });

  function strayFile(path: string, text: string): SourceFile {
    return { path, text, imports: importsOf(path, text) };
  }
});

describe('floors inside', () => {
  const againstFloors = (files: readonly SourceFile[]): string[] =>
    importsWithin('engine', files)
      .filter(({ from, to }) => floors.indexOf(floorOf(to)) > floors.indexOf(floorOf(from)))
      .map(({ from, to }) => `${from} -> ${to}`);

  test('rules import rules; rows import rows and rules', () => {
    expect(againstFloors(sources)).toEqual([]);
  });

  test.each([
    ['rules', `import type { Payment } from '../rows/payments.ts';`, 'rows/payments.ts'],
    ['rules', `import { type Payment } from '../rows/payments.ts';`, 'rows/payments.ts'],
    ['rules', `type Payment = import('../rows/payments.ts').Payment;`, 'rows/payments.ts'],
    ['rules', `export type { ShownPayment } from '../read-payment.ts';`, 'read-payment.ts'],
    ['rows', `import type { ShownPayment } from '../read-payment.ts';`, 'read-payment.ts'],
    ['rows', `const load = () => import('../read-payment.ts');`, 'read-payment.ts'],
  ])('seen: %s with %s', (floor, text, to) => {
    const path = `engine/payments/${floor}/stray.ts`;
    expect(againstFloors([{ path, text, imports: importsOf(path, text) }])).toEqual([
      `${path} -> engine/payments/${to}`,
    ]);
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

describe('a room owns its tables', () => {
  const engine = sources.filter(({ path }) => path.startsWith('engine/') && !path.startsWith('engine/ledger/'));
  const withFile = (path: string, text: string) => [...engine, { path, text, imports: importsOf(path, text) }];

  test('each table belongs to a room that has rows', () => {
    const rooms = new Set(engine.filter(({ path }) => path.includes('/rows/')).map(({ path }) => roomOf(path)));
    expect(owners.get('entry')).toBe('accounts');
    expect(owners.size).toBeGreaterThan(25);
    expect([...owners.values()].filter((room) => !rooms.has(room))).toEqual([]);
  });

  test('a statement that writes a table stands in the room of the table', () => {
    expect(strayWrites(engine)).toEqual([]);
  });

  test.each([
    `await tx.updateTable('execution').set({ attempts: 1 }).execute();`,
    `await tx.insertInto(\n    'execution',\n  ).values(row).execute();`,
    `await insertMany(tx, 'execution', { columns, items, rowOf });`,
    'await sql`update or fail execution set attempts = 1`.execute(tx);',
    'await sql`insert into execution (id) values (1)`.execute(tx);',
    'await sql`delete from execution`.execute(tx);',
  ])('seen: %s', (statement) => {
    const text = `export async function write(tx: Writer): Promise<void> {\n  ${statement}\n}`;
    expect(strayWrites(withFile('engine/runs/rows/stray.ts', text))).toEqual(['engine/runs/rows/stray.ts: execution']);
    expect(strayWrites(withFile('engine/settlement/rows/own.ts', text))).toEqual([]);
  });

  test('seen: a table that the statement does not name', () => {
    const text = 'export const write = (tx: Writer) => sql`update ${sql.table(name)} set id = 1`.execute(tx);';
    expect(strayWrites(withFile('engine/runs/rows/stray.ts', text))).toEqual([
      'engine/runs/rows/stray.ts: ${sql.table(name)}',
    ]);
  });

  test('no room takes a function that writes from the rows of another', () => {
    expect(writersTaken(engine)).toEqual([]);
  });

  test.each([
    `import { type Execution, cancelOpenExecutions } from '../settlement/rows/executions.ts';`,
    `import { saveAttempts as save } from '../settlement/rows/executions.ts';`,
    `export { saveAttempts } from '../settlement/rows/executions.ts';`,
  ])('seen: %s', (text) => {
    expect(writersTaken(withFile('engine/runs/stray.ts', text))).toHaveLength(1);
    expect(writersTaken(withFile('engine/stray.ts', text.replace('../', './')))).toHaveLength(1);
  });

  test('seen: an operation that only hands on a function of its own rows', () => {
    const text = `export { saveAttempts } from './rows/executions.ts';`;
    expect(writersTaken(withFile('engine/settlement/stray.ts', text))).toHaveLength(1);
  });

  test('reading the rows of another room stays free', () => {
    const text = `import { executionsOf } from '../settlement/rows/executions.ts';`;
    expect(writersTaken(withFile('engine/runs/reader.ts', text))).toEqual([]);
  });
});

describe('the house', () => {
  test.each([
    ['engine', ['api', 'scripts', 'tests', 'fixtures']],
    ['api', ['scripts', 'tests']],
    ['scripts', ['tests']],
  ])('%s imports nothing of %p', (folder, others) => {
    const wrong = sources
      .filter(({ path }) => path.startsWith(`${folder}/`))
      .flatMap(({ path, imports }) => imports.map((name) => ({ path, name })))
      .filter(({ name }) => others.some((other) => name.startsWith(`${other}/`)));
    expect(wrong).toEqual([]);
  });

  test('files in JavaScript, which the compiler does not check, import files that exist', () => {
    const scripts = ['api', 'scripts', 'examples', ...equipment].flatMap((folder) => sourcesIn(folder, '.js'));
    const own = scripts.flatMap(({ path, imports }) => imports.map((name) => ({ path, name })));
    const files = own.filter(({ name }) => /^(engine|api|scripts|examples|tests)\//.test(name));
    expect(files).not.toEqual([]);
    expect(files.filter(({ name }) => !existsSync(join(root, name)))).toEqual([]);
  });

  test('what tries the package as a user does imports nothing of the lab', () => {
    const wrong = sources.filter(
      ({ path, imports }) => path.startsWith('tests/wide/') && imports.some((name) => name.startsWith('tests/lab/')),
    );
    expect(wrong.map(({ path }) => path)).toEqual([]);
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

describe('the tiers of the tests', () => {
  const tests = new Map(['tests', 'examples'].flatMap((folder) => sourcesIn(folder)).map((file) => [file.path, file]));
  const isCore = (path: string): boolean => path.endsWith('.test.ts') && !path.startsWith('tests/full/');

  /** What only tests of the full tier may reach: a browser, the package, long searches, and what stands beside their tests. */
  const isOfFullTier = (name: string): boolean =>
    /^(playwright-core|axe-core|tests\/(full|campaigns|pictures|wide)\/.*)$/.test(name);

  /** The first way from a file to what is of the full tier, over what its imports import. */
  function wayToFull(path: string, files: ReadonlyMap<string, SourceFile>, seen = new Set<string>()): string | null {
    seen.add(path);
    for (const name of files.get(path)?.imports ?? []) {
      if (isOfFullTier(name)) return `${path} -> ${name}`;
      const way = seen.has(name) ? null : wayToFull(name, files, seen);
      if (way !== null) return `${path} -> ${way}`;
    }
    return null;
  }

  test('no test of the core imports what needs a browser, the package or a campaign, whatever is between them', () => {
    const core = [...tests.keys()].filter(isCore);
    expect(core.length).toBeGreaterThan(300);
    expect(core.map((path) => wayToFull(path, tests)).filter((way) => way !== null)).toEqual([]);
  });

  test('no test of the core makes or installs a package by npm; tests/docs/pages.test.ts only names the lines', () => {
    const making = /'npm', \[[^\]]*'(?:pack|prepack|build|ci|install|i)'/;
    const core = [...tests.values()].filter(({ path }) => isCore(path) && path !== 'tests/docs/pages.test.ts');
    expect(core.filter(({ text }) => making.test(text)).map(({ path }) => path)).toEqual([]);
    expect(making.test(tests.get('tests/full/package/built.ts')?.text ?? '')).toBe(true);
  });

  test.each([
    ['a browser', `import { describeInBrowser } from '../support/browser.ts';`],
    ['the pictures', `import { pictures } from '../pictures/pictures.ts';`],
    ['what stands beside a test of the full tier', `import { packedPackage } from '../full/package/built.ts';`],
    ['a campaign', `import { kill } from '../campaigns/kill.ts';`],
  ])('a test of the core that imports %s is found', (_what, text) => {
    const path = 'tests/console/new.test.ts';
    const withNew = new Map([...tests, [path, { path, text, imports: importsOf(path, text) }]]);
    expect(wayToFull(path, withNew)).toMatch(/^tests\/console\/new\.test\.ts -> /);
  });
});

describe('one package, one home', () => {
  test.each(homes)('%s', (what, home) => {
    const users = sources.filter(({ imports }) => imports.some((name) => what.test(name))).map(({ path }) => path);
    expect(users.length).toBeGreaterThan(0);
    expect(users.filter((path) => !home.test(path))).toEqual([]);
  });
});

/** What decides when a payment is paid: the plan asks it, the run posts by it, and the files around define it. */
const deciders =
  /\b(executionDateWhenSigned|whenReceived|runThatTakes|firstRunIfSigned|notBeforeRun|fixingFrom|valueDateOf|datesOf)\b/;
const decidersHome =
  /^engine\/(time\/rules\/\w[\w-]*|payments\/rules\/plan|settlement\/rules\/(posting-dates|decide-attempts))\.ts$/;

test('only the plan and the run import what decides when a payment is paid', () => {
  const product = sources.filter(({ path }) => !path.startsWith('tests/'));
  const users = product.filter(({ text }) => deciders.test(importedNames(text))).map(({ path }) => path);
  expect(users).toContain('engine/payments/rules/plan.ts');
  expect(users.filter((path) => !decidersHome.test(path))).toEqual([]);
});

/** The names in the import lists of a file. */
function importedNames(text: string): string {
  return [...text.matchAll(/^import [^;]*? from /gm)].join(' ');
}

describe('clock, chance and environment come from one place', () => {
  test.each(banned)('%s', (what, home) => {
    const users = sources
      .filter(({ path }) => !/^tests\/(lab|bench|campaigns)\//.test(path))
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

/** The circles of files: those that lead to each other by imports, as one text, by Tarjan's algorithm. */
function circlesIn(files: readonly SourceFile[]): string[] {
  const importsOfFile = new Map(files.map(({ path, imports }) => [path, imports]));
  const places = new Map<string, number>();
  const open: string[] = [];
  const circles: string[] = [];
  const lowestFrom = (path: string): number => {
    const place = places.size;
    places.set(path, place);
    open.push(path);
    let lowest = place;
    for (const to of importsOfFile.get(path) ?? []) {
      if (!importsOfFile.has(to)) continue;
      const known = places.get(to);
      if (known === undefined) lowest = Math.min(lowest, lowestFrom(to));
      else if (open.includes(to)) lowest = Math.min(lowest, known);
    }
    if (lowest === place) {
      const circle = open.splice(open.indexOf(path));
      if (circle.length > 1) circles.push(circle.toSorted().join(' '));
    }
    return lowest;
  };
  for (const { path } of files) if (!places.has(path)) lowestFrom(path);
  return circles;
}

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
}

/** The function, which reads each thing once: a planted file stands beside all that are there. */
function kept<Read, Found>(find: (of: Read) => Found): (of: Read) => Found {
  const found = new Map<Read, Found>();
  return (of) => {
    const one = found.get(of) ?? find(of);
    found.set(of, one);
    return one;
  };
}

type SourceText = Pick<SourceFile, 'path' | 'text'>;

/** The room that owns each table. */
const owners: ReadonlyMap<string, string> = new Map(Object.entries(tables).map(([name, { room }]) => [name, room]));

/** Kysely's builders and the ledger's helpers, which name the table, and the texts of SQL. */
const writes: readonly RegExp[] = [
  /\b(?:insertInto|replaceInto|mergeInto|updateTable|deleteFrom)\(\s*([^,)]+)/g,
  /\b(?:insertRow|insertMany|renewResourceIds)\(\s*\w+,\s*([^,)]+)/g,
  /\b(?:insert|replace)(?: or \w+)? into (\w+|\$\{[^}]*\})/gi,
  /\bdelete from (\w+|\$\{[^}]*\})/gi,
  /\bupdate(?: or \w+)? (\w+|\$\{[^}]*\})\s+set\b/gi,
];

/** The tables that a piece of TypeScript writes. */
const tablesWritten = kept((text: string): string[] => {
  const code = withoutComments(text);
  return writes.flatMap((pattern) =>
    [...code.matchAll(pattern)].map(([, table = '']) => table.trim().replaceAll("'", '')),
  );
});

/** Statements that write a table of another room, or one that they do not name. */
function strayWrites(files: readonly SourceText[]): string[] {
  return files.flatMap(({ path, text }) =>
    tablesWritten(text)
      .filter((table) => !owners.has(table) || owners.get(table) !== roomOf(path))
      .map((table) => `${path}: ${table}`),
  );
}

/** A function or value at the top of a file: its text, and the names in it. */
interface Declared {
  readonly text: string;
  readonly names: ReadonlySet<string>;
}

/** What a file declares, what it imports and what it hands on, as `path#name` of the file that it comes from. */
interface FileParts {
  readonly path: string;
  readonly declared: ReadonlyMap<string, Declared>;
  readonly imported: ReadonlyMap<string, string>;
  readonly handedOn: readonly string[];
}

/** Functions of `rows/` that write, itself or by what they call, where another room imports one or any file hands one on. */
function writersTaken(files: readonly SourceText[]): string[] {
  const parts = new Map(files.map((file) => [file.path, partsOf(file)]));
  const known = new Map<string, boolean>();
  const isWriter = (key: string): boolean => {
    const [path = '', name = ''] = key.split('#');
    const file = parts.get(path);
    const declared = file?.declared.get(name);
    if (file === undefined || declared === undefined) return false;
    const before = known.get(key);
    if (before !== undefined) return before;
    known.set(key, false);
    const found =
      tablesWritten(declared.text).length > 0 ||
      [...declared.names].some((used) => isWriter(file.imported.get(used) ?? `${path}#${used}`));
    known.set(key, found);
    return found;
  };
  const isRow = (key: string): boolean => key.includes('/rows/') && isWriter(key);
  return [...parts.values()].flatMap(({ path, imported, handedOn }) =>
    [...[...imported.values()].filter((key) => roomOf(key) !== roomOf(path)), ...handedOn]
      .filter(isRow)
      .map((key) => `${path}: ${key}`),
  );
}

const partsOf = kept(({ path, text }: SourceText): FileParts => {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
  const declared = new Map<string, Declared>();
  const imported = new Map<string, string>();
  const handedOn: string[] = [];
  for (const statement of file.statements) {
    if (ts.isImportDeclaration(statement)) {
      const bindings = statement.importClause?.namedBindings;
      for (const [local, key] of namedFrom(statement.moduleSpecifier, bindings, path)) imported.set(local, key);
    } else if (ts.isExportDeclaration(statement)) {
      handedOn.push(...namedFrom(statement.moduleSpecifier, statement.exportClause, path).map(([, key]) => key));
    } else {
      const one = { text: statement.getText(file), names: namesIn(statement) };
      for (const name of declaredBy(statement, file)) declared.set(name, one);
    }
  }
  return { path, declared, imported, handedOn };
});

function namedFrom(
  from: ts.Expression | undefined,
  bindings: ts.NamedImportBindings | ts.NamedExportBindings | undefined,
  path: string,
): [local: string, key: string][] {
  if (from === undefined || !ts.isStringLiteral(from) || !from.text.startsWith('.')) return [];
  const target = join(dirname(path), from.text);
  if (bindings === undefined || !('elements' in bindings)) throw new Error(`${path}: name what it takes of ${target}`);
  return [...bindings.elements].map(({ name, propertyName }) => [
    name.text,
    `${target}#${(propertyName ?? name).text}`,
  ]);
}

function declaredBy(statement: ts.Statement, file: ts.SourceFile): string[] {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.map(({ name }) => name.getText(file));
  }
  if (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement)) return [statement.name?.text ?? ''];
  return [];
}

function namesIn(node: ts.Node): Set<string> {
  const names = new Set<string>();
  const visit = (each: ts.Node): void => {
    if (ts.isIdentifier(each)) names.add(each.text);
    ts.forEachChild(each, visit);
  };
  visit(node);
  return names;
}
