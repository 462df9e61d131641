import { Problem, problemOf } from './problem.ts';

/**
 * Lets one piece of work run at a time, for one bank: a second one meanwhile is refused with 409 instead of waiting, since
 * two advances, or an advance and a reset, never mean what both callers meant. `failed` hears of work that threw what
 * nobody expected.
 */
export function oneAtATime(failed: () => void): <T>(work: () => Promise<T>) => Promise<T> {
  let busy = false;
  return async (work) => {
    if (busy)
      throw new Problem({ status: 409, detail: 'The clock is being moved by another call. Wait for its answer.' });
    busy = true;
    try {
      return await work();
    } catch (error) {
      if (problemOf(error) === null) failed();
      throw error;
    } finally {
      busy = false;
    }
  };
}
