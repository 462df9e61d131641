import { type Beneath, readConfig, type Config, type Profile } from '../start/config.ts';
import { settingText } from '../start/setting-forms.ts';
import { settings } from '../start/settings.ts';
import { instantGiven, isDate, isPlain, isPromise, wrongGiven } from './given.ts';
import type { CreateBankOptions } from './types/index.ts';
import type { KnownAccount, KnownState } from '../../engine/bank/known-state.ts';
import type { Persona } from '../../engine/life/rules/persona.ts';
import { type Quirks, quirkTexts, textOfChoice } from '../../engine/bank/rules/quirk.ts';
import { formatInstant } from '../../engine/values/instant.ts';
import { quote } from '../../engine/values/text.ts';
import type { Bundle } from '../hosting/bundle/bundle.ts';
import { fixturesByName } from '../control/fixtures-given.ts';
import { Problem } from '../pipeline/problem.ts';
import { knownStateIn, loadKnownState, loadPersona, personaOf } from '../start/fixtures.ts';
import { fileProblem } from '../start/listed-files.ts';
import type { TrialSettings } from '../gauntlet/own-trial.ts';
import { Mistake } from '../../engine/values/mistake.ts';

/** The options that are settings, each with its flag: the settings check the values (settings.ts). */
const ofSettings = settings.flatMap(({ option, flag }) => (option === undefined ? [] : [{ option, flag }]));

/** The options of `createBank`. */
export const optionNames: readonly string[] = [
  ...ofSettings.map(({ option }) => option),
  'fixtures',
  'from',
  'life',
  'profile',
];

const usual: CreateBankOptions = { mode: 'frozen', logLevel: 'silent' };

interface BankConfig {
  readonly config: Config;
  /** What the options make of the quirks of the bank that this one is a copy of. */
  readonly choose: (on: Quirks) => Quirks;
}

/**
 * The settings of a bank in memory, over those of a trial and over those of `from`, the bank that it copies. Throws a
 * Mistake that names a wrong option, and the nearest name for an unknown one.
 */
export async function configOf(
  options: CreateBankOptions,
  trial: TrialSettings | null,
  from: Bundle | null,
): Promise<BankConfig> {
  const twice = from === null ? undefined : (['fixtures', 'life'] as const).find((name) => name in options);
  if (twice !== undefined)
    throw new Mistake(`createBank takes from or ${twice}, not both: a copy has the people of its original.`);
  const given = ofSettings.flatMap(({ option, flag }) => {
    const usualOne = from !== null && option === 'mode' ? undefined : usual[option as keyof CreateBankOptions];
    const value = (options as Readonly<Record<string, unknown>>)[option] ?? usualOne;
    if (value === undefined) return [];
    if (isPromise(value)) throw wrongGiven('createBank', `a value of ${option}`, value);
    if (option === 'quirks' && !Array.isArray(value) && typeof value === 'object')
      return [`--${flag}=${textOfChoice(value)}`];
    return [`--${flag}=${isDate(value) ? instantGiven('createBank', 'an instant in now', value) : settingText(value)}`];
  });
  const { profile, fixtures = 'known-state' } = options;
  const known = profile === undefined ? null : await profileGiven(profile);
  if (from !== null && options.now === undefined) given.push(`--clock-now=${formatInstant(from.copied.now)}`);
  const ofCopy = from === null ? null : await overBundle(from);
  try {
    const read = (beneath: Beneath, ofTrial: Profile | null): Config =>
      // The runs of a copy have been, at the times of its original: no profile of a trial changes them.
      ofCopy?.({ flags: given, profile: known, beneath }) ??
      readConfig({}, ['--ledger=:memory:', ...given], known ?? ofTrial, beneath);
    const config = trial === null ? read({}, null) : trial.read(read);
    const choose = (on: Quirks): Quirks => readConfig({}, given, known, { quirks: quirkTexts(on).join() }).quirks;
    if (from !== null) return { config, choose };
    return { config: { ...config, fixtures: typeof fixtures === 'string' ? fixtures : 'an object' }, choose };
  } catch (error) {
    throw ofCreateBank(error);
  }
}

