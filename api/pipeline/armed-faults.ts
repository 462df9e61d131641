import type { Fault, FaultCode, FaultPlace } from '../../engine/values/fault.ts';
import { Problem } from './problem.ts';
import { withoutTrailing } from '../../engine/values/text.ts';
import type { Endpoint } from './endpoint.ts';

/** What is to go wrong (rules.md E6): null stands for any method, any path. */
export interface FaultOrder {
  readonly code: FaultCode;
  readonly method: Endpoint['method'] | null;
  readonly path: string | null;
  /** How many calls it takes. */
  readonly times: number;
}

export interface ArmedFault extends FaultOrder {
  readonly id: number;
  /** How many calls it still takes; never 0. */
  readonly remaining: number;
}

/** How many faults one bank has armed at most; one counts once, however many calls it takes. */
const mostArmed = 100;

type Struck = Pick<Endpoint, 'method' | 'names' | 'products'>;

/**
 * The faults that the control plane has armed for one bank. They are kept in memory: a restart and a reset disarm them.
 * The oldest one that matches a call takes it.
 */
export class ArmedFaults {
  #armed: readonly ArmedFault[] = [];
  #lastId = 0;

  /** Throws a Problem (429) for one too many. */
  arm(order: FaultOrder): ArmedFault {
    if (this.#armed.length >= mostArmed) throw tooManyArmed();
    const fault = { ...order, id: (this.#lastId += 1), remaining: order.times };
    this.#armed = [...this.#armed, fault];
    return fault;
  }

  list(): readonly ArmedFault[] {
    return this.#armed;
  }

  /** Returns how many there were. */
  disarm(): number {
    const count = this.#armed.length;
    this.#armed = [];
    return count;
  }

  /** The fault that is armed for this call, which counts as one; null: none. `target` is the path as it was asked, with its query. */
  strike(endpoint: Struck, target: string): Fault | null {
    const hit = this.#armed.find((fault) => matches(fault, endpoint.method, target));
    if (hit === undefined) return null;
    const left = { ...hit, remaining: hit.remaining - 1 };
    this.#armed = this.#armed.flatMap((fault) => (fault.id !== hit.id ? fault : left.remaining > 0 ? left : []));
    return faultOf(hit, endpoint);
  }
}

function tooManyArmed(): Problem {
  const detail = `There are ${mostArmed} armed faults, which is the most. DELETE /sandbox/faults disarms all of them.`;
  return new Problem({ status: 429, detail, allowed: { faults: String(mostArmed) } });
}

function faultOf({ code }: ArmedFault, endpoint: Struck): Fault {
  const text = `Provoked by POST /sandbox/faults: the bank would have carried the call out. docs/errors.md tells of ${code}.`;
  const place = placeOf(code, endpoint);
  return place === null ? { code, text } : { code, text, place };
}

/** Some codes have another HTTP status for each place (interface: Errors): the one where this call could be at fault. */
function placeOf(code: FaultCode, { method, names, products }: Struck): FaultPlace | null {
  if (code === 'SERVICE_INVALID') return method === 'GET' || method === 'DELETE' ? 'method' : 'payload';
  return names ?? (products === undefined ? null : 'payload');
}

/** Whole segments from the beginning; `*` stands for any one. */
function matches({ method, path }: FaultOrder, asked: string, target: string): boolean {
  if (method !== null && method !== asked) return false;
  const segments = segmentsOf(target);
  return (
    path === null ||
    segmentsOf(path).every((wanted, index) => (wanted === '*' ? index in segments : wanted === segments[index]))
  );
}

/** Without query, in one spelling: `/v1` for both bases of the interface, escapes resolved, no slash at the end. */
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
