import recording from './recorded-answers.json' with { type: 'json' };
import type { Samples } from './example-bodies.ts';

/** Bodies of answers by method and path of the document, then by status. */
export type RecordedAnswers = Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>;

type Flat = Readonly<Record<string, string>>;

/** Answers as a bank gave them to the examples. */
export interface Recording {
  /** What the examples were made of: {@link Samples} as one list. */
  readonly samples: Flat;
  /** The address of the bank. */
  readonly address: string;
  readonly answers: RecordedAnswers;
}

/**
 * The answers that scripts/record-answers.ts recorded, with the ids, the numbers and the dates of this bank in place of those
 * that they were recorded with.
 */
export function recordedAnswers(samples: Samples, address: string): RecordedAnswers {
  const was: Recording = recording;
  const names = { ...was.samples, address: was.address };
  const now: Flat = { ...flat(samples), address };
  const replaced = Object.entries(names).map(([name, text]) => [text, now[name] ?? text] as const);
  return JSON.parse(put(JSON.stringify(was.answers), replaced)) as RecordedAnswers;
}

/** A text with each of these replaced, the longest first, as one may be a part of another, and nothing of what was put in. */
export function put(text: string, replaced: readonly (readonly [found: string, put: string])[]): string {
  return putInTurn(
    text,
    replaced.toSorted(([left], [right]) => right.length - left.length),
  );
}

function putInTurn(text: string, [first, ...others]: readonly (readonly [found: string, put: string])[]): string {
  if (first === undefined) return text;
  return text
    .split(first[0])
    .map((part) => putInTurn(part, others))
    .join(first[1]);
}

/** All values in one list by name. */
export function flat({ params, spare, ...others }: Samples): Flat {
  const spares = Object.entries(spare).map(([name, id]) => [`spare ${name}`, id]);
  return { ...others, ...params, ...Object.fromEntries(spares) };
}
