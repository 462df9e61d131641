import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { nearest } from '../faults/nearest.ts';
import type { Static } from '../bodies/schema.ts';
import type { profileFile } from './setting-schemas.ts';
import { choiceOf, isProblem, quirkItem, type Quirks, quirkTexts, switched } from '../../engine/bank/rules/quirk.ts';
import { settingText } from './setting-forms.ts';
import {
  type BankKey,
  bankSettings,
  type JsonValues,
  type Setting,
  type SettingKey,
  settings,
  type Values,
} from './settings.ts';
import { assert } from '../../engine/values/assert.ts';
import { Mistake } from '../../engine/values/mistake.ts';
import { withoutUser } from '../../engine/values/text.ts';

/** The values of all settings by their keys. The value of an empty setting is null. */
export interface Config extends Omit<Values, 'profile'> {
  /** The bank of the platform that this one acts as. Null if it follows the document. */
  readonly profile: Profile | null;
  /** Where each setting is given, by its key: `--tpp-cas`, or else the variable `SANDBANK_TPP_CAS`. */
  readonly sources: Readonly<Record<SettingKey, string>>;
}

/** Settings of a bank as JSON. */
export type BankJson = Partial<Pick<JsonValues, BankKey>>;

/** A bank of the platform (rules.md Q8). */
export type Profile = Omit<Static<typeof profileFile>, '$schema'>;

/**
 * Texts of settings, by their keys, that hold where nobody has set others: those of a trial of the gauntlet, or of the
 * bank of a copy.
 */
export type Beneath = Readonly<Partial<Record<SettingKey, string>>>;

/** Variables by name. */
type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the settings: a flag, else its environment variable, else that of the profile, else the default; the quirks are
 * those of the profile and, after them, those of flag or variable. `beneath` comes before the profile. Throws a Mistake
 * for a bad value, or for an unknown SANDBANK_ variable; the error names the nearest known one.
 */
export function readConfig(
  env: Environment,
  flags: readonly string[],
  profile: Profile | null = null,
  beneath: Beneath = {},
): Config {
  refuseUnknownVariables(env);
  const given = readFlags(flags);
  const lower = beneathProfile(profile, beneath);
  const source = ({ flag, name }: Setting): string => (given[flag] === undefined ? name : `--${flag}`);
  const entries = settings.map((setting) => {
    const { key, name, flag } = setting;
    const own = given[flag] ?? env[name];
    const text = own ?? lower[key] ?? setting.default;
    const both = key === 'quirks' && own !== undefined && key in lower ? overlaid(lower[key] ?? '', own) : text;
    const shown = setting.isSecret === true ? '' : ` is "${withoutUser(text)}"`;
    return [key, valueOf(setting, both, (problem) => new Mistake(`${source(setting)}${shown}: ${problem}`))];
  });
  const values = Object.fromEntries(entries) as Values;
  const sources = Object.fromEntries(settings.map((each) => [each.key, source(each)])) as Config['sources'];
  return withSigning({ ...values, profile, sources });
}

/** The refusal of a setting whose file cannot be used, under the name that the user gave it by. */
export function unusable(
  { sources, ...values }: Config,
  key: 'tppCas' | 'tlsCert' | 'tlsKey',
  problem: string,
): Mistake {
  return new Mistake(`${sources[key]} is "${values[key]}": ${problem}`);
}

/** The settings of a bank; with `--sign-answers` the quirk signed-answers is on. */
export function withSigning(config: Config): Config {
  if (!config.signAnswers) return config;
  const quirks = switched(config.quirks, [['signed-answers', true]]);
  assert(!isProblem(quirks), 'signed-answers goes with every quirk');
  return { ...config, quirks };
}

/**
 * Reads settings of a bank that are given as JSON, as profiles have them. Throws what `refuse` makes of the first
 * problem.
 */
export function readBankSettings(
  given: BankJson,
  refuse: (key: string, problem: string) => Error,
): Partial<Pick<Config, BankKey>> {
  const entries = bankSettings.flatMap((setting) => {
    const json = given[setting.key as BankKey];
    return json === undefined
      ? []
      : [[setting.key, valueOf(setting, settingText(json), (text) => refuse(setting.key, text))]];
  });
  return Object.fromEntries(entries) as Partial<Pick<Config, BankKey>>;
}

