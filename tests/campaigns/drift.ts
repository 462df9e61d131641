import { catalogue } from '../../api/catalogue/catalogue.ts';
import { createBank } from '../../api/harness/create-bank.ts';
import { listedProfiles } from '../../api/start/profile.ts';
import type { HarEntry } from '../../scripts/drift/har.ts';
import { StandIns } from '../../scripts/drift/stand-ins.ts';
import { askAll } from '../../scripts/drift/ask.ts';
import { checkAll } from '../../scripts/drift/check.ts';
import { keyOf } from '../../scripts/drift/difference.ts';
import { guessesByName, quirksOf } from '../../scripts/drift/tell.ts';
import { noQuirks, type Quirk, quirkNames, quirkTexts } from '../../engine/bank/rules/quirk.ts';
import { loadProfile, quirksOf as quirksOfProfile } from '../../api/start/profile.ts';
import { quirkTexts as eachQuirk } from '../golden/banks.ts';
import { exchangesOf, Recorder, type RecordingBank, recordScenario } from '../lab/recorder.ts';
import { seeded, type Seeded } from '../lab/seeded.ts';
import { type Campaign, demand, type Search } from './campaign.ts';
import { type Pattern, patterns, readAs } from './drift-client.ts';

/** The bank of a recording. */
interface DrawnBank extends RecordingBank {
  readonly fixtures: string;
  /** Who lives on the first person's account, with one or two months of past. */
  readonly persona?: string;
}

/** What a reader of this pattern does in a bank under these quirks. */
async function recordSession(seed: number, under: DrawnBank, pattern: Pattern, tally: Search['tally']) {
  const random = seeded(seed);
  const { profile, quirks, fixtures, persona } = under;
  await using bank = await createBank({
    now: `2027-0${1 + random.below(9)}-1${random.below(10)}T${random.pick(['05:00', '10:15', '14:00', '22:30'])}:00Z`,
    idSeed: String(seed),
    fixtures,
    ...(profile !== undefined && { profile }),
    ...(quirks !== undefined && { quirks: quirks as never }),
  });
  const recorder = new Recorder(bank);
  if (persona !== undefined)
    await recorder.control('/life', { account: '09232911044', persona, months: 1 + random.below(2) });
  await readAs(pattern, { recorder, random, tally }, fixtures);
  return recorder.entries;
}

/**
 * Recordings of Sandbank, replayed in Sandbank, show no difference. Of eight recordings, six are sessions under a quirk, one is a session under a
 * profile, and one is a story, without a profile and under each rich one in turn. Every second recording has stand-ins.
 */
export const drift: Campaign = {
  unit: 'recordings',
  usualCount: 2_000,
  run: async ({ random, each, tally, count }) => {
    const profiles = await listedProfiles();
    const rich = profiles.filter(({ quality }) => quality === 'rich');
    const stories = [undefined, ...rich].flatMap((profile) => catalogue().map((scenario) => ({ scenario, profile })));
    const first = random.below(stories.length);
    const firstPair = random.below(pairs.length);
    const met = new Map(pairs.map((pair) => [pair, 0]));
    let sessions = 0;
    await each(async (index) => {
      const story = index % 8 === 7 ? stories[(first + Math.floor(index / 8)) % stories.length] : undefined;
      if (story !== undefined) {
        const { quirks = [], profile: own } = story.scenario.bank;
        const id = story.profile?.id ?? own;
        const under = { quirks, ...(id !== undefined && { profile: id }) };
        const entries = replacedIn(await recordScenario(story.scenario, under), index, random);
        await demandSame(entries, under, story.scenario.name);
        return tally('stories');
      }
      const isOfProfile = index % 8 === 3;
      const pair = isOfProfile ? undefined : pairs[(firstPair + sessions) % pairs.length];
      if (!isOfProfile) sessions += 1;
      const pattern = pair?.pattern ?? random.pick(patterns);
      const under = drawnBank(pair?.quirk ?? null, random, random.pick(profiles).id);
      const seed = random.below(1_000_000_000);
      const one = await recordSession(seed, under, pattern, tally);
      const isDouble = random.below(8) === 0;
      const second = isDouble ? await recordSession(seed + 1, under, random.pick(patterns), tally) : [];
      const entries = [...replacedIn(one, index, random), ...replacedIn(second, index, random)];
      await demandSame(entries, under, `session ${seed} (${pattern})${isDouble ? ' with another one' : ''}`);
      if (pair !== undefined) met.set(pair, (met.get(pair) ?? 0) + 1);
      tally('sessions');
      tally(`fixtures: ${under.fixtures}`);
      if (under.persona !== undefined) tally(`life: ${under.persona}`);
      if (isDouble) tally('two recordings in one file');
      if (under.quirks?.length === 2) tally('two quirks');
      tally('requests', entries.length);
    });
    const least = Math.min(...met.values());
    tally('pairs of a quirk and a pattern', met.size);
    tally('times that the rarest pair was drawn', least);
    demand(count < 2_000 || least >= 5, `a pair of a quirk and a pattern was drawn ${least} times`);
  },
};

