import { listedProfiles, quirksOf } from '../../api/start/profile.ts';
import type { Profile } from '../../api/start/config.ts';
import { accessDays } from '../../engine/parties/rules/access.ts';
import type { KnownState } from '../../engine/bank/known-state.ts';
import { listedPersona } from '../../api/start/persona.ts';
import { knownState } from '../lab/bank.ts';
import { people } from '../lab/payments.ts';
import { readDaily } from '../lab/simulation/read-daily.ts';
import { type Campaign, demand } from './campaign.ts';

/** Length of one reader's life. Ids are reissued within it, and consents renewed. */
const daysAtOnce = 200;

/**
 * A reader keeps the books of three accounts under the habits of each profile. By days and by balances its books are right to the øre
 * under all of them. By ids it has each transaction once while ids stay; where they are reissued it books transactions again, as the
 * programs did of which the register tells (rules.md Q3; register 1, 2). It renews each consent where it ends.
 */
export async function readUnder(
  profile: Profile,
  seed: number,
  days: number,
  state = knownState,
): Promise<Record<string, number>> {
  const quirks = quirksOf(profile);
  const { problems, byId, ...counts } = await readDaily(seed, days, { quirks, knownState: state });
  const { twiceInWindows, unknownAtTheEnd } = byId;
  const who = `a reader of ${profile.id}`;
  // Of two PSUs, each time that the days of a consent are over.
  const renewals = 2 * Math.floor(days / ((quirks.get('consent-days') ?? accessDays) + 1));
  demand(problems.length === 0, () => `${who}: ${problems.join('; ')}`);
  demand(counts.renewals >= renewals, `${who} renewed ${counts.renewals} consents, not ${renewals}`);
  if (quirks.has('reissued-ids')) {
    demand(twiceInWindows > 0 && unknownAtTheEnd > 0, `${who} knows all by ids, though they are reissued`);
  } else {
    demand(twiceInWindows + unknownAtTheEnd === 0, `${who} has ${twiceInWindows} twice, ${unknownAtTheEnd} unknown`);
  }
  return { ...counts, twiceInWindows, unknownAtTheEnd };
}

/** The known state with a family and a student on two of the accounts that are read (rules.md L). */
export async function livedState(): Promise<KnownState> {
  const personas = new Map([
    [people.nora.bban as string, await listedPersona('family')],
    [people.even.bban, await listedPersona('student')],
  ]);
  const customers = knownState.customers.map((customer) => ({
    ...customer,
    accounts: customer.accounts.map((account) => {
      const persona = personas.get(account.bban);
      return persona === undefined ? account : { ...account, persona };
    }),
  }));
  return { ...knownState, customers };
}

/** Each profile is read with lives, then without. */
export const habits: Campaign = {
  unit: 'lives of a reader',
  usualCount: 40,
  run: async ({ random, each, tally }) => {
    // The others are as the default: of most banks no habit is known.
    const profiles = (await listedProfiles()).filter(({ quirks }) => Object.keys(quirks).length > 0);
    const states = [await livedState(), knownState];
    await each(async (index) => {
      const profile = profiles[index % profiles.length];
      if (profile === undefined) return;
      const state = states[Math.floor(index / profiles.length) % states.length];
      const counts = await readUnder(profile, random.below(1_000_000_000), daysAtOnce, state);
      for (const [what, times] of Object.entries(counts)) tally(`${profile.id}: ${what}`, times);
    });
  },
};
