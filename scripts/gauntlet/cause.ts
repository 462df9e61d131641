import { jsonOr } from '../../engine/values/json-text.ts';
import type { GauntletChange, GauntletTest } from '../../api/harness/types/gauntlet.ts';
import type { SeenCall } from '../../api/quirks/hearing.ts';
import { isObject } from '../../api/quirks/json.ts';
import type { Recording } from './recording.ts';

/** Maximum length of a shown value, in characters. */
const maxValue = 60;

type Difference = Omit<GauntletChange, 'call'>;

/**
 * Finds the first answer that a failed test got otherwise than in the baseline: of the test itself, else of any. What
 * differs between the two runs of the baseline is no change. Returns null if every answer is the same.
 */
export function causeOf(
  [failed]: readonly GauntletTest[],
  baseline: readonly [Recording, Recording],
  trial: Recording,
): GauntletChange | null {
  const changes = changesIn(baseline, trial);
  const ofTest = changes.filter(({ call }) => failed !== undefined && isOf(call, failed));
  // Some runners do not tell which test is running.
  const ofFile = changes.filter(({ call }) => failed !== undefined && call.bank.includes(failed.file));
  const nearest = [ofTest, ofFile, changes].find((some) => some.length > 0) ?? [];
  // What a client asks for itself comes before what the harness asks for the test.
  const found = nearest.find(({ call }) => !call.isOfHarness) ?? nearest[0];
  return found === undefined ? null : { call: shortCall(found.call.call), ...found.change };
}

/** The calls of a trial that were answered otherwise than in the baseline, each with the first difference. */
export function changesIn(baseline: readonly [Recording, Recording], trial: Recording) {
  const [first, second] = baseline.map(({ calls }) => byPlace(calls)) as [Places, Places];
  return [...byPlace(trial.calls)].flatMap(([place, call]) => {
    const [one, other] = [first.get(place), second.get(place)];
    const noise = new Set(differences(one, other).map(({ path }) => path));
    const change: Difference | undefined = call.did
      ? { path: 'trial', before: null, after: null }
      : differences(one, call).find(({ path }) => !noise.has(path));
    return change === undefined ? [] : [{ call, change }];
  });
}

/** A call without its long ids: `GET /v1/accounts/.../transactions`. */
function shortCall(call: string): string {
  return call.replaceAll(/\/[^/?\s]{25,}/g, '/...');
}

/** The calls of a run by their places: which bank, which test, which call, and its number among equal calls. */
type Places = ReadonlyMap<string, SeenCall>;

function byPlace(calls: readonly SeenCall[]): Places {
  const counts = new Map<string, number>();
  const places = new Map<string, SeenCall>();
  for (const call of calls) {
    const what = `${call.bank} ${call.test} ${call.call}`;
    const count = (counts.get(what) ?? 0) + 1;
    counts.set(what, count);
    places.set(`${what} ${count}`, call);
  }
  return places;
}

/** jest joins groups and test by a blank, vitest by ` > `; runners report them in ways of their own. */
function isOf({ test }: SeenCall, failed: GauntletTest): boolean {
  const words = (name: string): string => name.split(/[›>\s]+/).join(' ');
  return test !== '' && words(test) === words(failed.name);
}

/** Where two answers differ, in the order of the answer. A call that only one run has is no difference. */
function differences(before: SeenCall | undefined, after: SeenCall | undefined): Difference[] {
  if (before === undefined || after === undefined) return [];
  const heads = [before, after].map(({ status, type }) => ({ status, 'content-type': type }));
  const ofHead = membersOf('', heads[0], heads[1]);
  if (before.answer === after.answer) return ofHead;
  const [one, other] = [jsonOr(before.answer, null), jsonOr(after.answer, null)];
  const members = isObject(one) && isObject(other) ? membersOf('', one, other) : [];
  // Else the order of members, or the spelling, is another.
  return [...ofHead, ...(members.length > 0 ? members : [wholeAnswer(before.answer, after.answer)])];
}

function membersOf(path: string, one: unknown, other: unknown): Difference[] {
  if (Array.isArray(one) && Array.isArray(other)) {
    const longer = one.length > other.length ? one : other;
    return longer.flatMap((_, at) => membersOf(`${path}[${at}]`, one[at], other[at]));
  }
  if (isObject(one) && isObject(other)) {
    const names = Object.keys({ ...one, ...other });
    return names.flatMap((name) => membersOf(path === '' ? name : `${path}.${name}`, one[name], other[name]));
  }
  const [before, after] = [shortJson(one), shortJson(other)];
  return JSON.stringify(one) === JSON.stringify(other) ? [] : [{ path, before, after }];
}

/** Two texts from a few characters before their first difference. */
function wholeAnswer(one: string, other: string): Difference {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  const [before = '', after = ''] = [one, other].map((text) => cut(text.slice(Math.max(0, at - 20))));
  return { path: 'answer', before, after };
}

/** A value as JSON, cut, or null if it is not there. */
function shortJson(value: unknown): string | null {
  return value === undefined || value === null || value === '' ? null : cut(JSON.stringify(value));
}

function cut(text: string): string {
  return text.length > maxValue ? `${text.slice(0, maxValue)}...` : text;
}
