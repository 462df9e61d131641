import { type Fault, faultWithin, Refusal } from '../../engine/values/fault.ts';
import { capital } from '../../engine/values/text.ts';
import { refusedAt } from '../pipeline/problem.ts';
import { Mistake } from '../../engine/values/mistake.ts';

/**
 * Reads a member of a body that is a name or an object. Throws a Problem 400 for a name that is not `allowed`, and for
 * an object what `read` refuses, each fault with its path below the member.
 */
export async function givenIn<Value>(
  member: string,
  noun: string,
  read: () => Promise<Value>,
  allowed?: readonly string[],
): Promise<Value> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof Mistake) {
      throw refusedAt(member, sentenceOf(error.message), allowed);
    }
    if (!(error instanceof Refusal)) throw error;
    const [first, ...more] = error.faults;
    const within = (fault: Fault): Fault =>
      faultWithin(member, { ...fault, text: fault.text.replace(/\bThe body\b/g, noun) });
    throw new Refusal(within(first), ...more.map(within));
  }
}

/** A problem as a sentence. */
export function sentenceOf(problem: string): string {
  return `${capital(problem)}.`;
}
