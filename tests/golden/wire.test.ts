import { expect, test } from '@jest/globals';
import { readConfig } from '../../api/start/config.ts';
import { listedProfile, listedProfiles } from '../../api/start/profile.ts';
import { quickProfiles, storyOf } from './banks.ts';
import { differences } from './kept-answers.ts';

/*
 * What a bank answers stays. A change on purpose: `node tests/golden/rewrite.ts`, and read the difference of the kept files. tests/full has
 * the other profiles and each quirk.
 */

test('a bank without a profile answers 350 calls as it did', async () => {
  const told = await storyOf(null);
  expect(told.length).toBeGreaterThan(350);
  expect(differences(told, 'story')).toEqual([]);
}, 60_000);

test.each(quickProfiles)(
  'Q8: under %s a bank answers them as it did',
  async (id) => {
    const told = await storyOf(await listedProfile(id));
    expect(differences(told, 'story', ['profiles', id])).toEqual([]);
  },
  60_000,
);

test('Q8: a profile without settings and quirks changes nothing', async () => {
  const plain = (await listedProfiles()).filter(
    ({ settings, quirks }) => Object.keys({ ...settings, ...quirks }).length === 0,
  );
  expect(plain.length).toBeGreaterThan(20);
  for (const profile of plain) expect({ ...readConfig({}, [], profile), profile: null }).toEqual(readConfig({}, []));
});
