import { readConfig, ConfigError, type Config } from '../start/config.ts';
import { instantGiven, isDate, isPromise, membersGiven, wrongGiven } from './given.ts';
import type { CreateBankOptions } from './types.ts';

/** Options by their setting's flag, so that the settings check the values (settings.ts). */
const flags = {
  now: 'clock-now',
  mode: 'clock-mode',
  quirks: 'quirks',
  settlementTimes: 'settlement-times',
  basketLifetime: 'basket-lifetime',
  idSeed: 'id-seed',
  port: 'port',
  logLevel: 'log-level',
} as const satisfies Partial<Record<keyof CreateBankOptions, string>>;

const names = [...Object.keys(flags), 'fixtures'];

const usual: CreateBankOptions = { mode: 'frozen', logLevel: 'silent' };

/** The settings of a bank in memory. Throws an Error that names a wrong option, and the nearest name for an unknown one. */
export function configOf(options: CreateBankOptions): Config {
  membersGiven('createBank', names, options);
  const given = Object.entries(flags).flatMap(([name, flag]) => {
    const value = options[name as keyof typeof flags] ?? usual[name as keyof typeof flags];
    if (value === undefined) return [];
    if (isPromise(value)) throw wrongGiven('createBank', `a value of ${name}`, value);
    if (name === 'quirks' && !Array.isArray(value) && typeof value === 'object')
      return [`--${flag}=${quirkList(value)}`];
    return [`--${flag}=${isDate(value) ? instantGiven('createBank', 'an instant in now', value) : String(value)}`];
  });
  try {
    return readConfig({}, ['--ledger=:memory:', ...given]);
  } catch (error) {
    throw error instanceof ConfigError ? new Error(`createBank: ${inOptions(error.message)}`) : error;
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
