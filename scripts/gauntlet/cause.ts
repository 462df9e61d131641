import { basename } from 'node:path';
import type { GauntletChange, GauntletTest } from '../../api/harness/types/gauntlet.ts';
import type { SeenCall } from '../../api/trials/trial.ts';
import { isObject } from '../../api/quirks/json.ts';
import type { Recording } from './recording.ts';

/** Maximum length of a shown value, in characters. */
const maxValue = 60;

/**
 * Finds the first answer that a failed test got otherwise than in the baseline: of the test itself, else of its file, else of any. What
 * differs between the two runs of the baseline is no change. Null: every answer is the same.
 */
export function causeOf(
  tests: readonly GauntletTest[],
  baseline: readonly [Recording, Recording],
  trial: Recording,
): GauntletChange | null {
  const [first, second] = baseline.map(byPlace) as [Places, Places];
  const changes = placed(trial.calls).flatMap(({ call, place }) => {
    const [one, other] = [first.get(place), second.get(place)];
    if (call.did !== null) return [{ call, change: { call: shortCall(call.call), ...call.did } }];
    if (one === undefined) return [];
    const noise = new Set(other === undefined ? [] : differences(one, other).map(({ path }) => path));
    const [change] = differences(one, call).filter(({ path }) => !noise.has(path));
    return change === undefined ? [] : [{ call, change: { call: shortCall(call.call), ...change } }];
  });
  const [failed] = tests;
  const ofTest = changes.find(({ call }) => failed !== undefined && isOf(call, failed));
  const ofFile = changes.find(({ call }) => failed !== undefined && failed.file !== '' && isIn(call, failed.file));
  return (ofTest ?? ofFile ?? changes[0])?.change ?? null;
}

/** The calls of a run by their places: which bank, which call, and the how manieth of these. */
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
function isOf({ test, bank }: SeenCall, failed: GauntletTest): boolean {
  const [one, other] = [test, failed.name].map((name) =>
    name
      .split(/[›>\s]/)
      .filter(Boolean)
      .join(' '),
  );
  return one !== '' && one === other && (failed.file === '' || isIn({ bank }, failed.file));
}

/** A runner may tell the end of the path alone. */
function isIn({ bank }: Pick<SeenCall, 'bank'>, file: string): boolean {
  return basename(bank.split('#')[0] ?? '') === basename(file);
}

type Difference = Omit<GauntletChange, 'call'>;

function differences(before: SeenCall, after: SeenCall): Difference[] {
  const whole: Difference[] = [
    { path: 'status', before: textOf(before.status), after: textOf(after.status) },
    { path: 'content-type', before: textOf(before.type), after: textOf(after.type) },
  ].filter((one) => one.before !== one.after);
  if (before.answer === after.answer) return whole;
  const [one, other] = [jsonOf(before.answer), jsonOf(after.answer)];
  if (one === undefined || other === undefined) return [...whole, shown('answer', before.answer, after.answer)];
  const members = membersOf('', one, other);
  const order = members.length > 0 ? [] : [orderOf('', one, other) ?? shown('answer', before.answer, after.answer)];
  return [...whole, ...members, ...order];
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

/** The first object whose members stand in another order. */
function orderOf(path: string, one: unknown, other: unknown): Difference | null {
  if (Array.isArray(one) && Array.isArray(other))
    return firstOf(one.map((item, at) => () => orderOf(`${path}[${at}]`, item, other[at])));
  if (!isObject(one) || !isObject(other)) return null;
  const [names, others] = [Object.keys(one), Object.keys(other)];
  if (names.join() !== others.join())
    return shown(path === '' ? 'order of members' : path, names.join(), others.join());
  return firstOf(names.map((name) => () => orderOf(path === '' ? name : `${path}.${name}`, one[name], other[name])));
}

function firstOf<Found>(all: readonly (() => Found | null)[]): Found | null {
  for (const find of all) {
    const found = find();
    if (found !== null) return found;
  }
  return null;
}

function shown(path: string, before: unknown, after: unknown): Difference {
  return { path, before: textOf(before), after: textOf(after) };
}

/** A value as JSON, cut; null: it is not there. */
function textOf(value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null;
  const text = JSON.stringify(value);
  return text.length > maxValue ? `${text.slice(0, maxValue)}...` : text;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** A call without its long ids: `GET /v1/accounts/.../transactions`. */
function shortCall(call: string): string {
  return call.replaceAll(/\/[^/?\s]{25,}/g, '/...');
}
