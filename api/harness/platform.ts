import { parseDuration } from '../../engine/values/duration.ts';
import { formatInstant, parseInstant } from '../../engine/values/instant.ts';
import type { KnownState } from '../../engine/bank/known-state.ts';
import { written } from '../bodies/written.ts';
import { whenAnswer, whenQuery } from '../control/platform-calls.ts';
import { commonInstant, type Reading, type Target } from '../hosting/one-clock.ts';
import { type BankInQuestion, whenAtBanks } from '../hosting/when.ts';
import { problemOf } from '../pipeline/problem.ts';
import { platformEntry, platformIds } from '../start/platform.ts';
import { listedProfile } from '../start/profile.ts';
import { bankSettings } from '../start/settings.ts';
import { bankServer, calendar, prices } from './bank-server.ts';
import { fixturesOf, optionNames } from './config-of.ts';
import { BankError, codeOf } from './bank-error.ts';
import { instantGiven, membersGiven, wrongGiven } from './given.ts';
import { harnessBank } from './harness-bank.ts';
import type {
  BankInstant,
  OpenPlatformOptions,
  Platform,
  PlatformBank,
  PlatformMoved,
  When,
  WhenQuestion,
} from './types.ts';

/** Options of createBank that openPlatform has not: the settings that a bank holds are those of its profile. */
const others: readonly string[] = ['profile', 'life', 'port', ...bankSettings.map(({ key }) => key)];

/** The platform that openPlatform returns. */
export async function openAll(options: OpenPlatformOptions): Promise<Platform> {
  const names = optionNames.filter((name) => !others.includes(name));
  membersGiven('openPlatform', names, options);
  const knownState = await fixturesOf(options.fixtures);
  const banks: PlatformBank[] = [];
  const inQuestion: BankInQuestion[] = [];
  const close = async (): Promise<void> => void (await Promise.all(banks.map((bank) => bank.close())));
  try {
    for (const id of platformIds()) {
      const profile = await listedProfile(id);
      // Else payments of two banks would have one id.
      const seed = options.idSeed === undefined ? {} : { idSeed: `${options.idSeed} ${id}` };
      const server = await bankServer({ ...options, ...seed, profile });
      banks.push({ ...harnessBank(server), profile: platformEntry(profile) });
      inQuestion.push({ profile, terms: server.config });
    }
  } catch (error) {
    await close();
    throw error;
  }
  return Object.assign(banks, {
    advance: (target: BankInstant) => advanceAll(banks, target),
    /** All stop at the instant of the clock that is furthest ahead. */
    freeze: async () => {
      for (const { clock } of banks) await clock.set({ mode: 'frozen' });
      return moveAll(banks, {});
    },
    when: (question: WhenQuestion = {}) => whenIn(banks, inQuestion, knownState, question),
    close,
    [Symbol.asyncDispose]: close,
  });
}

const wanted = 'a date, an instant or a duration such as P3D';

/** Moves the clocks of the banks of a test to one instant, as `POST /platform/clock/advance` does. Throws a BankError as it refuses. */
function advanceAll(banks: readonly PlatformBank[], given: BankInstant): Promise<PlatformMoved> {
  const text = instantGiven('platform.advance', wanted, given);
  const by = parseDuration(text);
  const to = parseInstant(text);
  if (by !== null) return moveAll(banks, { by });
  if (to !== null) return moveAll(banks, { to });
  throw wrongGiven('platform.advance', wanted, given);
}

/** Tells when a payment is where at these banks, which were opened with one known state, as `GET /platform/when` does. */
async function whenIn(
  banks: readonly PlatformBank[],
  inQuestion: readonly BankInQuestion[],
  knownState: KnownState,
  { at, ...question }: WhenQuestion,
): Promise<When> {
  membersGiven('platform.when', Object.keys(whenQuery), { at, ...question });
  const query = new Map(Object.entries(question).filter((entry): entry is [string, string] => entry[1] !== undefined));
  if (at !== undefined) query.set('at', instantGiven('platform.when', 'an instant in at', at));
  const readings = await readingsOf(banks);
  return asBankError(async () => {
    const now = commonInstant(readings, {});
    const of = { banks: inQuestion, knownState, prices: await prices(), calendar, now };
    return written(whenAnswer, await whenAtBanks(of, query)) as When;
  });
}

async function readingsOf(banks: readonly PlatformBank[]): Promise<readonly Reading[]> {
  const readings = banks.map(async ({ profile: { id }, clock }) => {
    const now = parseInstant(await clock.now());
    return now === null ? [] : [{ id, now }];
  });
  return (await Promise.all(readings)).flat();
}

async function moveAll(banks: readonly PlatformBank[], target: Target): Promise<PlatformMoved> {
  const readings = await readingsOf(banks);
  const to = formatInstant(await asBankError(() => commonInstant(readings, target)));
  const moved: PlatformMoved['banks'][number][] = [];
  for (const { profile, clock } of banks) {
    const { from, to: reached, runs, skippedEmptyRuns } = await clock.advance(to);
    moved.push({ id: profile.id, asked: true, from, to: reached, runs, skippedEmptyRuns });
  }
  return { to, banks: moved };
}

/** Refuses what the control plane would refuse, as its calls do. */
async function asBankError<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const problem = problemOf(error);
    if (problem === null) throw error;
    const { status, detail, code } = problem.facts;
    throw new BankError(detail, { status, code: codeOf(code) });
  }
}
