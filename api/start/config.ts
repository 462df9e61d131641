import { parseArgs } from 'node:util';
import { parseInstant, type Instant } from '../../engine/values/instant.ts';
import { choiceOf, noQuirks, quirkTexts, type Quirks } from '../../engine/bank/rules/quirk.ts';
import {
  parseSettlementTimes,
  settlementTimesText,
  type SettlementTimes,
  shownTimes,
} from '../../engine/time/rules/settlement-run.ts';
import { parseReceiving, type Receiving, receivingTexts, tableText } from '../../engine/time/rules/receiving.ts';
import { withoutTrailing } from '../../engine/values/text.ts';
import type { profileFile } from '../bodies/profile.ts';
import type { Static } from '../bodies/schema.ts';
import { nearest } from '../faults/nearest.ts';
import { chooseQuirks } from './choose-quirks.ts';
import { flagOf, hostNames, settings } from './settings.ts';

export interface Config {
  readonly port: number;
  readonly host: string;
  readonly ledger: string;
  readonly clockNow: Instant | null;
  readonly clockMode: 'running' | 'frozen';
  readonly settlementTimes: SettlementTimes;
  readonly receiving: Receiving;
  readonly tppTrust: 'any' | 'ca';
  /** The trust of named banks with a CA of their own: `ca` unless a setting says otherwise. */
  readonly bankTrust: 'any' | 'ca';
  readonly tppCas: string | null;
  /** An ISO 8601 duration. */
  readonly basketLifetime: string;
  /** Null: ids are random. */
  readonly idSeed: string | null;
  readonly quirks: Quirks;
  /** The bank of the platform that this one acts as; null: it follows the document. */
  readonly profile: Profile | null;
  readonly fixtures: string;
  readonly publicUrl: string | null;
  readonly controlToken: string | null;
  readonly allowedHosts: readonly string[];
  /** Whether the doctor searches for the mistake in a refused signature. */
  readonly doctor: boolean;
  readonly logLevel: string;
  /** Maximum number of open named banks; null: as the memory of the machine allows. */
  readonly openBanks: number | null;
  /** Null: metrics have no port of their own. */
  readonly metricsPort: number | null;
  readonly metricsHost: string;
  /** Number of proxies before the server. */
  readonly trustProxy: number;
  /** The folder of the named banks; null: they are in memory. */
  readonly banks: string | null;
  /** How long a named bank stays without use, an ISO 8601 duration; null: for ever. */
  readonly banksExpire: string | null;
  /** Maximum number of requests a second to a named bank; null: any number. */
  readonly bankRate: number | null;
  /** Maximum size of a named bank in files, in bytes; null: any size. */
  readonly bankSize: number | null;
}

/** A bank of the platform (rules.md Q8). */
export type Profile = Omit<Static<typeof profileFile>, '$schema'>;

/** Variables by name. */
type Environment = Readonly<Record<string, string | undefined>>;

/** A wrong setting, file or folder: one line for the person who started the program. */
export class ConfigError extends Error {}

/**
 * Reads the settings: a flag, else its environment variable, else that of the profile, else the default; the quirks are those of the
 * profile and, after them, those of flag or variable. Throws a ConfigError for a bad value, or for an unknown SANDBANK_ variable; the
 * error names the nearest known one.
 */
