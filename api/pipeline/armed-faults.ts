import type { Fault, FaultCode, FaultPlace } from '../../engine/values/fault.ts';
import { Problem } from './problem.ts';
import { withoutTrailing } from '../../engine/values/text.ts';
import type { Endpoint } from './endpoint.ts';

/** A fault to arm (rules.md E6). Null: any method, any path. */
export interface FaultOrder {
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

/** Limit of armed faults for one bank, whatever their `times`. */
const mostArmed = 100;

/** What of an endpoint decides its faults. */
type Refused = Pick<Endpoint, 'method' | 'names' | 'products'>;

/**
 * Faults that the control plane has armed for one bank, in memory: a restart and a reset disarm them. A call is refused by
 * the oldest fault that matches it.
 */
export class ArmedFaults {
  #armed: readonly ArmedFault[] = [];
  #lastId = 0;

  /** Throws a Problem (429) when the limit is reached. */
  arm(order: FaultOrder): ArmedFault {
    if (this.#armed.length >= mostArmed) throw tooManyArmed();
    const fault = { ...order, id: (this.#lastId += 1), remaining: order.times };
    this.#armed = [...this.#armed, fault];
    return fault;
  }

  list(): readonly ArmedFault[] {
    return this.#armed;
  }

  /** Disarms all faults; returns how many there were. */
  disarm(): number {
    const count = this.#armed.length;
    this.#armed = [];
    return count;
  }

  /** Fault for this call, counted against its `times`; null: none is armed. `target` is the path as received, with its query. */
  match(endpoint: Refused, target: string): Fault | null {
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

function faultOf({ code }: ArmedFault, endpoint: Refused): Fault {
  const text = `Provoked by POST /sandbox/faults: the bank would have carried the call out. docs/errors.md tells of ${code}.`;
  const place = placeOf(code, endpoint);
  return place === null ? { code, text } : { code, text, place };
}

/** The place where this call could have the fault: it decides the HTTP status of some codes (interface: Errors). */
function placeOf(code: FaultCode, { method, names, products }: Refused): FaultPlace | null {
  if (code === 'SERVICE_INVALID') return method === 'GET' || method === 'DELETE' ? 'method' : 'payload';
  return names ?? (products === undefined ? null : 'payload');
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
