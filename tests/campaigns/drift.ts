import { catalogue } from '../../api/catalogue/catalogue.ts';
import { createBank } from '../../api/harness/create-bank.ts';
import { listedProfiles, loadProfile, quirksOf } from '../../api/start/profile.ts';
import { choiceOf, isProblem, noQuirks, type Quirks, quirkTexts, switched } from '../../engine/bank/rules/quirk.ts';
import { keyOf } from '../../scripts/drift/explain.ts';
import { recordingOf } from '../../scripts/drift/recording.ts';
import { StandIns } from '../../scripts/drift/stand-ins.ts';
import { tellDrift } from '../../scripts/drift/tell.ts';
import { quirkTexts as eachQuirk } from '../golden/banks.ts';
import { Recorder, type RecordingBank, recordScenario } from '../lab/recorder.ts';
import { seeded } from '../lab/seeded.ts';
import { type Campaign, demand, type Search } from './campaign.ts';
import { readAgain } from './drift-client.ts';

/** A session to record: what its client does, and the bank that it meets. */
interface Session extends RecordingBank {
  readonly seed: number;
  readonly fixtures: string;
  /** Who lives on the first person's account, with one or two months of past. */
  readonly persona: string | null;
}

/** Records a session. Every second one is recorded at the unsigned door, and not as the signed requests that the door makes. */
async function recordSession({ seed, fixtures, persona, ...under }: Session, tally: Search['tally']) {
  const random = seeded(seed);
  const { profile, quirks = [] } = under;
  const now = `2027-0${1 + random.below(9)}-1${random.below(10)}T${random.pick(['05:00', '10:15', '14:00', '22:30'])}:00Z`;
  const own = { quirks: quirks as never, ...(profile !== undefined && { profile }) };
  await using bank = await createBank({ now, idSeed: String(seed), fixtures, ...own });
  const isOfDoor = random.below(2) === 0;
  const recorder = new Recorder(bank, isOfDoor);
  const months = 1 + random.below(2);
  if (persona !== null) await recorder.control('/life', { account: '09232911044', persona, months });
  await readAgain({ recorder, random, tally, fixtures });
  tally(isOfDoor ? 'door' : 'signed');
  tally(persona === null ? 'without a life' : `life: ${persona}`);
  return recorder.entries;
}

/**
 * Recordings of Sandbank have no difference under their own profile and quirks (rules.md DW2). Of eight recordings, five are sessions under each
 * quirk in turn, perhaps with another one, two are sessions under each profile in turn, and one is a story. Every second one has stand-ins.
 * A test may judge them by other quirks.
 */
export const drift: Campaign<Quirks> = async ({ random, each, tally }, judgedBy) => {
  const profiles = (await listedProfiles()).map(({ id }) => id);
  const stories = catalogue();
  const first = random.below(1_000);
  const nth = <Item>(items: readonly Item[], index: number): Item => items[(first + index) % items.length] as Item;
  await each(async (index) => {
    const [turn, kind] = [Math.floor(index / 8), index % 8];
    const seed = random.below(1_000_000_000);
    const standIns = random.below(2) === 0 ? new StandIns(String(seed)) : null;
    const quirk = nth(eachQuirk, turn * 5 + kind);
    const pair = [quirk, random.pick(eachQuirk)];
    const quirks = random.below(2) === 0 && quirksWith(noQuirks, pair) !== null ? pair : [quirk];
    const scenario = nth(stories, turn);
    const under = kind === 7 ? scenario.bank : kind < 5 ? { quirks } : { profile: nth(profiles, turn * 2 + kind) };
    const fixtures = random.below(40) === 0 ? 'a-year-of-life' : random.pick(['known-state', 'known-state', 'twins']);
    const lives = ['family', 'student', 'shop', 'short-of-funds', 'pensioner'];
    const persona = fixtures === 'a-year-of-life' || random.below(4) > 0 ? null : random.pick(lives);
    const session = { ...under, seed, fixtures, persona };
    const entries = kind === 7 ? await recordScenario(scenario) : await recordSession(session, tally);
    const recording = recordingOf(standIns === null ? entries : entries.map((entry) => standIns.rewritten(entry)));
    const own = under.profile === undefined ? noQuirks : quirksOf(await loadProfile(under.profile));
    const on = quirksWith(own, under.quirks ?? []) ?? noQuirks;
    const { differences } = await tellDrift(recording, { quirks: judgedBy ?? on, accepted: new Set() });
    const told = (): string => differences.map((one) => `${keyOf(one)} ${JSON.stringify(one)}`).join('; ');
    const what = kind === 7 ? scenario.name : JSON.stringify(session);
    demand(differences.length === 0, () => `${what} under ${quirkTexts(on).join(',')}: ${told().slice(0, 2_000)}`);
    tally('exchanges', recording.exchanges.length);
    tally('skipped entries', recording.skipped.length);
    tally(standIns === null ? 'as sent' : 'with stand-ins');
    tally(kind === 7 ? 'stories' : 'sessions');
    for (const name of on.keys()) tally(`under ${name}`);
  });
};

/** These quirks on top of others; null: they do not go together. */
function quirksWith(on: Quirks, texts: readonly string[]): Quirks | null {
  const quirks = switched(on, choiceOf(texts.join(',')));
  return isProblem(quirks) ? null : quirks;
}
