import { parseDuration } from '../../engine/values/duration.ts';
import { parseInstant } from '../../engine/values/instant.ts';
import { written } from '../bodies/written.ts';
import { banksMoved } from '../control/bank-calls.ts';
import { whenQuery } from '../control/when-answer.ts';
import type { HostedBank } from '../hosting/hosted-bank.ts';
import { moveTogether, type Target } from '../control/clock/one-instant.ts';
import { problemOf } from '../pipeline/problem.ts';
import { platformEntry, platformIds } from '../start/platform.ts';
import { listedProfile } from '../start/profile.ts';
import { bankSettings } from '../start/settings.ts';
import { bankServer } from './bank-server.ts';
import { optionNames } from './config-of.ts';
import { BankError, codeOf } from './bank-error.ts';
import type { Control } from './connect.ts';
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
} from './types/index.ts';

/** Options of createBank that openPlatform has not: the settings that a bank holds are those of its profile. */
const others: readonly string[] = ['profile', 'life', 'port', ...bankSettings.map(({ key }) => key)];

/** The platform that openPlatform returns. */
export async function openAll(options: OpenPlatformOptions): Promise<Platform> {
  const names = optionNames.filter((name) => !others.includes(name));
  membersGiven('openPlatform', names, options);
  const banks: PlatformBank[] = [];
  const moving: { readonly name: string; readonly hosted: HostedBank }[] = [];
  /** The control plane of the first bank. */
  let control: Control | null = null;
  const close = async (): Promise<void> => void (await Promise.all(banks.map((bank) => bank.close())));
  try {
    for (const id of platformIds()) {
      const profile = await listedProfile(id);
      // Else payments of two banks would have one id.
      const seed = options.idSeed === undefined ? {} : { idSeed: `${options.idSeed} ${id}` };
      const server = await bankServer({ ...options, ...seed, profile });
      control ??= server.read;
      banks.push({ ...harnessBank(server), profile: platformEntry(profile) });
      moving.push({ name: id, hosted: server.hosted });
    }
  } catch (error) {
    await close();
    throw error;
  }
  const read = control as Control;
  return Object.assign(banks, {
    advance: async (given: BankInstant): Promise<PlatformMoved> => {
      const target = targetGiven(given);
      return asBankError(async () => written(banksMoved, await moveTogether(moving, target)) as PlatformMoved);
    },
    when: async ({ at, ...question }: WhenQuestion = {}): Promise<When> => {
      membersGiven('platform.when', Object.keys(whenQuery), { at, ...question });
      const query =
        at === undefined ? question : { ...question, at: instantGiven('platform.when', 'an instant in at', at) };
      return asBankError(() => read('GET /when', { query }));
    },
    close,
    [Symbol.asyncDispose]: close,
  });
}

const wanted = 'a date, an instant or a duration such as P3D';

function targetGiven(given: BankInstant): Target {
  const text = instantGiven('platform.advance', wanted, given);
  const [by, to] = [parseDuration(text), parseInstant(text)];
  if (by !== null) return { by };
  if (to !== null) return { to };
  throw wrongGiven('platform.advance', wanted, given);
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
