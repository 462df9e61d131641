import { readdirSync, readFileSync } from 'node:fs';
import { noQuirks, type Quirks } from '../../engine/bank/rules/quirk.ts';
import { nicsTimes, parseSettlementTimes, settlementTimesText } from '../../engine/time/rules/settlement-run.ts';
import { noReceiving, parseReceiving, receivingTexts } from '../../engine/time/rules/receiving.ts';
import { oneLine } from '../../engine/values/text.ts';
import { nearest } from '../faults/nearest.ts';
import type * as Validation from '../pipeline/validate-body.ts';
import { chooseQuirks } from './choose-quirks.ts';
import { type Config, ConfigError, namedProfile, type Profile, readConfig } from './config.ts';
import { fileProblem, fixturesFolder } from './fixtures.ts';

/** The folder of the listed profiles. */
export const profilesFolder = new URL('profiles/', fixturesFolder);

/** The ids of the profiles in this folder, by default the listed ones, in alphabetical order. */
export function profileIds(folder: URL = profilesFolder): string[] {
  return readdirSync(folder)
    .flatMap((file) => /^([\w-]+)\.json$/.exec(file)?.[1] ?? [])
    .toSorted();
}

/** Reads the settings as readConfig does, with those of the profile that they name. Throws a ConfigError. */
export async function readConfigOfProfile(...given: Parameters<typeof namedProfile>): Promise<Config> {
  const named = namedProfile(...given);
  return readConfig(...given, named === null ? null : await loadProfile(named));
}

/** Reads a profile, by its id in fixtures/profiles or by the path of a JSON file. Throws a ConfigError that names the mistake. */
export async function loadProfile(idOrPath: string): Promise<Profile> {
  return isId(idOrPath) ? listedProfile(idOrPath) : readProfile(idOrPath, idOrPath);
}

/** Reads a listed profile. Throws a ConfigError that names the nearest id for an unknown one. Takes no path. */
export async function listedProfile(id: string): Promise<Profile> {
  const ids = profileIds();
  if (ids.includes(id)) return readProfile(id, new URL(`${id}.json`, profilesFolder));
  const near = nearest(id, ids);
  throw new ConfigError(
    `there is no profile ${oneLine(id)}; ${near === null ? `there are ${ids.join(', ')}` : `the nearest is ${near}`}`,
  );
}

/** The listed profiles, in the order of their ids. */
export function listedProfiles(): Promise<Profile[]> {
  return Promise.all(profileIds().map(listedProfile));
}

/** Checks a profile that is given as an object. Throws a Refusal or a ConfigError that names the mistake. */
export async function profileOf(value: unknown): Promise<Profile> {
  const { profileFile } = await import('../bodies/profile.ts');
  const validation: typeof Validation = await import('../pipeline/validate-body.ts');
  validation.validateBody<typeof profileFile>(profileFile, value, { quirks: noQuirks });
  const { id, name, group, quality, settings, quirks, facts, unknown } = value;
  const profile = { id, name, group, quality, settings, quirks, facts, unknown };
  const times = parseSettlementTimes(settlementTimesText(settings.settlementTimes ?? nicsTimes));
  if (!times.ok) throw new ConfigError(`settings.settlementTimes: ${times.problem}`);
  const receiving = parseReceiving(receivingTexts({ ...noReceiving, ...settings }));
  if (!receiving.ok) throw new ConfigError(`settings: ${receiving.problem}`);
  quirksOf(profile);
  return profile;
}

/** The quirks of a profile. Throws a ConfigError for a wrong one. */
export function quirksOf({ quirks }: Pick<Profile, 'quirks'>): Quirks {
  const chosen = chooseQuirks(noQuirks, Object.entries(quirks));
  if ('problem' in chosen) throw new ConfigError(`quirks: ${chosen.problem}`);
  return chosen;
}

/** The settlement times of a profile, else those of the settings. */
export function timesOf({ settings }: Profile, { settlementTimes }: Config): Config['settlementTimes'] {
  const times = parseSettlementTimes(settlementTimesText(settings.settlementTimes ?? settlementTimes));
  return times.ok ? times.times : settlementTimes;
}

/** Cut-offs, early closes and fixings of a profile; those that it leaves out are those of the settings. */
export function receivingOf({ settings }: Profile, { receiving }: Config): Config['receiving'] {
  const parsed = parseReceiving(receivingTexts({ ...receiving, ...settings }));
  return parsed.ok ? parsed.value : receiving;
}

function isId(text: string): boolean {
  return /^[\w-]+$/.test(text);
}

async function readProfile(shown: string, file: string | URL): Promise<Profile> {
  try {
    const { parseJson } = await import('../pipeline/parse-json.ts');
    return await profileOf(parseJson(readFileSync(file)));
  } catch (error) {
    throw new ConfigError(`the profile ${oneLine(shown)} cannot be used: ${fileProblem(error)}`);
  }
}
