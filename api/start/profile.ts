import { readFileSync } from 'node:fs';
import { noQuirks, type Quirks } from '../../engine/bank/rules/quirk.ts';
import { chooseQuirks } from './setting-forms.ts';
import { type Config, namedProfile, type Profile, readBankSettings, readConfig } from './config.ts';
import { checkedBy, fixturesFolder } from './fixtures.ts';
import { loadFile, loadListed, namesIn } from './listed-files.ts';
import { Mistake } from '../../engine/values/mistake.ts';

/** The folder of the listed profiles. */
export const profilesFolder = new URL('profiles/', fixturesFolder);

const profiles = { noun: 'profile', page: 'docs/banks.md', folder: profilesFolder, check: profileOf };

/** The ids of the profiles in this folder, by default the listed ones, in alphabetical order. */
export function profileIds(folder: URL = profilesFolder): string[] {
  return namesIn(folder);
}

let names: Readonly<Record<string, string>> | null = null;

/**
 * The name of each listed profile, by its id, in the order of the names. Reads the files once, and nothing else of
 * them.
 */
export function profileNames(): Readonly<Record<string, string>> {
  names ??= Object.fromEntries(
    profileIds()
      .map((id): [string, string] => {
        const text = readFileSync(new URL(`${id}.json`, profilesFolder), 'utf8');
        return [id, (JSON.parse(text) as { readonly name: string }).name];
      })
      .toSorted(([, one], [, other]) => one.localeCompare(other, 'nb')),
  );
  return names;
}

/** Reads the settings as readConfig does, with those of the profile that they name. Throws a Mistake. */
export async function readConfigOfProfile(...given: Parameters<typeof namedProfile>): Promise<Config> {
  return readConfig(...given, await profileNamed(...given));
}

/** The profile that the settings name, if they name one. Throws a Mistake. */
export async function profileNamed(...given: Parameters<typeof namedProfile>): Promise<Profile | null> {
  const named = namedProfile(...given);
  return named === null ? null : loadProfile(named);
}

/**
 * Reads a profile, by its id in fixtures/profiles or by the path of a JSON file. Throws a Mistake that names the
 * mistake.
 */
export function loadProfile(idOrPath: string): Promise<Profile> {
  return loadFile(profiles, idOrPath);
}

/** Reads a listed profile. Throws a Mistake that names the nearest id for an unknown one. Takes no path. */
export function listedProfile(id: string): Promise<Profile> {
  return loadListed(profiles, id);
}

/** The listed profiles, in the order of their ids. */
export function listedProfiles(): Promise<Profile[]> {
  return Promise.all(profileIds().map(listedProfile));
}

/** Whether a listed profile is that of a bank: `every-quirk` is of none. */
export function isBank({ id }: Pick<Profile, 'id'>): boolean {
  return id !== 'every-quirk';
}

/** Checks a profile that is given as an object. Throws a Refusal or a Mistake that names the mistake. */
export async function profileOf(value: unknown): Promise<Profile> {
  const { profileFile } = await import('./setting-schemas.ts');
  const { id, name, group, quality, settings, quirks, facts, unknown } = await checkedBy(profileFile, value);
  const profile = { id, name, group, quality, settings, quirks, facts, unknown };
  settingsOf(profile);
  quirksOf(profile);
  return profile;
}

/** The quirks of a profile. Throws a Mistake for a wrong one. */
export function quirksOf({ quirks }: Pick<Profile, 'quirks'>): Quirks {
  const chosen = chooseQuirks(noQuirks, Object.entries(quirks));
  if ('problem' in chosen) throw new Mistake(`quirks: ${chosen.problem}`);
  return chosen;
}

/**
 * What a bank has of its profile: the profile itself, its quirks and its settings. Throws a Mistake for a wrong one.
 */
export function configOfProfile(profile: Profile): Pick<Config, 'profile' | 'quirks'> & ReturnType<typeof settingsOf> {
  return { profile, quirks: quirksOf(profile), ...settingsOf(profile) };
}

/** The settings of a profile. Throws a Mistake for a wrong one. */
export function settingsOf({ settings }: Pick<Profile, 'settings'>): ReturnType<typeof readBankSettings> {
  return readBankSettings(settings, (key, problem) => new Mistake(`settings.${key}: ${problem}`));
}