/** The settings of a bank that nobody has set: the defaults. */
export function usualBankSettings(): Pick<Config, BankKey> {
  const bug = (problem: string): Error => new Error(`a default is wrong: ${problem}`);
  const usual = bankSettings.map((setting) => [setting.key, valueOf(setting, setting.default, bug)]);
  return Object.fromEntries(usual) as Pick<Config, BankKey>;
}

function valueOf({ form }: Setting, text: string, refuse: (problem: string) => Error): unknown {
  const read = form.read(text);
  if (read.ok) return read.value;
  throw refuse(read.problem);
}

/** The settings of a profile as texts, over those beneath it. */
function beneathProfile(profile: Profile | null, beneath: Beneath): Beneath {
  return profile === null ? beneath : overBeneath(beneath, textsOfProfile(profile));
}

/** Texts of settings over others; of the quirks, those that both name. */
export function overBeneath(beneath: Beneath, own: Beneath): Beneath {
  return { ...beneath, ...own, quirks: overlaid(beneath.quirks ?? '', own.quirks ?? '') };
}

/** Texts of settings by their keys, of those by their variables. Empty ones hold nothing. */
export function beneathOf(texts: Readonly<Record<string, string>>): Beneath {
  const held = settings.flatMap(({ key, name }) => (texts[name] ? [[key, texts[name]]] : []));
  return Object.fromEntries(held) as Beneath;
}

/** The profile that the settings name, by its id or its path. */
export function namedProfile(env: Environment, flags: readonly string[]): string | null {
  return (readFlags(flags)['profile'] ?? env['SANDBANK_PROFILE']) || null;
}

/**
 * Quirks of the profile that the settings have and that are not among those that are `on` in the ledger, as `--quirks`
 * takes them (control-plane.md C5).
 */
export function lackingQuirks({ profile, quirks }: Pick<Config, 'profile' | 'quirks'>, on: Quirks): string[] {
  const held = quirkTexts(on);
  return quirkTexts(quirks).filter(
    (text) => Object.hasOwn(profile?.quirks ?? {}, quirkItem(text)[0]) && !held.includes(text),
  );
}

/**
 * How many these are, in words after the name of the profile: ` without 2 of its quirks`, or empty if none is lacking.
 */
export function lackingWords(...of: Parameters<typeof lackingQuirks>): string {
  const { length } = lackingQuirks(...of);
  return length === 0 ? '' : ` without ${length} of its quirks`;
}

/** A list of quirks under another one, which wins where both name a quirk. */
function overlaid(below: string, above: string): string {
  const named = choiceOf(above).map(([name]) => name);
  return [...below.split(',').filter((item) => !named.includes(quirkItem(item)[0])), above].join(',');
}

/** The settings of a profile as texts, by their keys. */
function textsOfProfile({ settings: own, quirks }: Profile): Beneath {
  const items = Object.entries(quirks).map(([name, value]) => (value === true ? name : `${name}=${value}`));
  const texts = Object.entries(own).map(([key, json]) => [key, settingText(json)]);
  return { ...Object.fromEntries(texts), quirks: settingText(items) };
}

/**
 * The texts of settings by their variables, as {@link readConfig} reads them: those that every bank keeps wherever it
 * is opened, and `more`.
 */
export function keptSettings(config: Config, ...more: readonly SettingKey[]): Record<string, string> {
  const isKept = ({ key, holds }: Setting): boolean =>
    holds === 'of a bank' || key === 'quirks' || key === 'fixtures' || more.includes(key);
  const texts = settings.filter(isKept).map(({ key, name, form }) => [name, settingText(form.json(config[key]))]);
  return Object.fromEntries(texts) as Record<string, string>;
}

