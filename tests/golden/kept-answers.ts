import { readFileSync, writeFileSync } from 'node:fs';
import type { ToldCall } from './teller.ts';

/* The answers that are kept: `story.txt` and `round.txt`, a line for a call and one for its answer. `node tests/golden/rewrite.ts` writes them. */

/** A call and the members of its answer by their places: `body.accounts[0].name` is `"Totalkonto"`. */
interface Kept {
  readonly call: string;
  readonly members: ReadonlyMap<string, string>;
}

const fileOf = (name: string): URL => new URL(`kept/${name}.txt`, import.meta.url);

/** Writes the answers of a bank. */
export function writeAnswers(name: string, told: readonly ToldCall[]): void {
  const lines = told.flatMap(({ call, answer }) => [call, JSON.stringify(answer)]);
  writeFileSync(fileOf(name), `${lines.join('\n')}\n`);
}

function readAnswers(name: string): Kept[] {
  const lines = readFileSync(fileOf(name), 'utf8').trimEnd().split('\n');
  return lines.flatMap((call, at) => {
    return at % 2 === 1 ? [] : [{ call, members: membersOf(JSON.parse(lines[at + 1] ?? '')) }];
  });
}

/** Names the call and the member of the first answers that are otherwise than those that are kept. Empty: none is. */
export function differences(told: readonly ToldCall[], name: string): string[] {
  const kept = readAnswers(name);
  if (kept.length !== told.length) return [`${name}: ${told.length} calls, and ${kept.length} are kept`];
  return kept
    .flatMap(({ call, members }, at) => {
      const now = membersOf(told[at]?.answer);
      const where = `${name}, call ${at}, ${told[at]?.call}`;
      if (told[at]?.call !== call) return [`${where}: it was ${call}`];
      const found = [...new Set([...members.keys(), ...now.keys()])]
        .filter((place) => members.get(place) !== now.get(place))
        .map((place) => `${where}: ${place} is ${now.get(place)}, and was ${members.get(place)}`);
      const [was, is] = [members, now].map((all) => [...all.keys()].join(', '));
      return found.length === 0 && was !== is ? [`${where}: in order ${is}, and was ${was}`] : found;
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
