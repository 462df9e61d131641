import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { saveBundle } from '../../api/hosting/bundle/bundle.ts';
import { readConfig } from '../../api/start/config.ts';
import { personaNames } from '../../api/start/fixtures.ts';
import { listedProfile, profileIds } from '../../api/start/profile.ts';
import type { Bank } from '../../engine/open-bank.ts';
import { seeded } from '../lab/seeded.ts';
import { dayAfter } from '../lab/simulation/days.ts';
import { type EachDay, simulate, type SimulationOptions } from '../lab/simulation/simulate.ts';
import { type Campaign, Violation } from './campaign.ts';
import { campaigns } from './list.ts';

/** In years: standing orders and late payments end in it. */
const { part: yearsAtOnce } = campaigns.years;
const daysOfYear = 365;

/** Quirks that no profile has together; half of these simulations have none. */
const mixes: readonly SimulationOptions[] = [
  ...[{}, {}, {}],
  { quirks: { 'own-accounts-at-once': true, 'weekend-values': true, 'month-end-bookings': true } },
  { quirks: { 'same-bank-at-once': 'without-kid', 'month-end-bookings': true } },
  { quirks: { 'same-bank-at-once': 'all', 'weekend-values': true } },
];

interface Change {
  readonly eachDay?: EachDay;
  /** Days in place of years. */
  readonly days?: number;
  /** Ids of profiles; left out: all listed ones, and banks under none. */
  readonly profiles?: readonly string[];
}

/**
 * Simulated years: payments at home and abroad, standing orders, signatures, cancellations and deposits, while the wall clock sleeps and is
 * set back. Most banks are under a profile: their forecasts must come true, and a persona lives in one of eight. An auditor that shares no
 * code with the bank repeats all of it and compares every status, balance and settlement. Years have the seed of the campaign and their count:
 * `--seed N --count 5` repeats five of them; the command runs more on all cores. A violation is reduced to the fewest
 * actions, and its bank saved as a bundle.
 */
export const years: Campaign<Change> = async (search, { eachDay, days, profiles } = {}) => {
  const banks = (profiles ?? profileIds()).map((profile) => ({ profile }));
  let seed = search.seed;
  await search.inParts(yearsAtOnce, async (length) => {
    const random = seeded(seed);
    const firstDay = dayAfter('2027-01-04', random.below(60 * daysOfYear));
    const isMixed = profiles === undefined && random.below(4) === 0;
    const options = {
      firstDay,
      ...(isMixed ? random.pick(mixes) : random.pick(banks)),
      ...(random.below(8) === 0 && { persona: random.pick(personaNames()) }),
      ...(eachDay && { eachDay }),
    };
    const lived = days ?? length * daysOfYear;
    const { problems, acted, counts } = await simulate(seed, lived, options);
    search.tallyAll(counts);
    if (problems.length > 0) await tellFewest(seed, { days: lived, acted, length }, options);
    seed += length;
  });
};

/** Maximum time in which a violation is reduced, in ms. */
const shrinkingMs = 60_000;

/** Leaves out as many actions as it can with bank and model still apart, saves the bank, and ends the campaign. */
async function tellFewest(
  seed: number,
  { days, acted, length }: { readonly days: number; readonly acted: readonly number[]; readonly length: number },
  options: SimulationOptions,
): Promise<never> {
  const all = [...acted];
  const simulateOnly = (kept: readonly number[], more: SimulationOptions = {}) =>
    simulate(seed, days, { ...options, leftOut: new Set(all.filter((step) => !kept.includes(step))), ...more });
  const isRight = async (kept: readonly number[]): Promise<boolean> => (await simulateOnly(kept)).problems.length === 0;
  const shrunk = await fc.check(fc.asyncProperty(fc.subarray(all), isRight), {
    examples: [[all]],
    numRuns: 1,
    interruptAfterTimeLimit: shrinkingMs,
  });
  const [fewest = all] = shrunk.counterexample ?? [];
  const file = join(mkdtempSync(join(tmpdir(), 'sandbank-violation-')), `${seed}.bundle`);
  const atEnd = async (bank: Bank): Promise<void> => writeFileSync(file, await bundleOf(bank, options));
  const { problems, counts } = await simulateOnly(fewest, { atEnd });
  const { profile = 'no profile', firstDay } = options;
  const again = `npm run campaigns -- years --seed ${seed} --count ${length}`;
  throw new Violation(
    `bank and auditor differ under ${profile} in the ${days} days from ${firstDay}, after ${counts.payments} payments: ` +
      `${problems.join('; ')}\nagain with: ${again}\nthe bank: ${file}`,
  );
}

/** The bank as a file that `sandbank open` opens. */
async function bundleOf(bank: Bank, { profile, quirks = {} }: SimulationOptions): Promise<Buffer> {
  const texts = Object.entries(quirks).map(([name, value]) => (value === true ? name : `${name}=${value}`));
  const config = readConfig(
    texts.length > 0 ? { SANDBANK_QUIRKS: texts.join() } : {},
    [],
    profile === undefined ? null : await listedProfile(profile),
  );
  return saveBundle({ bank, config, trustedCas: [], faults: [], entries: [] });
}