export function readConfig(env: Environment, flags: readonly string[], profile: Profile | null = null): Config {
  const ofProfile = profile === null ? {} : variablesOf(profile);
  refuseUnknownVariables(env);
  const given = readFlags(flags);
  const value = (name: string): string => {
    const setting = settings.find((candidate) => candidate.name === name);
    if (setting === undefined) throw new Error(`no setting ${name}`);
    const flag = given[flagOf(setting)];
    const own = flag ?? env[name];
    const text = own ?? ofProfile[name] ?? setting.default;
    const both =
      name === 'SANDBANK_QUIRKS' && own !== undefined && profile !== null ? `${ofProfile[name]},${own}` : text;
    const problem = setting.check(both);
    if (problem === null) return both;
    const shown = setting.isSecret === true ? '' : ` is "${text}"`;
    throw new ConfigError(`${flag === undefined ? name : `--${flagOf(setting)}`}${shown}: ${problem}`);
  };
  const times = parseSettlementTimes(value('SANDBANK_SETTLEMENT_TIMES'));
  if (!times.ok) throw new ConfigError(times.problem);
  if (value('SANDBANK_BANK_SIZE') !== '' && value('SANDBANK_BANKS') === '')
    throw new ConfigError('--bank-size is for banks in files: give their folder with --banks');
  return {
    port: Number(value('PORT')),
    host: value('HOST'),
    ledger: value('SANDBANK_LEDGER'),
    clockNow: parseInstant(value('SANDBANK_CLOCK_NOW')),
    clockMode: value('SANDBANK_CLOCK_MODE') === 'frozen' ? 'frozen' : 'running',
    settlementTimes: times.times,
    receiving: receivingOf(value),
    tppTrust: value('SANDBANK_TPP_TRUST') === 'ca' ? 'ca' : 'any',
    bankTrust: (given['tpp-trust'] ?? env['SANDBANK_TPP_TRUST']) === 'any' ? 'any' : 'ca',
    tppCas: value('SANDBANK_TPP_CAS') || null,
    basketLifetime: value('SANDBANK_BASKET_LIFETIME'),
    idSeed: value('SANDBANK_ID_SEED') || null,
    quirks: quirksOf(value('SANDBANK_QUIRKS')),
    profile,
    fixtures: value('SANDBANK_FIXTURES'),
    publicUrl: withoutTrailing(value('SANDBANK_PUBLIC_URL'), '/') || null,
    controlToken: value('SANDBANK_CONTROL_TOKEN') || null,
    allowedHosts: hostNames(value('SANDBANK_ALLOWED_HOSTS')),
    doctor: value('SANDBANK_DOCTOR') === 'on',
    logLevel: value('SANDBANK_LOG_LEVEL'),
    openBanks: Number(value('SANDBANK_OPEN_BANKS')) || null,
    metricsPort: value('SANDBANK_METRICS_PORT') === '' ? null : Number(value('SANDBANK_METRICS_PORT')),
    metricsHost: value('SANDBANK_METRICS_HOST'),
    trustProxy: Number(value('SANDBANK_TRUST_PROXY')),
    banks: value('SANDBANK_BANKS') || null,
    banksExpire: value('SANDBANK_BANKS_EXPIRE') || null,
    bankRate: Number(value('SANDBANK_BANK_RATE')) || null,
    bankSize: Number(value('SANDBANK_BANK_SIZE')) || null,
  };
}

/** The profile that the settings name, by its id or its path; null: none. */
export function namedProfile(env: Environment, flags: readonly string[]): string | null {
  return (readFlags(flags)['profile'] ?? env['SANDBANK_PROFILE']) || null;
}

/** Cut-offs, early closes and fixings of settings that were checked. */
function receivingOf(value: (name: string) => string): Receiving {
  const parsed = parseReceiving({
    cutOffs: value('SANDBANK_CUT_OFFS'),
    earlyClose: value('SANDBANK_EARLY_CLOSE'),
    fxFixings: value('SANDBANK_FX_FIXINGS'),
  });
  if (!parsed.ok) throw new ConfigError(parsed.problem);
  return parsed.value;
}

/** The settings of a profile, by their variables. */
function variablesOf({ settings: own, quirks }: Profile): Readonly<Record<string, string>> {
  const items = Object.entries(quirks).map(([name, value]) => (value === true ? name : `${name}=${value}`));
  const { settlementTimes: times, cutOffs, earlyClose, fxFixings } = own;
  return {
    SANDBANK_QUIRKS: items.join(','),
    ...(times !== undefined && { SANDBANK_SETTLEMENT_TIMES: settlementTimesText(times) }),
    ...(cutOffs !== undefined && { SANDBANK_CUT_OFFS: tableText(cutOffs) }),
    ...(earlyClose !== undefined && { SANDBANK_EARLY_CLOSE: tableText(earlyClose) }),
    ...(fxFixings !== undefined && { SANDBANK_FX_FIXINGS: fxFixings.join(',') }),
  };
}