/** A bank under maintenance answers nothing. */
const names = quirkNames.filter((name) => name !== 'maintenance');
/** Each quirk with each pattern, one after the other. */
const pairs = patterns.flatMap((pattern) => names.map((quirk) => ({ quirk, pattern })));

/** Of `reissued-ids=P7D`. */
const nameOf = (text: string): string => text.split('=')[0] ?? '';

/** A quirk, with another one or without, or now and then a profile; any known state; a life in each fourth. */
function drawnBank(quirk: Quirk | null, random: Seeded, profile: string): DrawnBank {
  const withValue = (name: Quirk): string => random.pick(eachQuirk.filter((text) => nameOf(text) === name));
  const fixtures = random.below(40) === 0 ? 'a-year-of-life' : random.pick(['known-state', 'known-state', 'twins']);
  const persona = random.pick(['family', 'student', 'shop', 'short-of-funds', 'pensioner']);
  const isLived = random.below(4) === 0 && fixtures !== 'a-year-of-life';
  const bank = { fixtures, ...(isLived && { persona }) };
  if (quirk === null) return { ...bank, profile };
  const own = withValue(quirk);
  const pair = [own, withValue(random.pick(names.filter((name) => name !== quirk)))];
  return { ...bank, quirks: random.below(3) > 0 && quirksOf(pair) !== null ? pair : [own] };
}

/** Every second recording as `sandbank proxy --record` writes it. */
function replacedIn(entries: readonly HarEntry[], index: number, random: Seeded): readonly HarEntry[] {
  const standIns = new StandIns(String(random.below(2 ** 31)));
  return index % 2 === 0 ? entries : entries.map((entry) => standIns.rewritten(entry));
}

/** Replays entries under the settings of the bank that they were recorded from. */
async function demandSame(entries: readonly HarEntry[], under: RecordingBank, what: string): Promise<void> {
  const { profile, quirks = [] } = under;
  const exchanges = exchangesOf(entries);
  // A story of certificates has nothing to replay.
  if (exchanges.length === 0) return;
  const ofProfile = profile === undefined ? [] : quirkTexts(quirksOfProfile(await loadProfile(profile)));
  const on = [...ofProfile.filter((text) => !quirks.some((own) => nameOf(own) === nameOf(text))), ...quirks];
  const known = { asked: await askAll(exchanges, { quirks: on }), guesses: await guessesByName() };
  const checked = checkAll(exchanges, { ...known, quirks: quirksOf(on) ?? noQuirks });
  const found = checked.flatMap(({ exchange, differences }) =>
    differences.map((one) => {
      const values = [one.recorded, one.expected].map((value) => JSON.stringify(value)?.slice(0, 160)).join(' / ');
      return `${keyOf(one)} ${values} in ${exchange.number} ${exchange.method} ${exchange.target} ${exchange.status}`;
    }),
  );
  demand(found.length === 0, () => `${what} under ${profile ?? 'no profile'}: ${found.slice(0, 4).join('; ')}`);
}
