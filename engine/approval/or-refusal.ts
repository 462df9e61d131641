import { Refusal } from '../values/fault.ts';

/** The result of the work, or the Refusal that it throws; any other error is thrown on. */
export async function orRefusal<T>(work: Promise<T>): Promise<T | Refusal> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}
