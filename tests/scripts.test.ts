import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { runScript } from '../scripts/run-script.ts';
import { Mistake } from '../engine/values/mistake.ts';
import { someOf } from './support/sample.ts';

/* The scripts of the clone. */

const scripts = [
  ...readdirSync('scripts')
    .filter((name) => name.endsWith('.ts') && name !== 'run-script.ts')
    .map((name) => join('scripts', name)),
  ...['bench', 'campaigns', 'pictures', 'wide'].map((room) => join('tests', room, 'run.ts')),
];

/** Runs a script of one flag and any words with these arguments: its exit code, what it printed, and what reached its main. */
async function run(args: readonly string[], main: (words: readonly string[]) => void = () => undefined) {
  const [{ argv }, { log, error }] = [process, console];
  const printed: unknown[] = [];
  const refused: unknown[] = [];
  let words: readonly string[] | null = null;
  console.log = (text: unknown) => printed.push(text);
  console.error = (text: unknown) => refused.push(text);
  process.argv = ['node', 'script', ...args];
  try {
    const config = { options: { quick: { type: 'boolean' } }, allowPositionals: true } as const;
    await runScript('npm run thing\n\nDoes it.\n', config, ({ positionals }) => {
      words = positionals;
      main(positionals);
    });
    return { code: process.exitCode ?? 0, printed, refused, words };
  } finally {
    Object.assign(console, { log, error });
    process.argv = argv;
    process.exitCode = undefined;
  }
}

describe('a script of the clone', () => {
  test('each is run by runScript, with the usage that names it', () => {
    expect(scripts).toContain('scripts/check.ts');
    for (const name of scripts) {
      const text = readFileSync(name, 'utf8');
      expect({ name, text }).toEqual({ name, text: expect.stringMatching(/^await runScript\(/m) });
      expect({ name, text }).toEqual({
        name,
        text: expect.stringMatching(/usage = `(npm run |node (scripts|tests)\/)[\w:/.-]+/),
      });
    }
  });

  test.each(['--help', '-h'])('%s prints its usage, does nothing, and ends in 0', async (flag) => {
    const usage = ['npm run thing\n\nDoes it.'];
    expect(await run(['x', flag])).toEqual({ code: 0, printed: usage, refused: [], words: null });
  });

  test('a flag that it does not have is told above the usage, and ends in 2', async () => {
    expect(await run(['--nope'])).toEqual({
      code: 2,
      printed: [],
      refused: [expect.stringMatching(/^Unknown option '--nope'.*\n\nnpm run thing\n\nDoes it\.$/)],
      words: null,
    });
  });

  test('so is a word that its main refuses', async () => {
    const refuse = () => {
      throw new Mistake('There is no x');
    };
    const { code, refused } = await run(['x'], refuse);
    expect([code, refused]).toEqual([2, ['There is no x\n\nnpm run thing\n\nDoes it.']]);
  });

  test('what fails in it is thrown on, with its stack', async () => {
    const fail = () => {
      throw new Error('a fault');
    };
    await expect(run(['x'], fail)).rejects.toThrow('a fault');
  });
});

describe('npm run campaigns', () => {
  const refused: (readonly [readonly string[], string])[] = [
    [['nonsense'], 'There is no campaign nonsense'],
    [['kill', 'nonsense'], 'There is no campaign nonsense'],
    [['kill', 'fuzz'], 'Name one campaign, or none for all'],
    [['kill', '--quick'], '--quick, --resume and --page are for all campaigns'],
    [['--seed', '1'], 'Name the campaign of --seed, --count or --keep'],
    [['kill', '--count', 'x'], '--count is a whole number of at most nine digits, not x'],
  ];
  test.each(someOf('words of campaigns', refused, 2))(
    '%j: told in one line above the campaigns that there are',
    (args, line) => {
      const run = spawnSync(process.execPath, ['tests/campaigns/run.ts', ...args], { encoding: 'utf8' });
      const { status, stdout, stderr } = run;
      expect([status, stdout, stderr.split('\n')[0]]).toEqual([2, '', line]);
      expect(stderr).toMatch(/\n {2}kill .*\n {2}faults /);
    },
  );
});

describe('npm run bench', () => {
  const bench = (...args: string[]) =>
    spawnSync(process.execPath, ['tests/bench/run.ts', ...args], { encoding: 'utf8' });

  test('--help names its parts, and a part that there is not ends in 2 without a stack', () => {
    expect(bench('--help')).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/\n {2}settlement {4}/),
      stderr: '',
    });
    const { status, stdout, stderr } = bench('initiation', 'nonsense');
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^There is no part nonsense\n\nnpm run bench /);
  });
});
