import { expect, test } from '@jest/globals';
import { parseFlags, WrongFlags } from '../../api/start/parse-flags.ts';

const options = { seed: { type: 'string' }, quick: { type: 'boolean' } } as const;

test.each([
  [['--sed', '1'], '--sed is no flag here; the nearest is --seed'],
  [['--sed=1'], '--sed is no flag here; the nearest is --seed'],
  [['--hard'], /^--hard is no flag here$/],
  [['-x'], /^-x is no flag here$/],
  [['--seed'], /^--seed has no value$/],
  [['--quick=1'], /^--quick takes no value$/],
  [['--seed', '--quick'], /^--seed has no value; if "--quick" is meant as one, write --seed=--quick$/],
  [['--seed', '--'], /^--seed has no value; if "--" is meant as one, write --seed=--$/],
  [['--toString'], /^--toString is no flag here$/],
  [['--a b\n'], /^"--a b\\n" is no flag here$/],
])('%j is one line that says what is wrong', (args, problem) => {
  expect(() => parseFlags({ args, options, allowPositionals: true })).toThrow(WrongFlags);
  expect(() => parseFlags({ args, options, allowPositionals: true })).toThrow(problem);
});

test('a program without flags says so', () => {
  expect(() => parseFlags({ args: ['--a'], options: {} })).toThrow('--a is no flag here; there are none');
});

test.each([
  [['--seed', '-7'], '-7', []],
  [['--seed=--quick'], '--quick', []],
  [['--seed='], '', []],
  [['--seed', '1', '--seed', '2'], '2', []],
  [['a', '--seed', '1', '--', '--quick', 'b'], '1', ['a', '--quick', 'b']],
])('%j is read as it was meant', (args, seed, words) => {
  const { values, positionals } = parseFlags({ args, options, allowPositionals: true });
  expect([values.seed, values.quick, positionals]).toEqual([seed, undefined, words]);
});

test('a word where none may stand', () => {
  expect(() => parseFlags({ args: ['x'], options })).toThrow('"x" is one word too many');
});
