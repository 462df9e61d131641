import { NotAllowed } from '../../engine/bank/not-allowed.ts';
import { problemOf } from './problem.ts';

/** Whose turn it is to move one bank's clock, or to lay its ledger anew. */
export interface Turn {
  /** Runs work that no other may run beside. CONFLICT while there is other such work; a tick is asked to end, and waited for. */
  runExclusive<T>(work: () => Promise<T>): Promise<T>;
  /** Whether such work is under way. */
  isTaken(): boolean;
  /**
   * Runs a tick of the clock, or nothing while there is other work, which the next tick catches up with. While a tick is
   * under way, it is that one. `shouldStop` says when somebody waits for its end.
   */
  tick(work: (shouldStop: () => boolean) => Promise<void>): Promise<void>;
}

/**
 * Lets one piece of work run at a time, for one bank: a second one meanwhile is refused instead of waiting, since
 * two advances, or an advance and a reset, never mean what both callers meant. The running clock stands back, so that the
 * story of an advance tells every run. `failed` hears of work that threw what nobody expected.
 */
export function oneAtATime(failed: (error: unknown) => void): Turn {
  let isTaken = false;
  let ticking: Promise<void> | null = null;
  return {
    runExclusive: async (work) => {
      if (isTaken) throw taken();
      isTaken = true;
      try {
        // One that fails is told where it was started.
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

/** What does not move the clock goes on meanwhile. */
const meanwhile = [
  'every GET',
  'calls of /sandbox/sca, payments, consents, faults, certificates and banks',
  'every call under /v1 but POST /v1/sandbox/initialize',
];

function taken(): NotAllowed {
  const text = 'The clock is being moved, or the ledger laid anew, by another call. Wait for its answer.';
  return new NotAllowed({ code: 'CONFLICT', text }, meanwhile);
}
