import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { connectBank, createBank } from '../../../api/harness/index.ts';
import { programs, written } from '../../support/page-programs.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import '../../../api/harness/jest.ts';

/** Run by tests/full/package: jest.test.ts, prepared.test.ts, programs.test.ts and workers.test.ts; and by tests/full/docs/signing-page.test.ts. */
const elsewhere = programs.filter(({ text }) =>
  /from '(?:sandbank\/client|node:crypto)'|JEST_WORKER_ID|prepared\.sandbank|globalSetup|require\('sandbank'\)/.test(
    text,
  ),
);

/** The others by what runs them. Those with fake timers need modules of their own: tests/harness/fake-timers.test.ts runs them. */
const kinds = {
  fake: programs.filter(({ text }) => text.includes('jest.useFakeTimers')),
  jest: programs.filter(
    (one) =>
      one.text.includes("from '@jest/globals'") && !one.text.includes('useFakeTimers') && !elsewhere.includes(one),
  ),
  node: programs.filter(({ text }) => text.includes("from 'node:test'")),
  lines: programs.filter((program) => !program.text.includes('import ') && !elsewhere.includes(program)),
};
const folder = tempFolder();

describe('each program of a page is run', () => {
  test('there are some of every kind, and none of another', () => {
    expect(Object.values(kinds).filter((each) => each.length === 0)).toEqual([]);
    const known = new Set([...Object.values(kinds).flat(), ...elsewhere]);
    expect(programs.filter((program) => !known.has(program)).map(({ name }) => name)).toEqual([]);
    const pages = new Set(elsewhere.map(({ name }) => name.split(':')[0]));
    expect([...pages]).toEqual([
      'README.md',
      'docs/signing.md',
      'docs/signing/programs.md',
      'docs/tests/banks.md',
      'docs/tests/prepared.md',
    ]);
    expect(elsewhere.filter(({ name }) => name.startsWith('docs/tests/'))).toHaveLength(4);
  });

  // What has the word `bank` and no import is a part of a test.
  test.each(kinds.lines)('$name', async ({ text }) => {
    const bank = await createBank({ now: '2027-03-24T12:00:00+01:00', port: 0 });
    // The server of the page is this bank.
    const connectTo: typeof connectBank = () => connectBank(bank.url);
    const AsyncFunction = Object.getPrototypeOf(async () => undefined).constructor as FunctionConstructor;
    const run = new AsyncFunction('bank', 'createBank', 'connectBank', 'expect', text) as (
      ...given: unknown[]
    ) => Promise<void>;
    await run(bank, createBank, connectTo, expect);
    await bank.close();
  });

  test.each(kinds.node)('$name', async ({ text }) => {
    const file = written(folder, text, programs.length);
    const { stdout } = await promisify(execFile)(process.execPath, ['--test', '--test-reporter=tap', file]);
    expect(stdout).toMatch(/^# pass [1-9]/m);
    expect(stdout).toMatch(/^# fail 0$/m);
  });
});

// Importing a whole test file declares its tests, here.
for (const [index, { text }] of kinds.jest.entries()) await import(written(folder, text, index));
