import { expect, test } from '@jest/globals';
import { parseFlags, WrongFlags } from '../../api/start/parse-flags.ts';

const options = { seed: { type: 'string' }, quick: { type: 'boolean' } } as const;

test.each([
  [['--sed', '1'], '--sed is no flag here; the nearest is --seed'],
  [['--sed=1'], '--sed is no flag here; the nearest is --seed'],
  [['-x'], /^-x is no flag here; the nearest is --\w+$/],
  [['--seed'], /^Option '--seed <value>' argument missing$/],
  [['--quick=1'], /^Option '--quick' does not take an argument$/],
  [['--seed', '-7'], /^[^\n]*ambiguous[^\n]*$/],
])('%j is one line that says what is wrong', (args, problem) => {
  expect(() => parseFlags({ args, options, allowPositionals: true })).toThrow(WrongFlags);
  expect(() => parseFlags({ args, options, allowPositionals: true })).toThrow(problem);
});

test('a program without flags says so', () => {
  expect(() => parseFlags({ args: ['--a'], options: {} })).toThrow('--a is no flag here; there are none');
});
