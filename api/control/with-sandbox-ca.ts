import { Problem } from '../pipeline/problem.ts';
import { fileMessageOf } from '../start/closed-to-us.ts';

/** Does work that needs the sandbox CA. A CA file that cannot be read or written is a matter of the disk: a Problem 503. */
export async function withSandboxCa<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw new Problem({ status: 503, detail: `The sandbox CA cannot be used: ${fileMessageOf(error)}` });
  }
}