/** The settings that a bank keeps wherever it is opened, by their variables, as {@link readConfig} reads them. */
export function keptSettings({ settlementTimes, receiving, quirks, fixtures }: Config): Record<string, string> {
  const { cutOffs, earlyClose, fxFixings } = receivingTexts(receiving);
  return {
    SANDBANK_SETTLEMENT_TIMES: settlementTimesText(shownTimes(settlementTimes)),
    SANDBANK_CUT_OFFS: cutOffs,
    SANDBANK_EARLY_CLOSE: earlyClose,
    SANDBANK_FX_FIXINGS: fxFixings,
    SANDBANK_QUIRKS: quirkTexts(quirks).join(','),
    SANDBANK_FIXTURES: fixtures,
  };
}

/** Environment of the process; no other file reads it. */
export function processEnvironment(): Readonly<Record<string, string | undefined>> {
  return process.env;
}

/** Names the folder into which banks of tests write the behaviours that were met. A reporter sets it for its child processes. */
const coverageVariable = 'SANDBANK_COVERAGE';

/** The folder of {@link coverageVariable}; null: none is set. */
export function coverageFolder(): string | null {
  return process.env[coverageVariable] || null;
}

/** Sets that folder for this process and its later child processes; null: unsets it. */
export function shareCoverageFolder(folder: string | null): void {
  if (folder === null) delete process.env['SANDBANK_COVERAGE'];
  else process.env[coverageVariable] = folder;
}

/** Names the folder into which failing tests write bundles; `off`: none. */
const bundleVariable = 'SANDBANK_BUNDLES';

/** The folder of {@link bundleVariable}; null: failing tests write no bundles. */
export function bundleFolder(): string | null {
  const folder = process.env[bundleVariable] || '.sandbank';
  return folder === 'off' ? null : folder;
}

/** Names the file into which a server writes its address for commands on the same machine, as in the image. */
const addressVariable = 'SANDBANK_ADDRESS_FILE';

/** The file of {@link addressVariable}; null: none is set. */
export function addressFile(env: Readonly<Record<string, string | undefined>>): string | null {
  return env[addressVariable] || null;
}

function refuseUnknownVariables(env: Readonly<Record<string, string | undefined>>): void {
  const names = settings.map((setting) => setting.name);
  const unknown = Object.keys(env).find(
    (name) =>
      name.startsWith('SANDBANK_') && ![...names, coverageVariable, bundleVariable, addressVariable].includes(name),
  );
  if (unknown === undefined) return;
  // SANDBANK_PORT and SANDBANK_HOST are near misses too.
  const bare = new Map(names.map((name) => [name.replace(/^SANDBANK_/, ''), name]));
  const hint = bare.get(nearest(unknown.replace(/^SANDBANK_/, ''), [...bare.keys()]) ?? '');
  throw new ConfigError(
    `${unknown} is no setting${hint === undefined ? '' : `; the nearest is ${hint}`}. --help lists all.`,
  );
}

/** The flags of settings, `--port=8080` or `--port` and `8080`. A command line is parsed before: this reads what programs hand over. */
function readFlags(flags: readonly string[]): Record<string, string | undefined> {
  const options = Object.fromEntries(settings.map((setting) => [flagOf(setting), { type: 'string' as const }]));
  return parseArgs({ args: [...flags], options }).values;
}

function quirksOf(list: string): Quirks {
  const chosen = chooseQuirks(noQuirks, choiceOf(list));
  if ('problem' in chosen) throw new ConfigError(chosen.problem);
  return chosen;
}
