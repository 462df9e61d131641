import { tableText, type TimeTable } from '../../engine/time/rules/receiving.ts';
import { settlementTimesText, type ShownTimes } from '../../engine/time/rules/settlement-run.ts';
import { readConfig, ConfigError, type Config, type Profile } from '../start/config.ts';
import { fileProblem } from '../start/listed-files.ts';
import { instantGiven, isDate, isPromise, membersGiven, wrongGiven } from './given.ts';
import type { CreateBankOptions } from './types.ts';

/** Options by their setting's flag, so that the settings check the values (settings.ts). */
const flags = {
  now: 'clock-now',
  mode: 'clock-mode',
  quirks: 'quirks',
  settlementTimes: 'settlement-times',
  cutOffs: 'cut-offs',
  earlyClose: 'early-close',
  fxFixings: 'fx-fixings',
  basketLifetime: 'basket-lifetime',
  idSeed: 'id-seed',
  port: 'port',
  logLevel: 'log-level',
} as const satisfies Partial<Record<keyof CreateBankOptions, string>>;

const names = [...Object.keys(flags), 'fixtures', 'life', 'profile'];

const usual: CreateBankOptions = { mode: 'frozen', logLevel: 'silent' };

/** The settings of a bank in memory. Throws an Error that names a wrong option, and the nearest name for an unknown one. */
export async function configOf(options: CreateBankOptions): Promise<Config> {
  membersGiven('createBank', names, options);
  const given = Object.entries(flags).flatMap(([name, flag]) => {
    const value = options[name as keyof typeof flags] ?? usual[name as keyof typeof flags];
    if (value === undefined) return [];
    if (isPromise(value)) throw wrongGiven('createBank', `a value of ${name}`, value);
    if (name === 'quirks' && !Array.isArray(value) && typeof value === 'object')
      return [`--${flag}=${quirkList(value)}`];
    if (name === 'settlementTimes' && typeof value === 'object')
      return [`--${flag}=${settlementTimesText(value as ShownTimes)}`];
    if ((name === 'cutOffs' || name === 'earlyClose') && typeof value === 'object')
      return [`--${flag}=${tableText(value as TimeTable)}`];
    return [`--${flag}=${isDate(value) ? instantGiven('createBank', 'an instant in now', value) : String(value)}`];
  });
  try {
    const { profile } = options;
    return readConfig({}, ['--ledger=:memory:', ...given], profile === undefined ? null : await profileGiven(profile));
  } catch (error) {
    throw error instanceof ConfigError ? new Error(`createBank: ${inOptions(error.message)}`) : error;
  }
}

/** A profile by id or path, or one given as an object. Throws a ConfigError. */
async function profileGiven(profile: string | object): Promise<Profile> {
  const { loadProfile, profileOf } = await import('../start/profile.ts');
  if (typeof profile === 'string') return loadProfile(profile);
  try {
    // A copy, as the test may change its object later.
    return await profileOf(structuredClone(profile));
  } catch (error) {
    throw new ConfigError(`the profile cannot be used: ${fileProblem(error).replace('The file', 'The object')}`);
  }
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
  return Object.entries(flags).reduce((text, [name, flag]) => text.replace(`--${flag} is`, `${name} is`), message);
}