/** What reads settings over those of a bundle. Loaded here only: few tests copy a bank. */
async function overBundle(bundle: Bundle) {
  const { configOfBundle } = await import('../hosting/bundle/bundle.ts');
  return (over: Parameters<typeof configOfBundle>[1]): Config => configOfBundle(bundle, over);
}

/** A profile by id or path, or one given as an object. Throws a Mistake, or an Error about the object. */
async function profileGiven(profile: string | object): Promise<Profile> {
  const { loadProfile, profileOf } = await import('../start/profile.ts');
  if (typeof profile === 'string') return forOption(loadProfile(profile));
  // A copy, as the test may change its object later.
  return objectGiven('the profile cannot be used', 'The object', () => profileOf(structuredClone(profile)));
}

/** What an option loads. Throws the mistake of a setting with the names of the options, and the line of the test. */
async function forOption<Value>(loading: Promise<Value>): Promise<Value> {
  try {
    return await loading;
  } catch (error) {
    throw ofCreateBank(error);
  }
}

/** A mistake of a setting, with the names of the options. */
function ofCreateBank(error: unknown): unknown {
  return error instanceof Mistake ? new Mistake(`createBank: ${inOptions(error.message)}`) : error;
}

function inOptions(message: string): string {
  return ofSettings.reduce((text, { option, flag }) => text.replace(`--${flag} is`, `${option} is`), message);
}

/** Read once each: the package's fixtures do not change while the process runs. */
const ofThePackage = new Map<string, KnownState>();

/** Loads a known state by name or path, or checks one given as an object. Throws a Mistake that says what is wrong. */
export async function fixturesOf(fixtures: CreateBankOptions['fixtures'] = 'known-state'): Promise<KnownState> {
  if (typeof fixtures !== 'string') {
    // A copy, as the test may change its object later.
    const copy: unknown = structuredClone(fixtures);
    return objectGiven('the fixtures cannot be used', 'The object', () => knownStateIn(copy));
  }
  if (!/^[\w-]+$/.test(fixtures)) return forOption(loadKnownState(fixtures));
  const known = ofThePackage.get(fixtures) ?? (await named(fixtures));
  ofThePackage.set(fixtures, known);
  return known;
}

/**
 * A known state with the personas of `createBank({ life })` on its accounts, by BBAN or IBAN. Throws a Mistake that
 * names a wrong persona, or a number that no account has.
 */
export async function withLives(state: KnownState, life: CreateBankOptions['life'] = {}): Promise<KnownState> {
  if (!isPlain(life)) throw wrongGiven('createBank', 'personas by account numbers in life', life);
  let { customers } = state;
  for (const [number, given] of Object.entries(life)) {
    const persona = await lifeGiven(number, given);
    const isMeant = ({ bban, iban }: KnownAccount): boolean => bban === number || iban === number;
    if (!customers.some(({ accounts }) => accounts.some(isMeant))) {
      throw new Mistake(`createBank: life names ${quote(number)}, which is no account of the fixtures.`);
    }
    customers = customers.map((customer) => ({
      ...customer,
      accounts: customer.accounts.map((account) => (isMeant(account) ? { ...account, persona } : account)),
    }));
  }
  return customers === state.customers ? state : { ...state, customers };
}

function lifeGiven(number: string, given: unknown): Promise<Persona> {
  const read = () => (typeof given === 'string' ? loadPersona(given) : personaOf(structuredClone(given)));
  return objectGiven(`the life of ${quote(number)} cannot begin`, 'The persona', read);
}

async function named(name: string): Promise<KnownState> {
  try {
    return await fixturesByName(name);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { detail, allowed } = error.facts;
    throw new Mistake(`createBank: ${detail} There are ${[allowed].flat().join(', ')}, or give a path or an object.`, {
      cause: error,
    });
  }
}

/** Reads an object of createBank. Throws a Mistake of one line that begins like this; `noun`: what the object is. */
async function objectGiven<Value>(failed: string, noun: string, read: () => Promise<Value>): Promise<Value> {
  try {
    return await read();
  } catch (error) {
    const problem = fileProblem(error).replace('The file', noun);
    throw new Mistake(`createBank: ${failed}: ${problem}`, { cause: error });
  }
}
