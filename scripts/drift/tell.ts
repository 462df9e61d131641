import { clip, oneLine } from '../../engine/values/text.ts';
import { choiceOf } from '../../engine/bank/rules/quirk.ts';
import { counted } from '../cli/output.ts';
import { type Case, differencesOf, explanationsOf, keyOf, placeOf } from './explain.ts';
import type { Difference, Kind } from './judge.ts';
import { typeOf } from './fits.ts';
import type { Recording } from './recording.ts';

/** A difference, told once for its operation, member, kind and the quirk that explains it. */
export interface ToldDifference extends Pick<Difference, 'operation' | 'member' | 'kind' | 'document' | 'docs'> {
  readonly count: number;
  /** Where it is first. `entry` counts from 1. */
  readonly first: { readonly entry: number; readonly url: string };
  /** What the bank had at the first place, if anything. */
  readonly bank: unknown;
  /** Whether a client breaks by it; else it must tolerate it. */
  readonly breaks: boolean;
  /** The quirk that explains it, as `--quirks` takes it. Null if it is new. */
  readonly quirk: string | null;
}

/** What `sandbank drift FILE --json` prints. */
export interface Drift {
  readonly entries: number;
  readonly notJudged: readonly string[];
  readonly differences: readonly ToldDifference[];
  /** `value`: true for a quirk without one, false for one that is to be switched off. */
  readonly quirks: readonly { readonly name: string; readonly value: string | boolean; readonly explains: number }[];
  readonly skipped: Recording['skipped'];
}

/** Judges a recording by the document of a bank with these quirks. `accepted`: keys of known differences. */
export async function tellDrift(
  recording: Recording,
  { quirks, accepted }: Pick<Case, 'quirks' | 'accepted'>,
): Promise<Drift> {
  const { entries, notJudged, exchanges, skipped } = recording;
  const judged = { exchanges, quirks, accepted, notJudged: new Set(notJudged.map((name) => name.toLowerCase())) };
  const found = await differencesOf(judged);
  const explained = await explanationsOf(judged, found);
  const quirkOf = (one: Difference) => explained.find(({ gone }) => gone.has(placeOf(one)))?.quirk ?? null;
  const rows = Map.groupBy(found, (one) => `${keyOf(one)} ${quirkOf(one)}`);
  const differences = [...rows.values()].map((all) => told(all, quirkOf(all[0] as Difference)));
  const chosen = explained.map(({ quirk, explains }) => {
    const [[name, value] = ['', true]] = choiceOf(quirk);
    return { name, value, explains };
  });
  return { entries, notJudged, differences, quirks: chosen, skipped };
}

function told(all: readonly Difference[], quirk: string | null): ToldDifference {
  const { operation, member, kind, exchange, document, bank = null, docs } = all[0] as Difference;
  return {
    ...{ operation, member, kind, count: all.length, first: { entry: exchange.entry, url: exchange.url } },
    ...{ document, bank: short(bank), docs, breaks: !tolerated.includes(kind), quirk },
  };
}

/** What clients of the sandbox get along with: one more member, and what the bank takes beyond it. */
const tolerated: readonly Kind[] = ['added', 'taken'];

/** A value in a few words: a long text is cut, a list or an object tells its type. */
function short(value: unknown): unknown {
  if (typeof value === 'string') return clip(value, 100);
  return typeof value === 'object' && value !== null ? typeOf(value) : value;
}

/** A difference in one line. */
export function lineOf(one: ToldDifference): string {
  const { document, bank, count, first, breaks, quirk, docs } = one;
  const what = `the document says ${clip(document, 200)}, the bank has ${clip(JSON.stringify(bank), 120)}`;
  const often = count === 1 ? 'once' : `${count} times`;
  const effect = breaks ? 'clients break by it' : 'clients must tolerate it';
  const why = quirk === null ? 'new: no quirk explains it' : `--quirks ${quirk} explains it`;
  const place = `first in entry ${first.entry}, ${clip(first.url, 120)}`;
  return oneLine(`${keyOf(one)}: ${what}; ${often}, ${place}; ${effect}; ${docs}; ${why}.`, 1_000);
}

/** The lines of a whole recording. */
export function linesOf({ differences, quirks, skipped, entries, notJudged }: Drift): string[] {
  const all = differences.reduce((sum, { count }) => sum + count, 0);
  const unexplained = differences.filter(({ quirk }) => quirk === null);
  const on = quirks.map(({ name, value }) =>
    `${value === false ? '-' : ''}${name}=${value}`.replace(/=(?:true|false)$/, ''),
  );
  const explained = quirks.reduce((sum, { explains }) => sum + explains, 0);
  const left = unexplained.slice(0, 5).map(keyOf).join('; ') || 'nothing';
  // More of them would hide the differences.
  const named = skipped.slice(0, 20).map(({ entry, why }) => `entry ${entry}: ${clip(why, 200)}`);
  const remarks = [
    [quirks, `--quirks ${on.join(',')} explains ${explained} of ${all}; left: ${left}.`],
    [skipped, `${skipped.length} of ${entries} skipped (counted from 1): ${named.join('; ')}.`],
    [notJudged, `Not judged, because the recording lacks them everywhere: ${notJudged.join(', ')}.`],
  ] as const;
  return [
    ...differences.map(lineOf),
    ...remarks.flatMap(([about, line]) => (about.length > 0 ? [oneLine(line, 5_000)] : [])),
    `${all === 0 ? 'No difference' : counted(differences.length, 'difference')} in ${counted(entries - skipped.length, 'exchange')}.`,
  ];
}
