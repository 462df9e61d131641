import { allQuirks } from '../../api/quirks/index.ts';
import { listedProfiles } from '../../api/start/profile.ts';
import { choiceOf, isProblem, type Quirks, quirkTexts, switched } from '../../engine/bank/rules/quirk.ts';
import type { Exchange } from './exchange.ts';
import { documentUnder } from './document.ts';
import { typeOf } from './fits.ts';
import { type Difference, Judge } from './judge.ts';

/** A quirk whose document has fewer differences. */
export interface Explanation {
  /** As `--quirks` takes it: `id-lengths=payment:69`, `-order`. */
  readonly quirk: string;
  /** How many differences go away. */
  readonly explains: number;
  /** The differences that go away, as `placeOf` names them. */
  readonly gone: ReadonlySet<string>;
}

/** `GET /v1/accounts accounts[].name lost`: a line of a list for `--accept`. */
export function keyOf({ operation, member, kind }: Pick<Difference, 'operation' | 'member' | 'kind'>): string {
  return `${operation} ${member} ${kind}`;
}

/**
 * Names one difference, however often it is judged: its key, its entry and what the bank has there, of a list or an
 * object the type.
 */
export function placeOf(one: Difference): string {
  const had = typeof one.bank === 'object' ? '' : String(one.bank);
  return `${keyOf(one)} ${one.exchange.entry} ${typeOf(one.bank)} ${had}`;
}

/** What is judged: exchanges, the quirks of the bank, and what the recording lacks. */
export interface Case {
  readonly exchanges: readonly Exchange[];
  readonly quirks: Quirks;
  readonly notJudged: ReadonlySet<string>;
  /** Keys that are known, and not told. */
  readonly accepted: ReadonlySet<string>;
}

/**
 * All differences of a case, in the order of the file. A request to the unsigned door is judged by the door's document.
 */
export async function differencesOf({ exchanges, quirks, notJudged, accepted }: Case): Promise<readonly Difference[]> {
  const judges = new Map<boolean, Judge>();
  for (const isOfDoor of new Set(exchanges.map((exchange) => exchange.isOfDoor)))
    judges.set(isOfDoor, new Judge(await documentUnder(quirks, isOfDoor), quirks, notJudged));
  const all = exchanges.flatMap((exchange) => judges.get(exchange.isOfDoor)?.differences(exchange) ?? []);
  return accepted.size === 0 ? all : all.filter((one) => !accepted.has(keyOf(one)));
}

/**
 * The quirks that explain differences, the one that explains most first, until none explains more (rules.md DW3): each
 * was judged anew with those before it, and has fewer differences in all and none that is new.
 */
export async function explanationsOf(base: Case, found: readonly Difference[]): Promise<readonly Explanation[]> {
  const chosen: Explanation[] = [];
  const candidates = found.length === 0 ? [] : await candidatesFor(base.quirks);
  let [now, left] = [base, found];
  for (;;) {
    const ends = [...Map.groupBy(left, keyOf).values()].flatMap((all) => [...all.slice(0, 1), ...all.slice(-1)]);
    const samples = new Set(ends.map(({ exchange }) => exchange));
    const sampled = left.filter(({ exchange }) => samples.has(exchange)).length;
    let best: (Explanation & { readonly now: Case; readonly left: readonly Difference[] }) | null = null;
    for (const quirk of candidates) {
      const quirks = switched(now.quirks, choiceOf(quirk));
      if (isProblem(quirks)) continue;
      const tried = { ...now, quirks };
      // Most quirks are ruled out by a few exchanges.
      if ((await differencesOf({ ...tried, exchanges: [...samples] })).length >= sampled) continue;
      const after = await differencesOf(tried);
      const there = new Set(after.map(placeOf));
      const gone = left.map(placeOf).filter((place) => !there.has(place));
      if (gone.length <= (best?.explains ?? 0) || hasMore(after, left)) continue;
      best = { quirk, explains: gone.length, gone: new Set(gone), now: tried, left: after };
    }
    if (best === null) return chosen;
    chosen.push({ quirk: best.quirk, explains: best.explains, gone: best.gone });
    ({ now, left } = best);
  }
}

/**
 * Whether a place has more differences than before: a quirk under which something new appears explains nothing
 * (rules.md DW3).
 */
function hasMore(after: readonly Difference[], before: readonly Difference[]): boolean {
  const known = Map.groupBy(before, placeOf);
  return [...Map.groupBy(after, placeOf)].some(([place, all]) => all.length > (known.get(place)?.length ?? 0));
}

/** Each quirk with each value that the register knows, and the quirks that are on, to be switched off. */
async function candidatesFor(on: Quirks): Promise<readonly string[]> {
  const profiles = await listedProfiles();
  const isOn = new Set(quirkTexts(on));
  const known = (await allQuirks()).flatMap(({ name, value: form, lines = {} }) => {
    if (form === undefined) return [name];
    const seen = Object.values(lines).map(({ value }) => value);
    const ofProfiles = profiles.map(({ quirks }) => quirks[name]);
    const values = [...form.words, form.usual, ...seen, ...ofProfiles];
    const texts = values.filter((value) => typeof value === 'string').map((value) => `${name}=${value}`);
    return [...new Set(texts)];
  });
  return [...known.filter((text) => !isOn.has(text)), ...[...on.keys()].map((name) => `-${name}`)];
}
