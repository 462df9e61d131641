import { execFile, spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { did } from '../../lab/server.ts';
import { pageBlocks } from '../../support/markdown.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { testBank } from '../../support/test-bank.ts';
import { hasProgram, testWith } from '../../support/test-with.ts';

/* docs/one-clock.md and examples/one-clock: the programs in Python and Java, and the story with processes. tests/full/docs/programs.test.ts and tests/harness/fake-timers.test.ts run those in JavaScript. */

const bank = testBank('2027-03-24T12:00:00+01:00', ['--follow-clock=1']);
const folder = tempFolder();
beforeEach(() => did(bank.control('POST', '/sandbox/reset')));

const run = async (program: string, args: readonly string[]) =>
  (await promisify(execFile)(program, args, { cwd: folder })).stdout;

/** The block of the page that has this word, with this bank in the place of the page's. */
function blockWith(word: string): string {
  const [block, ...others] = pageBlocks('docs/one-clock.md').filter(({ text }) => text.includes(word));
  expect(others).toEqual([]);
  return (block?.text ?? '').replaceAll('http://127.0.0.1:7263', bank.address);
}

/** A Python that has this module: that of the path or Debian's. */
const pythonWith = (module: string): string | undefined =>
  ['python3', '/usr/bin/python3'].find((python) => spawnSync(python, ['-c', `import ${module}`]).status === 0);

describe('T1c: a test in Python has the time of the bank', () => {
  /** The page shows the last lines of the second program; the first lines are those of the first, without its module. */
  const programs = {
    freezegun: () => blockWith('from freezegun'),
    time_machine: () => {
      const [head = ''] = blockWith('from freezegun')
        .replace(/^from freezegun .*\n/m, '')
        .split('with freeze_time');
      return head + blockWith('import time_machine');
    },
  };

  test.each(['freezegun', 'time_machine'] as const)('%s: the block is there', (module) => {
    expect(programs[module]()).toMatch(new RegExp(`${module}[^]*with .*bank_time\\(\\)`));
  });

  for (const module of ['freezegun', 'time_machine'] as const) {
    const python = pythonWith(module);
    testWith(python !== undefined, module)(`${module}: after a move of three days`, async () => {
      expect(await run(python ?? '', ['-c', programs[module]()])).toBe('2027-03-27T11:00:00 UTC\n');
    });
  }
});

testWith(hasProgram('javac'), 'Java')(
  'T1c: a Clock in Java has the time of the bank',
  async () => {
    const main = `class Main { public static void main(String[] none) {
      System.out.println(Instant.now(new BankClock()) + " " + LocalDate.now(new BankClock())); } }`;
    writeFileSync(
      join(folder, 'Main.java'),
      blockWith('class BankClock').replace('class BankClock', `${main}\nclass BankClock`),
    );
    // Compiles short programs less, which is half of what they take.
    const quick = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'];
    await run('javac', [...quick.map((flag) => `-J${flag}`), 'Main.java']);
    expect(await run('java', [...quick, 'Main'])).toBe('2027-03-24T11:00:00Z 2027-03-24\n');
    await did(bank.control('POST', '/sandbox/clock/advance', { by: 'P1D' }));
    expect(await run('java', [...quick, 'Main'])).toBe('2027-03-25T11:00:00Z 2027-03-25\n');
  },
  180_000,
);

const hasFaketime = globSync('/usr/lib/*/faketime/libfaketime.so.1').length > 0;

testWith(hasFaketime && hasProgram('python3'), 'libfaketime and python3')(
  'T1c, T1d: the story of examples/one-clock with processes: one clock moves bank, shop and job',
  async () => {
    const said = await run('python3', [join(process.cwd(), 'examples/one-clock/story.py')]);
    const told = said.split('\n').filter((line) => /^\d{4}-|^\w{3}, |^The story/.test(line));
    expect(told).toEqual([
      '2027-03-31: 0 of 1 orders are due',
      '2027-04-01: 1 of 1 orders are due',
      'Thu, 01 Apr 2027 03:30:00 GMT: settled; Nora has 17750.00',
      'Thu, 08 Apr 2027 11:30:00 GMT: settled; Nora has 17750.00',
      'Mon, 12 Apr 2027 03:30:00 GMT: settled; Nora has 18000.00',
      'The story is told.',
    ]);
  },
  180_000,
);

test('examples/one-clock lists its files', () => {
  const readme = readFileSync('examples/one-clock/README.md', 'utf8');
  const listed = [...readme.matchAll(/^\| `(\S+)`/gm)].map(([, name = '']) => name);
  expect(listed.filter((name) => !existsSync(join('examples/one-clock', name)))).toEqual([]);
  expect(globSync('examples/one-clock/*.{ts,py}')).toHaveLength(listed.length);
});