/** The settings among {@link keptSettings}. Throws as {@link readConfig} does. */
export function readKept(texts: Readonly<Record<string, string>>): Partial<Config> {
  const config = readConfig(texts, []);
  const kept = settings.filter(({ name }) => name in texts).map(({ key }) => [key, config[key]]);
  return Object.fromEntries(kept) as Partial<Config>;
}

/** The file of the sandbox's own CA beside a ledger file: `pem` has its key too, `crt` is for clients of TLS. */
export function sandboxCaFile(ledger: string, kind: 'pem' | 'crt' = 'pem'): string {
  return join(dirname(ledger), `sandbox-ca.${kind}`);
}

/** Environment of the process; no other file reads it. */
export function processEnvironment(): Readonly<Record<string, string | undefined>> {
  return process.env;
}

/** Names the folder into which failing tests write bundles; `off`: none. */
const bundleVariable = 'SANDBANK_BUNDLES';

/** The folder of {@link bundleVariable}. Without it failing tests write no bundles. */
export function bundleFolder(): string | null {
  const folder = process.env[bundleVariable] || '.sandbank';
  return folder === 'off' ? null : folder;
}

/** Whether jest, vitest or `node --test` runs this process (control-plane.md GA10). */
export function isTestRun(): boolean {
  return ['JEST_WORKER_ID', 'VITEST', 'NODE_TEST_CONTEXT'].some((name) => process.env[name] !== undefined);
}

/** Names the file of the trial that a gauntlet puts beneath the banks of a process (control-plane.md GA2). */
export const trialVariable = 'SANDBANK_TRIAL';

/** The file of {@link trialVariable}, or null if no gauntlet runs this process. */
export function trialFile(): string | null {
  return process.env[trialVariable] || null;
}

/** Names the file into which a server writes its address for commands on the same machine, as in the image. */
const addressVariable = 'SANDBANK_ADDRESS_FILE';

/** The file of {@link addressVariable}. */
export function addressFile(env: Readonly<Record<string, string | undefined>>): string | null {
  return env[addressVariable] || null;
}

/**
 * The container of our image in which this process runs: its id, or `CONTAINER` if the id is not known. Null outside of
 * the image.
 */
export function ownContainer(env: Readonly<Record<string, string | undefined>>): string | null {
  // As the Dockerfile has it.
  if (addressFile(env) !== '/dev/shm/sandbank-address') return null;
  return /^[\da-f]{12}$/.exec(env['HOSTNAME'] ?? '')?.[0] ?? 'CONTAINER';
}

/**
 * Variables that Kubernetes, Docker links and GitLab set for a service of our name (docs/spec/control-plane.md C26).
 */
const ofService = /^SANDBANK_(?:SERVICE_.+|PORT(?:_.+)?|NAME|ENV_.+)$/;

const knownVariables = new Set([...settings.map(({ name }) => name), bundleVariable, addressVariable, trialVariable]);

/** The variables of a service named sandbank, which are no settings. */
export function serviceVariables(env: Environment): string[] {
  return Object.keys(env).filter((name) => ofService.test(name) && !knownVariables.has(name));
}

function refuseUnknownVariables(env: Environment): void {
  const names = settings.map((setting) => setting.name);
  const unknown = Object.keys(env).find(
    (name) => name.startsWith('SANDBANK_') && !knownVariables.has(name) && !ofService.test(name),
  );
  if (unknown === undefined) return;
  // SANDBANK_HOST is a near miss too.
  const bare = new Map(names.map((name) => [name.replace(/^SANDBANK_/, ''), name]));
  const hint = bare.get(nearest(unknown.replace(/^SANDBANK_/, ''), [...bare.keys()]) ?? '');
  throw new Mistake(
    `${unknown} is no setting${hint === undefined ? '' : `; the nearest is ${hint}`}. --help lists all.`,
  );
}

/**
 * The flags of settings, `--port=7263` or `--port` and `7263`. A command line is parsed before: this reads what
 * programs hand over.
 */
function readFlags(flags: readonly string[]): Record<string, string | undefined> {
  const options = Object.fromEntries(settings.map(({ flag }) => [flag, { type: 'string' as const }]));
  return parseArgs({ args: [...flags], options }).values;
}
