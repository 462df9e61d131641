import type { FaultCode } from '../../../engine/values/fault.ts';
import { SigningRefusal } from '../signing-refusal.ts';
import { diagnose, type Question } from './diagnose.ts';

/** What is known of a signature or a digest that does not fit. */
interface MismatchFacts {
  readonly code: FaultCode;
  readonly path: string;
  /** What does not fit, and what follows the finding in the text of the refusal. */
  readonly text: readonly [fault: string, after: string];
  /** The certain facts and what to do about them, in sentences. */
  readonly certain: string;
  /** Whether an answer takes the place of `certain`; else it follows it. */
  readonly answerSays: 'all' | 'more';
  /** It is null if there is nothing to look for. */
  readonly question: Question | null;
  /** The bank's signing string, as latin1; null for a digest. */
  readonly expected: string | null;
  /** The TPP's signing string where the signature itself holds it. */
  readonly received: string | null;
}

/** The doctor's finding on one request. */
interface Diagnosis {
  /** What does not fit, what the TPP did, and what to do: in sentences. */
  readonly finding: string;
  /** The signing string of the bank, as latin1, if it is known. */
  readonly expected: string | null;
  /** The signing string of the TPP, as latin1, if it is known. */
  readonly received: string | null;
  /** Where they begin to differ. */
  readonly difference: Difference | null;
}

/** Refuses a signature or a digest that does not fit, with the certain facts and the doctor's answer. */
export class Mismatch extends SigningRefusal {
  readonly diagnosis: Diagnosis;

  constructor(facts: MismatchFacts) {
    const { code, path, text } = facts;
    const diagnosis = diagnosisOf(facts);
    super({ code, path, text: `${diagnosis.finding} ${text[1]}` }, diagnosis.finding);
    this.diagnosis = diagnosis;
  }
}

function diagnosisOf({ text, certain, answerSays, question, expected, received }: MismatchFacts): Diagnosis {
  const answer = question === null ? null : diagnose(question);
  const found = answer?.sentence ?? '';
  const sentences = found === '' ? certain : answerSays === 'all' ? found : `${certain} ${found}`;
  const signed = answer?.received ?? received;
  const difference = expected === null || signed === null ? null : differenceOf(expected, signed);
  return { finding: `${text[0]} ${sentences}`, expected, received: signed, difference };
}

/** Where two signing strings begin to differ. */
export interface Difference {
  /** Counted from 1, by the line breaks (`\n`) before it. */
  readonly line: number;
  /** Character of the line, counted from 1. */
  readonly column: number;
  /** What each string has from there to the end of the line, its line break included, or empty if nothing is left. */
  readonly expected: string;
  readonly received: string;
}

/** The first difference of two texts, or null if they are the same. */
export function differenceOf(expected: string, received: string): Difference | null {
  if (expected === received) return null;
  let at = 0;
  while (at < expected.length && expected[at] === received[at]) at += 1;
  const before = expected.slice(0, at);
  const start = before.lastIndexOf('\n') + 1;
  const line = before.split('\n').length;
  return { line, column: at - start + 1, expected: restOfLine(expected, at), received: restOfLine(received, at) };
}

function restOfLine(text: string, at: number): string {
  const end = text.indexOf('\n', at);
  return text.slice(at, end === -1 ? text.length : end + 1);
}
