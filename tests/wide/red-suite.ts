import assert from 'node:assert/strict';
import { mkdtempDisposableSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { unpackBundle } from '../../api/hosting/bundle/bundle-file.ts';

/*
 * Tests in which each bank has an amount of its own, its mark, so that a bundle tells whose bank it is.
 */
const head = `
const now = '2027-03-24T12:00:00+01:00';
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const put = (bank, mark) => bank.topUp('09232911044', mark);
const fail = (mark) => {
  if (red === null || red.includes(mark)) throw new Error('RED ' + mark + ';');
};
/** A test with a bank of its own, which it closes before anybody knows how it ends. */
const own = async (mark, ms = 0) => {
  const bank = await createBank({ now });
  try {
    await put(bank, mark);
    await wait(ms);
    fail(mark);
  } finally {
    await bank.close();
  }
};
`;

const suite = `${head}
test.each(['1.01', '1.02', '1.03'])('of one title', (mark) => own(mark));
test('twice', () => own('2.01'));
test('twice', () => own('2.02'));
describe('outer', () => {
  describe('inner', () => void test('nested', () => own('3.01')));
  describe('inner', () => void test('nested', () => own('3.02')));
});
describe('concurrent', () => {
  test.concurrent('first', () => own('4.01', 300));
  test.concurrent('second', () => own('4.02', 100));
  test.concurrent('same', () => own('4.03', 200));
  test.concurrent('same', () => own('4.04', 250));
});
describe('a reset after each', () => {
  let bank;
  beforeAll(async () => void (bank = await createBank({ now })));
  afterEach(() => bank.reset());
  afterAll(() => bank.close());
  test('throws', async () => {
    await put(bank, '6.01');
    fail('6.01');
  });
  test('of one title', async () => {
    await put(bank, '6.02');
    fail('6.02');
  });
});
describe('a restore after each', () => {
  let bank;
  beforeAll(async () => {
    bank = await createBank({ now });
    await bank.snapshot();
  });
  afterEach(() => bank.restore());
  afterAll(() => bank.close());
  test('throws', async () => {
    await put(bank, '6.03');
    fail('6.03');
  });
});
`;

/** Another file: its bank listens, and hooks at its top reset it over HTTP. */
const atTop = `${head}
let bank;
let isLate = false;
beforeAll(async () => void (bank = await createBank({ now, port: 0 })));
afterEach(async () => {
  if (isLate) {
    isLate = false;
    await put(bank, '7.02');
    fail('7.02');
  }
});
afterEach(async () => {
  const headers = { 'content-type': 'application/json' };
  await fetch(bank.url + '/sandbox/reset', { method: 'POST', headers, body: '{}' });
});
afterAll(() => bank.close());
test('of one title', async () => {
  await put(bank, '7.01');
  fail('7.01');
});
test('fails in a hook', async () => void (isLate = true));
`;

/** The first lines of its files for vitest. */
export const vitestImports = [
  "import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';",
  "import { createBank } from 'sandbank';",
  "import 'sandbank/vitest';",
];

/** Tests of node:test whose banks have marks, all red but one. */
const nodeSuite = `${head}
test('green', () => own('0.01').catch(() => undefined));
test('../../red: før påske', () => own('1.01'));
test('twice', () => own('2.01'));
test('twice', () => own('2.02'));
describe('outer', () => {
  test('nested', () => own('3.01'));
  describe('a reset after each', () => {
    let shared;
    before(async () => void (shared = await createBank({ now })));
    afterEach(() => shared.reset());
    after(() => shared.close());
    test('throws', async () => {
      await put(shared, '6.01');
      fail('6.01');
    });
  });
});
test('with mocked timers', async (t) => {
  t.mock.timers.enable();
  const bank = await createBank({ now });
  await put(bank, '5.01');
  await bank.close();
  fail('5.01');
});
test('with a test in it', (t) => t.test('inner', () => own('3.02')));
describe('a hook fails', () => {
  afterEach(() => fail('7.02'));
  test('of a test', async () => {
    const bank = await createBank({ now });
    await put(bank, '7.02');
    await bank.close();
  });
});
`;

/** The text of that file of tests. `module`: how it imports. `red`: the marks of the tests that fail; null: all. */
export function nodeRedSuite(module: 'mjs' | 'cjs', red: readonly string[] | null): string {
  const names = 'after, afterEach, before, describe, test';
  const imports = {
    mjs: [
      `import { ${names} } from 'node:test';`,
      "import { createBank } from 'sandbank';",
      "import 'sandbank/node-test';",
    ],
    cjs: [
      `const { ${names} } = require('node:test');`,
      "const { createBank } = require('sandbank');",
      "require('sandbank/node-test');",
    ],
  };
  return [...imports[module], `const red = ${JSON.stringify(red)};`, nodeSuite].join('\n');
}

/** The marks of its tests that can be red. */
export const nodeMarks = ['1.01', '2.01', '2.02', '3.01', '3.02', '5.01', '6.01', '7.02'];

/**
 * Throws unless the folder has one bundle of each red test of node:test, of its own bank, and what was printed has the lines that open it and
 * begin a test from it.
 */
export async function requireNodeBundles(folder: string, printed: string, red: readonly string[]): Promise<void> {
  const files = readdirSync(join(folder, '.sandbank')).filter((name) => name.endsWith('.sandbank'));
  const marks = await Promise.all(files.map((file) => markIn(join(folder, '.sandbank', file))));
  assert.deepEqual(marks.toSorted(), red);
  for (const file of files) {
    assert.ok(printed.includes(`npx --no sandbank open .sandbank/${file}\n`), file);
    assert.ok(printed.includes(`const bank = await createBank({ from: '.sandbank/${file}' });\n`), file);
  }
}

/** The marks of the tests that have a bank. */
const allMarks = [
  ...['1.01', '1.02', '1.03', '2.01', '2.02', '3.01', '3.02', '4.01', '4.02', '4.03', '4.04'],
  ...['6.01', '6.02', '6.03', '7.01', '7.02'],
];

/** The marks of the tests that run beside each other: what they save has the banks of all of them. */
const concurrent = ['4.01', '4.02', '4.03', '4.04'];

/** The text of each file of the tests by its name. `imports`: their first lines. `red`: the marks of the tests that fail; null: all. */
export function redSuite(
  imports: readonly string[],
  red: readonly string[] | null = null,
): Readonly<Record<string, string>> {
  const first = [...imports, `const red = ${JSON.stringify(red)};`];
  return { suite: [...first, suite].join('\n'), top: [...first, atTop].join('\n') };
}

/** What a runner printed of each red test, by its mark: the paths of its bundles. */
export function bundlesByMark(printed: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  let mark = '';
  for (const [, red, path] of printed.matchAll(/RED (\d\.\d\d);|sandbank open (\S+)/g)) {
    if (red !== undefined) found.set((mark = red), found.get(red) ?? []);
    if (path !== undefined) found.set(mark, [...new Set([...(found.get(mark) ?? []), path])]);
  }
  return found;
}

/**
 * Throws unless each red test has left one bundle, of its own bank. A test that ran beside others has its own among theirs. `folder`: where
 * the tests ran. `lacks`: the marks of tests without a bundle.
 */
export async function requireOwnBundles(folder: string, printed: string, lacks: readonly string[] = []): Promise<void> {
  const found = bundlesByMark(printed);
  assert.deepEqual(
    allMarks.filter((mark) => !lacks.includes(mark) && (found.get(mark)?.length ?? 0) === 0),
    [],
  );
  for (const [mark, paths] of found) {
    const marks = await Promise.all(paths.map((path) => markIn(join(folder, path))));
    if (!concurrent.includes(mark)) assert.deepEqual(marks, lacks.includes(mark) ? [] : [mark]);
    else if (!lacks.includes(mark)) assert.ok(marks.includes(mark), `${mark} is none of ${marks.join(', ')}`);
  }
}

/** The mark of the bank in a bundle. */
export async function markIn(file: string): Promise<string> {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'sandbank-mark-'));
  const path = join(folder.path, 'ledger.db');
  writeFileSync(path, (await unpackBundle(readFileSync(file))).ledger);
  const ledger = new DatabaseSync(path);
  const row = ledger.prepare("select balance_minor as balance from account where bban = '09232911044'").get();
  ledger.close();
  return ((Number(row?.['balance']) - 1_800_000) / 100).toFixed(2);
}
