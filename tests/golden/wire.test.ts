import { expect, test } from '@jest/globals';
import { readConfig } from '../../api/start/config.ts';
import { listedProfiles } from '../../api/start/profile.ts';
import { Rounds, storyOf } from './banks.ts';
import { differences } from './kept-answers.ts';

/*
 * What a bank answers stays. A change on purpose: `node tests/golden/rewrite.ts`, and read the difference of the kept files. What a profile
 * or a quirk changes is in the tests of its room; tests/full/golden/audible.test.ts hears each.
 */

test('a bank without a profile answers 350 calls as it did', async () => {
  const told = await storyOf();
  expect(told.length).toBeGreaterThan(350);
  expect(differences(told, 'story')).toEqual([]);
}, 60_000);

test('the calls by which quirks are heard are answered as they were', async () => {
  await using rounds = await Rounds.begin();
  expect(differences(await rounds.under({}), 'round')).toEqual([]);
}, 60_000);

test('Q8: a profile without settings and quirks changes nothing', async () => {
  const plain = (await listedProfiles()).filter(
    ({ settings, quirks }) => Object.keys({ ...settings, ...quirks }).length === 0,
  );
  expect(plain.length).toBeGreaterThan(20);
  for (const profile of plain) expect({ ...readConfig({}, [], profile), profile: null }).toEqual(readConfig({}, []));
});
