import { readFileSync, writeFileSync } from 'node:fs';
import type { ToldCall } from './teller.ts';

/*
 * The answers that are kept: those of one bank as JSON, `story.txt` and `round.txt`, and of the others what is otherwise, `profiles.txt` and
 * `quirks.txt`. `node tests/golden/rewrite.ts` writes them.
 */

/** A call and the members of its answer by their places: `body.accounts[0].name` is `"Totalkonto"`. */
interface Kept {
  readonly call: string;
  readonly members: ReadonlyMap<string, string>;
}

const fileOf = (name: string): URL => new URL(`kept/${name}.txt`, import.meta.url);

/** Writes the answers of a bank. */
export function writeStory(name: string, told: readonly ToldCall[]): void {
  const lines = told.flatMap(({ call, answer }) => [call, JSON.stringify(answer)]);
  writeFileSync(fileOf(name), `${lines.join('\n')}\n`);
}

function readStory(name: string): Kept[] {
  const lines = readFileSync(fileOf(name), 'utf8').trimEnd().split('\n');
  return lines.flatMap((call, at) => {
    return at % 2 === 1 ? [] : [{ call, members: membersOf(JSON.parse(lines[at + 1] ?? '')) }];
  });
}

/** Writes what is otherwise in other banks than in that of a story. */
export function writeOthers(name: string, story: string, others: ReadonlyMap<string, readonly ToldCall[]>): void {
  const usual = readStory(story);
  const sections = [...others].map(([other, told]) => [`# ${other}`, ...changesOf(usual, told)].join('\n'));
  writeFileSync(fileOf(name), `${sections.join('\n')}\n`);
}

/** What a line says of the first call that a bank does not get: `166 no more calls`. */
const noMore = 'no more calls';

/** A line for each member that is otherwise, `12 body.status = "RCVD"`, or is not there: `12 body.status`. */
function changesOf(usual: readonly Kept[], told: readonly ToldCall[]): string[] {
  const lines = told.flatMap(({ answer }, at) => {
    const members = membersOf(answer);
    const known = usual[at]?.members ?? new Map<string, string>();
    const places = [...new Set([...known.keys(), ...members.keys()])];
    return places.flatMap((place) => {
      const text = members.get(place);
      if (text === known.get(place)) return [];
      return [`${at} ${place}${text === undefined ? '' : ` = ${text}`}`];
    });
  });
  return told.length < usual.length ? [...lines, `${told.length} ${noMore}`] : lines;
}

/** The answers that are kept of a bank that is otherwise than that of a story; undefined: none are kept. */
function readOther(name: string, story: string, other: string): Kept[] | undefined {
  const sections = readFileSync(fileOf(name), 'utf8').trimEnd().split(/^# /m);
  const section = sections.find((each) => each.slice(0, each.indexOf('\n')) === other);
  if (section === undefined) return undefined;
  const usual = readStory(story).map(({ call, members }) => ({ call, members: new Map(members) }));
  for (const line of section.trimEnd().split('\n').slice(1)) {
    const [, at = '', place = '', text] = /^(\d+) (.+?)(?: = (.*))?$/.exec(line) ?? [];
    if (place === noMore) return usual.slice(0, Number(at));
    const members = usual[Number(at)]?.members;
    if (text === undefined) members?.delete(place);
    else members?.set(place, text);
  }
  return usual;
}

/** Names the bank, the call and the member of the first answers that are otherwise than those that are kept. Empty: none is. */
export function differences(
  told: readonly ToldCall[],
  story: string,
  other?: readonly [name: string, of: string],
): string[] {
  const kept = other === undefined ? readStory(story) : readOther(other[0], story, other[1]);
  const who = other?.[1] ?? story;
  if (kept === undefined) return [`${who}: no answers are kept`];
  if (kept.length !== told.length) return [`${who}: ${told.length} calls, and ${kept.length} are kept`];
  return kept
    .flatMap(({ call, members }, at) => {
      const now = membersOf(told[at]?.answer);
      const where = `${who}, call ${at}, ${told[at]?.call}`;
      // Another id in the path of a call is another length of an id.
      if (other === undefined && told[at]?.call !== call) return [`${where}: it was ${call}`];
      const found = [...new Set([...members.keys(), ...now.keys()])]
        .filter((place) => members.get(place) !== now.get(place))
        .map((place) => `${where}: ${place} is ${now.get(place)}, and was ${members.get(place)}`);
      // What is kept of other banks has no order: members that they alone have are behind.
      const [was, is] = [members, now].map((all) => [...all.keys()].join(', '));
      return other === undefined && found.length === 0 && was !== is
        ? [`${where}: in order ${is}, and was ${was}`]
        : found;
    })
    .slice(0, 10);
}

/** The members of a value that are no object and no list, and the empty ones, by their places. */
function membersOf(value: unknown, place = '', into = new Map<string, string>()): Map<string, string> {
  const isFull = typeof value === 'object' && value !== null && Object.keys(value).length > 0;
  if (!isFull) into.set(place, JSON.stringify(value));
  else if (Array.isArray(value)) value.forEach((item, at) => membersOf(item, `${place}[${at}]`, into));
  else
    for (const [name, member] of Object.entries(value))
      membersOf(member, place === '' ? name : `${place}.${name}`, into);
  return into;
}
