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
  const replaced = new Map(Object.entries(names).map(([name, text]) => [text, now[name] ?? text]));
  const pattern = [...replaced.keys()]
    .toSorted((left, right) => right.length - left.length)
    .map((text) => text.replaceAll(/[^\w]/g, '\\$&'))
    .join('|');
  const text = JSON.stringify(was.answers).replaceAll(
    new RegExp(pattern, 'g'),
    (found) => replaced.get(found) ?? found,
  );
  return JSON.parse(text) as RecordedAnswers;
}

/** All values in one list by name. */
export function flat({ params, ...others }: Samples): Flat {
  return { ...others, ...params };
}
