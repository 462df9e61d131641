import { expect, test } from '@jest/globals';
import { quirkNames } from '../../../engine/bank/rules/quirk.ts';
import { changingProfiles, Rounds } from '../../golden/banks.ts';
import { oneOf, sameSample, someOf } from '../../support/sample.ts';

/* rules.md Q1c: each quirk of a profile is heard on the wire beside all others of it. */

/** Quirks that are silent at the time of the story, with the test that hears them. */
const silent: Readonly<Record<string, readonly string[]>> = {
  // Its dates are published, and have passed: tests/quirks/accept-fix.test.ts.
  'sparebank1-sogn-og-fjordane': ['accept-fix-dates'],
};

/** Of profiles with the same quirks the first. A run of the suite takes the one with all quirks and another, and a tenth of the quirks of each. */
const all = [...Map.groupBy(await changingProfiles(), ({ quirks }) => JSON.stringify(quirks)).values()]
  .flatMap((alike) => alike.slice(0, 1))
  .filter(({ quirks }) => Object.keys(quirks).length > 0);
const [whole, others] = [all.filter(({ id }) => id === 'every-quirk'), all.filter(({ id }) => id !== 'every-quirk')];
const profiles = [...whole, ...oneOf('audible profiles', others)];

test.each(profiles)(
  'Q1c: each quirk of $id is heard: without it, a TPP reads something else',
  async ({ id, ...profile }) => {
    const rounds = await Rounds.begin({ id, ...profile });
    const heard = async (quirks: object): Promise<string> =>
      JSON.stringify((await rounds.under(quirks)).filter(({ call }) => / \/v1\//.test(call)));
    try {
      const usual = await heard({});
      if (id === 'every-quirk') expect(await heard({})).toBe(usual);
      const unheard = [];
      const own = quirkNames.filter((each) => Object.hasOwn(profile.quirks, each));
      const drawn = someOf(`quirks of ${id}`, own, Math.ceil(own.length / 10));
      for (const name of drawn) if ((await heard({ [name]: false })) === usual) unheard.push(name);
      expect({ unheard, sameSample }).toEqual({
        unheard: drawn.filter((name) => silent[id]?.includes(name)),
        sameSample,
      });
    } finally {
      await rounds.stop();
    }
  },
  60_000,
);
