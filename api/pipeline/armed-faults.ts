import type { Logger } from 'pino';
import type { Listener } from '../../engine/bank/outlet.ts';
import type { FaultCode } from '../../engine/values/fault.ts';
import { Problem } from './problem.ts';
import { withoutTrailing } from '../../engine/values/text.ts';
import type { Endpoint } from './endpoint.ts';

/** A fault to arm (rules.md E6). Null stands for any method or path. */
interface FaultOrder {
  readonly code: FaultCode;
  readonly method: Endpoint['method'] | null;
  readonly path: string | null;
  /** Number of calls to refuse. */
  readonly times: number;
}

export interface ArmedFault extends FaultOrder {
  readonly id: number;
  /** Number of calls still to refuse; never 0. */
  readonly remaining: number;
}

/** Maximum number of armed faults of one bank, whatever their `times`. */
export const maxArmed = 100;

/**
 * Faults that the control plane has armed for one bank, in memory: a restart, a reset and an initialize disarm them. A call is
 * refused by the oldest fault that matches it.
 */
export class ArmedFaults {
  #armed: readonly ArmedFault[] = [];
  #lastId = 0;

  /** Throws a Problem (429) when the limit is reached. */
  arm(order: FaultOrder): ArmedFault {
    if (this.#armed.length >= maxArmed) throw tooManyArmed();
    const fault = { ...order, id: (this.#lastId += 1), remaining: order.times };
    this.#armed = [...this.#armed, fault];
    return fault;
  }

  list(): readonly ArmedFault[] {
    return this.#armed;
  }

  /** Takes over the faults that were armed in another process. */
  takeOver(faults: readonly ArmedFault[]): void {
    this.#armed = faults;
    this.#lastId = Math.max(0, ...faults.map(({ id }) => id));
  }

  /** Disarms all faults; returns how many there were. */
  disarm(): number {
    const count = this.#armed.length;
    this.#armed = [];
    return count;
  }

  /** The fault that would refuse this call; undefined: none. `target` is the path as received, with its query. */
  match(method: Endpoint['method'], target: string): ArmedFault | undefined {
    return this.#armed.find((fault) => matches(fault, method, target));
  }

  /** The same fault; counts the call against its `times`. */
  take(method: Endpoint['method'], target: string): ArmedFault | undefined {
    const hit = this.match(method, target);
    this.#armed = this.#armed.flatMap((fault) => {
      if (fault.id !== hit?.id) return fault;
      return fault.remaining > 1 ? { ...fault, remaining: fault.remaining - 1 } : [];
    });
    return hit;
  }
}

/** Disarms the faults whenever the bank is reset or initialized (rules.md D7). */
export function disarmedByReset(faults: Pick<ArmedFaults, 'disarm'>, log: Pick<Logger, 'error'>): Listener {
  return {
    kinds: new Set(['reset']),
    hear: (happening) => {
      if (happening.kind === 'reset' && (happening.cause === 'reset' || happening.cause === 'initialized'))
        faults.disarm();
    },
    failed: (error) => log.error({ err: error }, 'faults could not be disarmed'),
  };
}

function tooManyArmed(): Problem {
  const detail = `There are ${maxArmed} armed faults, which is the most. DELETE /sandbox/faults disarms all of them.`;
  return new Problem({ status: 429, detail, allowed: { faults: String(maxArmed) } });
}

function matches({ method, path }: FaultOrder, asked: string, target: string): boolean {
  return (method === null || method === asked) && (path === null || isBelow(path, target));
}

/** Compares a path with a target in whole segments from the beginning; `*` matches any one segment. */
export function isBelow(path: string, target: string): boolean {
  const segments = segmentsOf(target);
  return segmentsOf(path).every((wanted, index) => (wanted === '*' ? index in segments : wanted === segments[index]));
}

/** Segments without the query: `/v1` for both bases of the interface, escapes decoded, no slash at the end. */
function segmentsOf(target: string): string[] {
  const path = target.replace(/\?.*/s, '').replace(/^\/api-sandbox(?=\/)/, '');
  return withoutTrailing(path, '/').split('/').map(unescaped);
}

function unescaped(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
