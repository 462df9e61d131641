import { parseDuration } from '../../engine/values/duration.ts';
import { formatInstant, parseInstant } from '../../engine/values/instant.ts';
import { norwegianCalendar } from '../../engine/time/norwegian-calendar.ts';
import { once } from '../../engine/values/once.ts';
import { written } from '../bodies/written.ts';
import { whenAnswer, whenQuery } from '../control/platform-calls.ts';
import { commonInstant, type Reading, type Target } from '../hosting/one-clock.ts';
import { whenAtBanks } from '../hosting/when.ts';
import { problemOf } from '../pipeline/problem.ts';
import { loadPriceList } from '../start/fixtures.ts';
import { listedProfile } from '../start/profile.ts';
import { configOf, fixturesOf } from './config-of.ts';
import { BankError, codeOf } from './bank-error.ts';
import { instantGiven, membersGiven, wrongGiven } from './given.ts';
import type { BankInstant, OpenPlatformOptions, PlatformBank, PlatformMoved, When, WhenQuestion } from './types.ts';

/** Read once: an answer is kept for its prices. */
const prices = once(loadPriceList);

const wanted = 'a date, an instant or a duration such as P3D';

/** Moves the clocks of the banks of a test to one instant, as `POST /platform/clock/advance` does. Throws a BankError as it refuses. */
export function advanceAll(banks: readonly PlatformBank[], given: BankInstant): Promise<PlatformMoved> {
  const text = instantGiven('platform.advance', wanted, given);
  const by = parseDuration(text);
  const to = parseInstant(text);
  if (by !== null) return moveAll(banks, { by });
  if (to !== null) return moveAll(banks, { to });
  throw wrongGiven('platform.advance', wanted, given);
}

/** Tells when a payment is where at these banks, which `options` have opened, as `GET /platform/when` does. */
export async function whenIn(
  banks: readonly PlatformBank[],
  options: OpenPlatformOptions,
  { at, ...question }: WhenQuestion,
): Promise<When> {
  membersGiven('platform.when', Object.keys(whenQuery), { at, ...question });
  const query = new Map(Object.entries(question).filter((entry): entry is [string, string] => entry[1] !== undefined));
  if (at !== undefined) query.set('at', instantGiven('platform.when', 'an instant in at', at));
  const inQuestion = await Promise.all(
    banks.map(async ({ profile: { id } }) => {
      const [profile, terms] = [await listedProfile(id), await configOf({ ...options, profile: id })];
      return { profile, terms };
    }),
  );
  const knownState = await fixturesOf(options.fixtures);
  const readings = await readingsOf(banks);
  return asBankError(async () => {
    const now = commonInstant(readings, {});
    const of = { banks: inQuestion, knownState, prices: await prices(), calendar: norwegianCalendar(), now };
    return written(whenAnswer, await whenAtBanks(of, query)) as When;
  });
}

/** Stops the clocks, all at the instant of the one that is furthest ahead. */
export async function freezeAll(banks: readonly PlatformBank[]): Promise<PlatformMoved> {
  for (const { clock } of banks) await clock.set({ mode: 'frozen' });
  return moveAll(banks, {});
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
