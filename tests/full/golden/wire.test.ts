import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { changingProfiles, quickProfiles, quirkTexts, Rounds, storyOf } from '../../golden/banks.ts';
import { differences } from '../../golden/kept-answers.ts';
import { sameSample, someOf } from '../../support/sample.ts';

const others = (await changingProfiles()).filter(({ id }) => !quickProfiles.includes(id));
const profiles = someOf('golden profiles', others, 6);
const quirks = someOf('golden quirks', quirkTexts, 25);

/** Says how to play the same banks again. */
const withSample = (found: readonly string[]): readonly string[] =>
  found.length === 0 ? found : [...found, sameSample];

test.each(profiles.map((profile) => [profile.id, profile] as const))(
  'Q8: under %s a bank answers as it did',
  async (id, profile) => {
    expect(withSample(differences(await storyOf(profile), 'story', ['profiles', id]))).toEqual([]);
  },
  120_000,
);

describe('Q1: in one bank', () => {
  let rounds: Rounds;
  beforeAll(async () => {
    rounds = await Rounds.begin();
  });
  afterAll(() => rounds.stop());

  test('the answers without a quirk stay', async () => {
    expect(differences(await rounds.round(null), 'round')).toEqual([]);
  }, 60_000);

  test.each(quirks)(
    'the answers under %s stay',
    async (quirk) => {
      expect(withSample(differences(await rounds.round(quirk), 'round', ['quirks', quirk]))).toEqual([]);
    },
    60_000,
  );
});
