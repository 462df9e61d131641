import type { Profile } from '../start/config.ts';
import { isOfPlatform, platformEntry } from '../start/platform.ts';
import { isBank } from '../start/profile.ts';

const introduction = `# Banks

\`npm run generate\` makes this page from \`fixtures/profiles\`: change the facts there.

This page lists what is known of each bank, with source, date and quality. A bank has a profile, a file with its settings, its [quirks](running.md#quirks)
and these facts. \`sandbank serve --profile ID\` acts as one bank.

## All banks in one process

\`sandbank serve --platform\` serves every bank of the platform beside the bank at the root. A bank is on the platform if somebody saw its developer portal
or its answers. Each bank has the address \`/banks/ID\`, its own ledger and its own clock, and opens at its first request.

- \`GET /platform\` lists the banks: id, name, group, register numbers, host of the portal, quality and address. It asks for the control token, as
  \`/sandbox\` does. A browser gets the page of all banks there; the key \`b\` opens it from each page of the console.
- All banks trust the same certificates, so one TPP can call them all. No other call sees more than one bank, except \`/sandbox/banks\`.
- Each bank has the times, cut-offs and quirks of its own profile. Flags such as \`--cut-offs\` apply to the bank at the root, and to banks that you make.
- The approval page shows the name of the bank.
- All banks have the customers and accounts of the [known state](running.md#data). Their account numbers do not begin with the register numbers of the bank.
- \`POST /platform/clock/advance\` moves all their clocks to one instant ([time-machine.md](time-machine.md#all-banks-of-the-platform)).
- \`sandbank when\` and the page When? of the console tell when one payment is where at each bank, with the source of each time.
- In a test, \`openPlatform()\` opens these banks ([tests.md](tests.md#all-banks-of-the-platform)).

The quality of a profile says how much it can be trusted:

- \`rich\`: recorded answers of the bank are known. The profile has its habits.
- \`partial\`: some pages or reports are known. Where the profile has no setting and no quirk, the bank follows the interface document.
- \`name only\`: nothing is known but name, host and numbers. The bank follows the interface document.

## How to send a fact

1. Find a source: a public page of the bank, or an answer that you received. Replace personal data with other values of the same form.
2. Add the fact to \`fixtures/profiles/ID.json\`: \`key\`, \`value\`, \`source\`, \`sourceDate\` (null if the source has no date), \`seen\` (the day you read it)
   and \`quality\`. Set \`applied\` to true if a setting or a quirk of the profile follows from the fact. Remove what is now known from \`unknown\`.
3. Copy the file of another bank if the bank has none. Give the file the name of its \`id\`. A fact \`portalHost\` makes the bank one of the platform.
4. Run \`npm run generate\`, and send the change. Or open an issue of the kind "A habit of a bank" with bank, date and source.`;

type Fact = Profile['facts'][number];

/** The text of docs/banks.md. `profiles`: the listed ones. */
export function banksPage(profiles: readonly Profile[]): string {
  const banks = profiles.filter(isBank);
  const ofNone = (banks[0]?.unknown ?? []).filter((what) => banks.every(({ unknown }) => unknown.includes(what)));
  return `${[
    introduction,
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
  ].join('\n\n')}\n`;
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
  return `${code(key)}: ${code(json(value))}${applied ? ', applied' : ''}`;
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
