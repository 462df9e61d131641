import { readFileSync } from 'node:fs';
import { oneLine } from '../../engine/values/text.ts';
import { memberOf } from '../bodies/rule.ts';
import { type Profile } from './config.ts';
import { profileIds, profilesFolder } from './profile.ts';
import { Mistake } from '../../engine/values/mistake.ts';

/** What a test is told of a bank of the platform, and docs/banks.md. */
export interface PlatformEntry extends Pick<Profile, 'id' | 'name' | 'group' | 'quality'> {
  /** The first four digits of its account numbers; none if nobody has published them. */
  readonly registerNumbers: readonly string[];
  /** The host of its developer portal, if anybody has seen it. */
  readonly portalHost: string | null;
}

/**
 * The ids of the banks that were seen on this platform (rules.md Q12). Reads id and facts of each file and checks
 * nothing else, because a start waits for it. Throws a Mistake for a file without them, and for two profiles of one id.
 */
export function platformIds(folder: URL = profilesFolder): string[] {
  return platformBanks(folder).map(({ id }) => id);
}

/** The same with name and group of each. */
export function platformBanks(folder: URL = profilesFolder): Pick<Profile, 'id' | 'name' | 'group'>[] {
  const ids = profileIds(folder);
  return ids.flatMap((stem) => {
    const file = `${stem}.json`;
    const { id, name, group, facts } = headOf(new URL(file, folder), file);
    if (id === stem) return isOfPlatform({ facts }) ? { id, name, group } : [];
    const given = oneLine(JSON.stringify(id), 80);
    throw new Mistake(
      ids.includes(id)
        ? `two profiles have the id ${given}, ${id}.json and ${file} in fixtures/profiles`
        : `fixtures/profiles/${file} has the id ${given}: a file has the name of its id`,
    );
  });
}

/** Whether the bank was seen on this platform: its portal, or an answer that shows the platform (rules.md Q12). */
export function isOfPlatform({ facts }: Head): boolean {
  return facts.some(({ key }) => key === 'portalHost' || key === 'platform');
}

/** What is told of the bank of a profile. */
export function platformEntry({ id, name, group, quality, facts }: Profile): PlatformEntry {
  const valueOf = (key: string): unknown => facts.find((fact) => fact.key === key)?.value;
  const [numbers, host] = [valueOf('bankRegisterNumbers'), valueOf('portalHost')];
  return {
    id,
    name,
    group,
    registerNumbers: Array.isArray(numbers) ? numbers.map(String) : [],
    portalHost: typeof host === 'string' ? host : null,
    quality,
  };
}

/** The part of a profile that says whether its bank is on the platform. */
interface Head {
  readonly facts: readonly Pick<Profile['facts'][number], 'key'>[];
}

function headOf(at: URL, file: string): Head & Pick<Profile, 'id' | 'name' | 'group'> {
  try {
    const { id, name, group, facts } = JSON.parse(readFileSync(at, 'utf8')) as Readonly<Record<string, unknown>>;
    if (typeof id === 'string' && Array.isArray(facts))
      return {
        id,
        name: String(name),
        group: String(group),
        facts: facts.map((fact: unknown) => ({ key: String(memberOf(fact, 'key')) })),
      };
  } catch {
    // Reading the file as a profile says what is wrong with it.
  }
  throw new Mistake(`fixtures/profiles/${file} is no profile: --profile fixtures/profiles/${file} says why`);
}
