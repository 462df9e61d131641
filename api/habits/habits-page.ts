import { type Quirk, quirkNames, quirks } from '../../engine/bank/rules/quirk.ts';
import { scenarioMeeting } from '../catalogue/catalogue.ts';
import type { Profile } from '../start/config.ts';
import { defaultLines, type HabitLine, habitLines } from './habit-lines.ts';

const introduction = `# Habits of production banks

The bank follows the interface document. Banks of the platform do things that the document does not say, and clients fail at them. Each habit below
has a number, the banks that were seen to have it, a switch, and the mistake that clients make because of it.

- \`sandbank serve --quirks reissued-ids=P7D,pending-dates=both\` switches single habits on. \`PUT /sandbox/quirks\` does so on a running bank
  ([quirks](running.md#quirks)).
- \`sandbank serve --profile bien-sparebank\` starts a bank with all that is known of one bank ([profiles](running.md#profiles)).
  \`GET /sandbox/profile\` shows each fact with its source, and the facts that are unknown.
- \`--profile every-habit\` switches on all habits at once, each with a value that differs much from the document.
- \`GET /sandbox/coverage\` tells which habits your client has met (kind \`habit\`). \`sandbank play\` shows the habits in stories.
- [account-information.md](account-information.md#which-rule-finds-a-transaction-again) shows which rules of deduplication work under which profile.

The date of a habit is the day of its latest source. If nobody has published a value, such as the days after which an id changes, the profile
assumes one.`;

const byDefault = `## What the bank does without a quirk

These habits of banks follow from the document, or do not contradict it.`;

const end =
  'The quirk table, the profiles and `api/habits/habit-lines.ts` have these texts; `npm run generate` makes this page of them.';

/** The text of docs/habits.md. `profiles`: the listed ones. */
export function habitsPage(profiles: readonly Profile[]): string {
  const withLines = quirkNames.flatMap((name) => {
    const lines = habitLines[name];
    return lines === undefined ? [] : [section(name, lines, profiles)];
  });
  const others = Object.entries(defaultLines).map((line) => paragraph(line, null, profiles));
  return [introduction, ...withLines, byDefault, ...others, `---\n\n${end}`].join('\n\n') + '\n';
}

function section(name: Quirk, lines: Readonly<Record<string, HabitLine>>, profiles: readonly Profile[]): string {
  const parts = [`## ${name}`, quirks[name].effect, ...profilesWith(name, profiles), ...storyOf(name)];
  const told = Object.entries(lines).map((line) => {
    const [, { value }] = line;
    return paragraph(line, value === undefined ? name : `${name}=${value}`, profiles);
  });
  return [...parts, ...told].join('\n\n');
}

/** The profiles that have the quirk, with the value of each. */
function profilesWith(name: Quirk, profiles: readonly Profile[]): string[] {
  const having = profiles.flatMap(({ id, quirks: on, facts }) => {
    const value = on[name];
    if (value === undefined || value === false) return [];
    const isAssumed = facts.some(({ key, quality }) => key === name && quality === 'assumed');
    const notes = [...(value === true ? [] : [`\`${value}\``]), ...(isAssumed ? ['assumed'] : [])];
    return [`\`${id}\`${notes.length === 0 ? '' : ` (${notes.join(', ')})`}`];
  });
  return having.length === 0 ? [] : [`Profiles: ${having.join(', ')}.`];
}

/** The story that shows it. */
function storyOf(name: Quirk): string[] {
  const story = scenarioMeeting(name)?.name;
  return story === undefined ? [] : [`Story: [\`sandbank play ${story}\`](scenarios/${story}.md).`];
}

/** One habit. `flag`: the quirk that shows it; null: it needs none. */
function paragraph(
  [number, { what, mistake, seen }]: readonly [string, HabitLine],
  flag: string | null,
  profiles: readonly Profile[],
): string {
  const points = [
    `- **Seen:** ${[...seenIn(seen, profiles), ...(seen.others ?? [])].join('; ')}.`,
    ...(flag === null ? [] : [`- **See it here:** \`--quirks ${flag}\`.`]),
    `- **The mistake:** ${mistake}`,
  ];
  return [`### ${number}`, what, points.join('\n')].join('\n\n');
}

/** Each bank with the day of its latest fact and how that is known. */
function seenIn({ facts: keys = [], profiles: only }: HabitLine['seen'], profiles: readonly Profile[]): string[] {
  const banks = profiles.filter(({ id }) => (only === undefined ? id !== 'every-habit' : only.includes(id)));
  return banks.flatMap(({ name, facts }) => {
    const [latest] = facts
      .filter(({ key, quality }) => keys.includes(key) && quality !== 'assumed')
      .toSorted((one, other) => ((one.sourceDate ?? '') < (other.sourceDate ?? '') ? 1 : -1));
    return latest === undefined ? [] : [`${name}, ${latest.sourceDate ?? 'undated'}: ${latest.quality}`];
  });
}
