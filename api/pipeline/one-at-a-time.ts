import { Refusal } from '../../engine/values/fault.ts';
import { problemOf } from './problem.ts';

/** Lock of one bank for work that moves its clock or resets its ledger. */
export interface Turn {
  /**
   * Runs exclusive work. Throws CONFLICT while other exclusive work runs. Stops a running tick first and waits for it.
   */
  runExclusive<T>(work: () => Promise<T>): Promise<T>;
  /** True while exclusive work is under way. */
  isTaken(): boolean;
  /**
   * Runs a tick of the clock. During exclusive work it does nothing: the next tick catches up. While a tick runs, it
   * returns that tick. `shouldStop` is true when exclusive work waits for the tick to end.
   */
  tick(work: (shouldStop: () => boolean) => Promise<void>): Promise<void>;
}

/**
 * Creates the lock of one bank. It refuses a second piece of exclusive work instead of queueing it: after another
 * advance or reset the work would not do what its caller meant. Ticks wait, so that the answer of an advance lists
 * every run. `failed` gets unexpected errors of exclusive work.
 */
export function oneAtATime(failed: (error: unknown) => void): Turn {
  let isTaken = false;
  let ticking: Promise<void> | null = null;
  return {
    runExclusive: async (work) => {
      if (isTaken) throw taken();
      isTaken = true;
      try {
        // The caller of the tick reports its failure.
        await ticking?.catch(() => {});
        return await work();
      } catch (error) {
        if (problemOf(error) === null) failed(error);
        throw error;
      } finally {
        isTaken = false;
      }
    },
    isTaken: () => isTaken,
    tick: async (work) => {
      if (isTaken) return;
      ticking ??= work(() => isTaken).finally(() => {
        ticking = null;
      });
      await ticking;
    },
  };
}

/** Calls that are served during exclusive work. */
const meanwhile = [
  'every GET',
  'calls of /sandbox/sca, payments, consents, faults, certificates and banks',
  'every call under /v1 but POST /v1/sandbox/initialize',
];

function taken(): Refusal {
  const text = 'Another call is moving the clock or resetting the ledger. Wait for its answer.';
  return new Refusal({ code: 'CONFLICT', text, allowed: meanwhile });
}
