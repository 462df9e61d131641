import { clearTimeout, setTimeout } from '../../../engine/time/clock.ts';
import type { FaultCode } from '../../../engine/values/fault.ts';
import type { Doctor } from '../doctor.ts';
import { SigningRefusal } from '../signing-refusal.ts';
import type { Answer, Question } from './search.ts';

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
  /** Null: there is nothing to look for. */
  readonly question: Question | null;
  /** The bank's signing string, as latin1; null for a digest. */
  readonly expected: string | null;
  /** The TPP's signing string where the signature itself holds it. */
  readonly received: string | null;
}

/** Refuses a signature or a digest that does not fit, with the certain facts, and with the doctor's answer if there is one. */
export class Mismatch extends SigningRefusal {
  readonly facts: MismatchFacts;
  /** The finding, later than the refusal if the doctor had other questions. Never rejects. */
  readonly diagnosis: Promise<ReturnType<typeof diagnosisOf>>;

  constructor(facts: MismatchFacts, answer: Answer | null = null, later: Promise<Answer | null> | null = null) {
    const { code, path, text } = facts;
    const known = diagnosisOf(facts, answer);
    super({ code, path, text: `${known.finding} ${text[1]}` }, known.finding);
    this.facts = facts;
    this.diagnosis = later === null ? Promise.resolve(known) : later.then((found) => diagnosisOf(facts, found));
  }
}

/** Maximum time that a refusal waits for the doctor, in ms: a search takes 50, and the first one starts a thread. */
const doctorWaitMs = 2_000;

/** The same refusal with the doctor's answer, if that comes soon: while another question is open the refusal does not wait. */
export async function explained(mismatch: Mismatch, doctor: Doctor): Promise<Mismatch> {
  const { facts } = mismatch;
  if (facts.question === null) return mismatch;
  const { answer, isFirst } = doctor.ask(facts.question);
  if (!isFirst) return new Mismatch(facts, null, answer);
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<'too late'>((resolve) => {
    // It also keeps the process until the answer is there: the thread does not.
    timer = setTimeout(() => resolve('too late'), doctorWaitMs);
  });
  const found = await Promise.race([answer, tooLate]);
  clearTimeout(timer);
  return found === 'too late' ? new Mismatch(facts, null, answer) : new Mismatch(facts, found);
}

/** The doctor's finding on one request. */
function diagnosisOf({ text, certain, answerSays, expected, received }: MismatchFacts, answer: Answer | null) {
  const found = answer?.sentence ?? '';
  const sentences = found === '' ? certain : answerSays === 'all' ? found : `${certain} ${found}`;
  const signed = answer?.received ?? received;
  const difference = expected === null || signed === null ? null : differenceOf(expected, signed);
  return {
    /** What does not fit, what the TPP did, and what to do: in sentences. */
    finding: `${text[0]} ${sentences}`,
    /** The signing string of the bank, as latin1; null: not known. */
    expected,
    /** That of the TPP, as latin1; null: not known. */
    received: signed,
    /** Where they begin to differ. */
    difference,
  };
}

/** Where two signing strings begin to differ. */
export interface Difference {
  /** Counted from 1, by the line breaks (`\n`) before it. */
  readonly line: number;
  /** Character of the line, counted from 1. */
  readonly column: number;
  /** What each string has from there to the end of the line, its line break included; empty: nothing is left. */
  readonly expected: string;
  readonly received: string;
}

/** The first difference of two texts; null: they are the same. */
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
