import { withLives } from '../../api/harness/config-of.ts';
import type { Profile } from '../../api/start/config.ts';
import { listedProfiles, quirksOf } from '../../api/start/profile.ts';
import type { KnownState } from '../../engine/bank/known-state.ts';
import { noQuirks } from '../../engine/bank/rules/quirk.ts';
import { accessDays } from '../../engine/parties/rules/access.ts';
import { knownState } from '../lab/bank.ts';
import { people } from '../lab/payments.ts';
import { dayAfter } from '../lab/simulation/days.ts';
import { readDaily, type ReadingOptions } from '../lab/simulation/read-daily.ts';
import { type Campaign, demand } from './campaign.ts';

/** Length of one reader's life: consents lapse and are renewed, ids are reissued, orders end, settlement times change at its beginning. */
const daysAtOnce = 200;
/** Number of days from 2027 on that the calendar covers. */
const daysCovered = 65 * 365;

/**
 * A reader keeps the books of three accounts from account information alone, while payments of every kind are made, the clock
 * is moved and the settlement times change. Its books must be right to the øre, and nothing may come behind it (rules.md S6).
 * Every second life is under the quirks of a profile, of each in turn: first with lives on two of the accounts, then without.
 */
export const reader: Campaign<ReadingOptions['eachDay']> = async ({ random, tallyAll, inParts }, eachDay) => {
  const profiles = (await listedProfiles()).filter(({ quirks }) => Object.keys(quirks).length > 0);
  const states = [await livedState(), knownState];
  const banks = states.flatMap((state) => profiles.map((profile) => ({ profile, knownState: state })));
  let lives = 0;
  await inParts(daysAtOnce, async (days) => {
    const seed = random.below(1_000_000_000);
    const ofProfile = lives % 2 === 0 ? undefined : banks[Math.floor(lives / 2) % banks.length];
    const { profile = null, ...options } = ofProfile ?? {
      firstDay: dayAfter('2027-01-02', random.below(daysCovered)),
    };
    const counts = await readUnder(profile, seed, days, { ...options, ...(eachDay && { eachDay }) });
    tallyAll(counts, profile === null ? '' : `${profile.id}: `);
    lives += 1;
  });
};

/**
 * A reader's life under the quirks of a profile. By days and by balances its books are right under all of them. By ids it has each
 * transaction once while ids stay; where they are reissued it books transactions again, as the programs did of which the register tells
 * (rules.md Q3; register 1, 2). It renews each consent where it ends.
 * @throws {Violation} for books that are not right.
 */
export async function readUnder(
  profile: Profile | null,
  seed: number,
  days: number,
  options: ReadingOptions = {},
): Promise<Record<string, number>> {
  const quirks = profile === null ? noQuirks : quirksOf(profile);
  const { problems, byId, ...counts } = await readDaily(seed, days, { quirks, ...options });
  const { twiceInWindows, unknownAtTheEnd } = byId;
  const who = `a reader from ${options.firstDay ?? 'the first day'} on${profile === null ? '' : `, under ${profile.id}`}`;
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
export function livedState(): Promise<KnownState> {
  return withLives(knownState, { [people.nora.bban]: 'family', [people.even.bban]: 'student' });
}
