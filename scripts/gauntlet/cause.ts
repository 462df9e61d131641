import { jsonOr } from '../../engine/values/json-text.ts';
import type { GauntletChange, GauntletTest } from '../../api/harness/types/gauntlet.ts';
import type { SeenCall } from '../../api/trials/trial.ts';
import { isObject } from '../../api/quirks/json.ts';
import type { Recording } from './recording.ts';

/** How much of a text is shown before its first difference, in characters. */
const contextLength = 20;

/** Maximum length of a shown value, in characters. */
const maxValue = 60;

/**
 * Finds the first answer that a failed test got otherwise than in the baseline: of the test itself, else of any. What
 * differs between the two runs of the baseline is no change. `sentence`: what the trial did, where the answer does not show it. Returns null if every
 * answer is the same.
 */
export function causeOf(
  tests: readonly GauntletTest[],
  baseline: readonly [Recording, Recording],
  trial: Recording,
  sentence: string,
): GauntletChange | null {
  const [first, second] = baseline.map(byPlace) as [Places, Places];
  const changes = placed(trial.calls).flatMap(({ call, place }) => {
    const [one, other] = [first.get(place), second.get(place)];
    if (call.did)
      return [{ call, change: { call: shortCall(call.call), path: 'trial', before: null, after: sentence } }];
    if (one === undefined) return [];
    const noise = new Set(other === undefined ? [] : differences(one, other).map(({ path }) => path));
    const [change] = differences(one, call).filter(({ path }) => !noise.has(path));
    return change === undefined ? [] : [{ call, change: { call: shortCall(call.call), ...change } }];
  });
  const [failed] = tests;
  const ofTest = changes.filter(({ call }) => failed !== undefined && isOf(call, failed));
  const nearest = ofTest.length > 0 ? ofTest : changes;
  // What a client asks for itself comes before what the harness asks for the test.
  return (nearest.find(({ call }) => !call.isOfHarness) ?? nearest[0])?.change ?? null;
}

/** The calls of a run by their places: which bank, which call, and its number among equal calls. */
type Places = ReadonlyMap<string, SeenCall>;

function byPlace({ calls }: Recording): Places {
  return new Map(placed(calls).map(({ call, place }) => [place, call]));
}

function placed(calls: readonly SeenCall[]): { readonly call: SeenCall; readonly place: string }[] {
  const counts = new Map<string, number>();
  return calls.map((call) => {
    const what = `${call.bank} ${call.test} ${call.call}`;
    const count = (counts.get(what) ?? 0) + 1;
    counts.set(what, count);
    return { call, place: `${what} ${count}` };
  });
}

/** jest joins groups and test by a blank, vitest by ` > `; runners report them in ways of their own. */
function isOf({ test }: SeenCall, failed: GauntletTest): boolean {
  const words = (name: string): string => name.split(/[›>\s]+/).join(' ');
  return test !== '' && words(test) === words(failed.name);
}

type Difference = Omit<GauntletChange, 'call'>;

function differences(before: SeenCall, after: SeenCall): Difference[] {
  const whole: Difference[] = [
    { path: 'status', before: shortJson(before.status), after: shortJson(after.status) },
    { path: 'content-type', before: shortJson(before.type), after: shortJson(after.type) },
  ].filter((one) => one.before !== one.after);
  if (before.answer === after.answer) return whole;
  const from = Math.max(0, firstDifference(before.answer, after.answer) - contextLength);
  const wholeAnswer = { path: 'answer', before: cut(before.answer.slice(from)), after: cut(after.answer.slice(from)) };
  const [one, other] = [jsonOr(before.answer, undefined), jsonOr(after.answer, undefined)];
  if (one === undefined || other === undefined) return [...whole, wholeAnswer];
  const members = membersOf('', one, other);
  // Only the order of members, or the spelling, is another.
  return [...whole, ...(members.length > 0 ? members : [wholeAnswer])];
}

/** The members that differ, in the order of the answer. */
function membersOf(path: string, one: unknown, other: unknown): Difference[] {
  if (Array.isArray(one) && Array.isArray(other)) {
    const longer = one.length > other.length ? one : other;
    return longer.flatMap((_, at) => membersOf(`${path}[${at}]`, one[at], other[at]));
  }
  if (isObject(one) && isObject(other)) {
    const names = new Set([...Object.keys(one), ...Object.keys(other)]);
    return [...names].flatMap((name) => membersOf(path === '' ? name : `${path}.${name}`, one[name], other[name]));
  }
  return JSON.stringify(one) === JSON.stringify(other) ? [] : [shown(path, one, other)];
}

function shown(path: string, before: unknown, after: unknown): Difference {
  return { path, before: shortJson(before), after: shortJson(after) };
}

/** A value as JSON, cut, or null if it is not there. */
function shortJson(value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null;
  return cut(JSON.stringify(value));
}

/** Where two texts begin to differ. */
function firstDifference(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
}

function cut(text: string): string {
  return text.length > maxValue ? `${text.slice(0, maxValue)}...` : text;
}

/** A call without its long ids: `GET /v1/accounts/.../transactions`. */
function shortCall(call: string): string {
  return call.replaceAll(/\/[^/?\s]{25,}/g, '/...');
}
