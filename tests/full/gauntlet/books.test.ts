import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { allTrials } from '../../../api/gauntlet/trials.ts';
import { sample, sameSample } from '../../support/sample.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const folder = tempFolder();

test('GA5: books balance under each trial, and a client that sends a call again pays once', async () => {
  const trials = sample('books under trials', await allTrials(), 8);
  const words = ['tests/gauntlet/under-each-trial.ts', folder, ...trials.map(({ name }) => name)];
  const { stdout } = await promisify(execFile)(process.execPath, words);
  const told = JSON.parse(stdout) as Record<string, { ok: boolean; paid: number; total: number }>;
  expect(Object.keys(told)).toEqual(trials.map(({ name }) => name));
  for (const { name, kind } of trials) {
    expect([name, told[name]?.ok, sameSample]).toEqual([name, true, sameSample]);
    if (kind === 'wire') expect([name, told[name]]).toEqual([name, { ok: true, paid: 2, total: 3 }]);
  }
}, 240_000);
