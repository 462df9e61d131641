import { readConfig, ConfigError, type Config, type Profile } from '../start/config.ts';
import { textOf } from '../start/setting-forms.ts';
import { settings } from '../start/settings.ts';
import { objectGiven } from './fixtures-of.ts';
import { instantGiven, isDate, isPromise, membersGiven, wrongGiven } from './given.ts';
import type { CreateBankOptions } from './types.ts';

/** The options that are settings, each with its flag: the settings check the values (settings.ts). */
const ofSettings = settings.flatMap(({ option, flag }) => (option === undefined ? [] : [{ option, flag }]));

/** The options of `createBank`. */
export const optionNames: readonly string[] = [
  ...ofSettings.map(({ option }) => option),
  'fixtures',
  'life',
  'profile',
];

const usual: CreateBankOptions = { mode: 'frozen', logLevel: 'silent' };

/** The settings of a bank in memory. Throws an Error that names a wrong option, and the nearest name for an unknown one. */
export async function configOf(options: CreateBankOptions): Promise<Config> {
  membersGiven('createBank', optionNames, options);
  const given = ofSettings.flatMap(({ option, flag }) => {
    const value = (options as Readonly<Record<string, unknown>>)[option] ?? usual[option as keyof CreateBankOptions];
    if (value === undefined) return [];
    if (isPromise(value)) throw wrongGiven('createBank', `a value of ${option}`, value);
    if (option === 'quirks' && !Array.isArray(value) && typeof value === 'object')
      return [`--${flag}=${quirkList(value)}`];
    return [`--${flag}=${isDate(value) ? instantGiven('createBank', 'an instant in now', value) : textOf(value)}`];
  });
  try {
    const { profile } = options;
    return readConfig({}, ['--ledger=:memory:', ...given], profile === undefined ? null : await profileGiven(profile));
  } catch (error) {
    throw error instanceof ConfigError ? new Error(`createBank: ${inOptions(error.message)}`) : error;
  }
}

/** A profile by id or path, or one given as an object. Throws a ConfigError, or an Error about the object. */
async function profileGiven(profile: string | object): Promise<Profile> {
  const { loadProfile, profileOf } = await import('../start/profile.ts');
  if (typeof profile === 'string') return loadProfile(profile);
  // A copy, as the test may change its object later.
  return objectGiven('the profile cannot be used', 'The object', () => profileOf(structuredClone(profile)));
}

/** Quirks by name as the setting has them: `reissued-ids=P7D,-order`. */
function quirkList(quirks: object): string {
  const items = Object.entries(quirks).map(([name, value]: [string, unknown]) => {
    if (typeof value === 'boolean') return value ? name : `-${name}`;
    return `${name}=${String(value)}`;
  });
  return items.join(',');
}

function inOptions(message: string): string {
  return ofSettings.reduce((text, { option, flag }) => text.replace(`--${flag} is`, `${option} is`), message);
}
