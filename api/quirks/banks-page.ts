import type { Profile } from '../start/config.ts';
import { isOfPlatform, platformEntry } from '../start/platform.ts';
import { isBank } from '../start/profile.ts';

type Fact = Profile['facts'][number];

/** The banks in docs/banks.md. `profiles`: the listed ones. */
export function bankSections(profiles: readonly Profile[]): string {
  const banks = profiles.filter(isBank);
  const ofNone = (banks[0]?.unknown ?? []).filter((what) => banks.every(({ unknown }) => unknown.includes(what)));
  return [
    '## Banks of the platform',
    lines(banks.filter(isOfPlatform).map(entry)),
    '## Other banks',
    'Nobody saw the portals of these banks. They have a profile, because they published times or conditions, and are not on the platform.',
    lines(banks.filter((bank) => !isOfPlatform(bank)).map(entry)),
    '## Left out',
    'The 13 facts of two entries of the catalogue are not here. OKQ8 Bank (4 facts) is Swedish and runs the same product. The SpareBank 1 alliance (9 facts) has another API, for its own customers. SpareBank 1 SMN and SpareBank 1 Hallingdal Valdres have no profile: nothing is known of them but their numbers.',
    '## What no bank has published',
    lines(ofNone),
    ...banks.map((bank) => section(bank, ofNone)),
  ].join('\n\n');
}

function lines(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n');
}

function entry(bank: Profile): string {
  const { id, name, group, quality, portalHost } = platformEntry(bank);
  return `[${name}](#${id}): ${group}, ${quality}${portalHost === null ? '' : `, ${portalHost}`}`;
}

/** One bank. `ofNone`: what is not known of any. */
function section({ id, name, quality, settings, quirks, facts, unknown }: Profile, ofNone: readonly string[]): string {
  const bySource = Map.groupBy(facts, originOf);
  const sections = [...bySource].map(([origin, those]) => [
    `- ${origin}`,
    ...those.map((fact) => `  - ${factText(fact)}`),
  ]);
  const onlyHere = unknown.filter((what) => !ofNone.includes(what));
  return [
    `## ${id}`,
    `${name}. Quality: ${quality}. ${chosen('Settings', settings)} ${chosen('Quirks', quirks)}`,
    sections.flat().join('\n'),
    ...(onlyHere.length === 0 ? [] : [`Not known: ${onlyHere.join('; ')}.`]),
  ].join('\n\n');
}

/** The settings or the quirks of a profile. */
function chosen(what: string, from: object): string {
  const items = Object.entries(from).map(([name, value]) =>
    value === true ? code(name) : code(`${name}=${json(value)}`),
  );
  return `${what}: ${items.length === 0 ? 'none' : items.join(', ')}.`;
}

/** Source, date and quality. Repositories of others stand in the profiles only. */
function originOf({ source, sourceDate, seen, quality }: Fact): string {
  if (source === null) return 'Assumed, because nobody has published it:';
  const isRegister = source.startsWith('Bits register');
  const named = isRegister ? 'Bits register' : /github/i.test(source) ? 'A public repository' : source;
  const shown = /^https?:\/\/\S+$/.test(named) ? `<${named}>` : named;
  return `${shown}, ${sourceDate ?? `undated, read ${seen ?? 'on an unknown day'}`}, ${quality}:`;
}

function factText({ key, value, applied }: Fact): string {
  return `${code(key)}: ${code(words(value))}${applied ? ', applied' : ''}`;
}

/** A fact in words: lists as their items, members as `name: value`, those of a member in brackets. */
function words(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.map(words).join(', ');
  if (typeof value !== 'object' || value === null) return String(value);
  const isGroup = (member: unknown): boolean => typeof member === 'object' && !Array.isArray(member);
  const members = Object.entries(value).map(([name, member]) =>
    isGroup(member) ? `${name} (${words(member)})` : `${name}: ${words(member)}`,
  );
  return members.join('; ');
}

/** A text as it is, a list of texts as its items, anything else as JSON. */
function json(value: unknown): string {
  if (typeof value === 'string') return value;
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
    ? value.join(', ')
    : JSON.stringify(value);
}

function code(text: string): string {
  return `\`${text.replaceAll('`', "'")}\``;
}
