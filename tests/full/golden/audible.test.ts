import { expect, test } from '@jest/globals';
import { quirkNames } from '../../../engine/bank/rules/quirk.ts';
import { changingProfiles, Rounds } from '../../golden/banks.ts';

/* rules.md Q1c: each habit of a profile is heard on the wire beside all others of it. */

/** Habits that are silent at the time of the story, with the test that hears them. */
const silent: Readonly<Record<string, readonly string[]>> = {
  // Its dates are published, and have passed: tests/habits/accept-fix.test.ts.
  'sparebank1-sogn-og-fjordane': ['accept-fix-dates'],
};

/** Of profiles with the same quirks the first. */
const profiles = [...Map.groupBy(await changingProfiles(), ({ quirks }) => JSON.stringify(quirks)).values()]
  .flatMap((alike) => alike.slice(0, 1))
  .filter(({ quirks }) => Object.keys(quirks).length > 0);

test.each(profiles)(
  'Q1c: each habit of $id is heard: without it, a TPP reads something else',
  async ({ id, ...profile }) => {
    const rounds = await Rounds.begin({ id, ...profile });
    const heard = async (quirks: object): Promise<string> =>
      JSON.stringify((await rounds.under(quirks)).filter(({ call }) => / \/v1\//.test(call)));
    try {
      const all = await heard({});
      if (id === 'every-habit') expect(await heard({})).toBe(all);
      const unheard = [];
      for (const name of quirkNames.filter((each) => Object.hasOwn(profile.quirks, each)))
        if ((await heard({ [name]: false })) === all) unheard.push(name);
      expect(unheard).toEqual(silent[id] ?? []);
    } finally {
      await rounds.stop();
    }
  },
  60_000,
);
