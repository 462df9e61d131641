import type { ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { Listener } from '../../engine/bank/outlet.ts';
import { clearTimeout, setTimeout } from '../../engine/time/clock.ts';
import { type Instant, parseInstant } from '../../engine/values/instant.ts';
import type { FaultEffect } from './fault-effect.ts';
import { Problem } from './problem.ts';
import { unescaped, withoutTrailing } from '../../engine/values/text.ts';
import type { Endpoint } from './endpoint.ts';

/** Shared by all banks, to save memory. */
const kinds = new Set(['reset'] as const);

/** A fault to arm (rules.md E6, E6c). Null stands for any method or path. */
export interface FaultOrder extends FaultEffect {
  readonly method: Endpoint['method'] | null;
  readonly path: string | null;
  /** Number of calls to strike. */
  readonly times: number;
}

export interface ArmedFault extends FaultOrder {
  readonly id: number;
  /** Number of calls still to strike; never 0. */
  readonly remaining: number;
}

/** A call that is to wait. */
interface WaitingCall {
  /** Its response, if nothing is left to do but to answer. */
  readonly response: ServerResponse | null;
  readonly resets?: number | undefined;
}

/** Maximum number of armed faults of one bank, whatever their `times`. */
export const maxArmed = 100;

/** Maximum number of calls of one bank that wait at a time. */
export const maxWaiting = 100;

/**
 * Faults that the control plane has armed for one bank. A reset and an initialize disarm them; so does a restart,
 * unless the bank is kept in a file. A call is struck by the oldest fault that matches it. Calls that wait for the
 * delay of a fault are kept here, so that they end with the faults.
 */
export class ArmedFaults {
  readonly #stopping: AbortSignal;
  readonly #keep: (armed: readonly ArmedFault[]) => void;
  #armed: readonly ArmedFault[] = [];
  #lastId = 0;
  /** Ends the wait of each call that waits. */
  readonly #waiting = new Set<(goesOn: boolean) => void>();
  /** How many promises of {@link breakOffUntil} are open. */
  #endings = 0;
  #resets = 0;

  /**
   * `stopping` ends all waits: no timer keeps a stopping server up. `keep` is called with the armed faults whenever
   * they change, for a bank that has them after a restart too; if it throws, they stay as they were.
   */
  constructor(stopping: AbortSignal, keep: (armed: readonly ArmedFault[]) => void = () => undefined) {
    this.#stopping = stopping;
    this.#keep = keep;
  }

  /** Throws a Problem (429) when the limit is reached. */
  arm(order: FaultOrder): ArmedFault {
    if (this.#armed.length >= maxArmed) throw tooManyArmed();
    const fault = { ...order, id: (this.#lastId += 1), remaining: order.times };
    this.#change([...this.#armed, fault]);
    return fault;
  }

  #change(armed: readonly ArmedFault[]): void {
    this.#keep(armed);
    this.#armed = armed;
  }

  list(): readonly ArmedFault[] {
    return this.#armed;
  }

  /** Disarms this one, if it is still armed. */
  drop(id: number): void {
    if (this.#armed.some((fault) => fault.id === id)) this.#change(this.#armed.filter((fault) => fault.id !== id));
  }

  /** Takes over the faults that were armed in another process. */
  takeOver(faults: readonly ArmedFault[]): void {
    this.#armed = faults;
    this.#lastId = Math.max(0, ...faults.map(({ id }) => id));
  }

  /** Disarms all faults; returns how many there were. Calls that wait go on at once. */
  disarm(): number {
    const count = this.#armed.length;
    if (count > 0) this.#change([]);
    for (const end of this.#waiting) end(true);
    return count;
  }

  /** Breaks off the calls that wait and disarms all faults, for a bank that was reset or closed. */
  end(): void {
    this.#resets += 1;
    this.#breakOff();
    this.disarm();
  }

  /** Until this settles, no call waits: their connections close, and those before their commit are not carried out. */
  breakOffUntil(settled: Promise<unknown>): void {
    const over = (): unknown => (this.#endings -= 1);
    this.#endings += 1;
    this.#breakOff();
    settled.then(over, over);
  }

  #breakOff(): void {
    for (const end of this.#waiting) end(false);
  }

  /** Whether no further call may wait. */
  get isFull(): boolean {
    return this.#waiting.size >= maxWaiting;
  }

  /** How often the bank was reset or closed. */
  get resets(): number {
    return this.#resets;
  }

  /**
   * Waits this many ms. It is false if the call must not go on, because the bank was reset or closed (if the call is
   * not carried out yet: since it counted so many `resets`), the server stops, or the client of `response` is gone.
   */
  wait(ms: number, { response, resets = this.#resets }: WaitingCall): Promise<boolean> {
    const isBrokenOff = this.#stopping.aborted || this.#endings > 0 || resets < this.#resets;
    if (isBrokenOff || response?.destroyed === true) return Promise.resolve(false);
    return new Promise((resolve) => {
      const end = (goesOn: boolean): void => {
        clearTimeout(timer);
        this.#waiting.delete(end);
        this.#stopping.removeEventListener('abort', breakOff);
        response?.off('close', breakOff);
        resolve(goesOn);
      };
      const breakOff = (): void => end(false);
      const timer = setTimeout(end, ms, true);
      this.#waiting.add(end);
      this.#stopping.addEventListener('abort', breakOff);
      response?.once('close', breakOff);
    });
  }

  /**
   * The fault that would strike this call, or undefined if there is none. `target` is the path as received, with its
   * query. Only an answer that the bank signs has a signature to spoil.
   */
  match(method: Endpoint['method'], target: string, isSigned: boolean): ArmedFault | undefined {
    return this.#armed.find(
      (fault) =>
        fault.until === undefined && (isSigned || fault.badSignature === undefined) && matches(fault, method, target),
    );
  }

  /** Whether a fault with a window is armed. */
  get hasWindow(): boolean {
    return this.#armed.some((fault) => fault.until !== undefined);
  }

  /**
   * The status with which a gateway answers every call at this bank time, by the window of an armed fault (rules.md
   * E6f), or null.
   */
  closedAt(now: Instant): 429 | 503 | null {
    const isOpen = ({ from = '', until }: ArmedFault): boolean =>
      until !== undefined && now >= (parseInstant(from) ?? now);
    const open = this.#armed.find((fault) => isOpen(fault) && !isOver(fault, now));
    return open?.status ?? null;
  }

  /** Disarms the windows that are over at this bank time. */
  dropOver(now: Instant): void {
    const left = this.#armed.filter((fault) => !isOver(fault, now));
    if (left.length < this.#armed.length) this.#change(left);
  }

  /** The same fault; counts the call against its `times`. */
  take(method: Endpoint['method'], target: string, isSigned: boolean): ArmedFault | undefined {
    const hit = this.match(method, target, isSigned);
    this.#count(hit);
    return hit;
  }

  /** Counts a strike against the `times` of a fault. */
  #count(hit: ArmedFault | undefined): void {
    if (hit === undefined) return;
    this.#change(
      this.#armed.flatMap((fault) => {
        if (fault.id !== hit.id) return fault;
        return fault.remaining > 1 ? { ...fault, remaining: fault.remaining - 1 } : [];
      }),
    );
  }
}

/** Whether the window of a fault is over at this bank time. */
export function isOver({ until }: FaultEffect, now: Instant): boolean {
  return until !== undefined && now >= (parseInstant(until) ?? now);
}

/** Calls `work` whenever the bank is reset or initialized (rules.md D7, J1). */
export function atReset(work: () => void, log: Pick<Logger, 'error'>): Listener {
  return {
    kinds,
    hear: (event) => {
      if (event.kind === 'reset' && (event.cause === 'reset' || event.cause === 'initialized')) work();
    },
    failed: (error) => log.error({ err: error }, 'faults and journal did not follow a reset'),
  };
}

function tooManyArmed(): Problem {
  const detail = `There are ${maxArmed} armed faults, which is the most. DELETE /sandbox/faults disarms all of them.`;
  return new Problem({ status: 429, detail, allowed: { faults: String(maxArmed) } });
}

function matches({ method, path }: FaultOrder, asked: string, target: string): boolean {
  return (method === null || method === asked) && (path === null || isBelow(path, target));
}

/**
 * Compares a path with a target in whole segments from the beginning; `*` matches any one segment. Where the target
 * has `open`, any one may be, but no name in braces.
 */
export function isBelow(path: string, target: string, open?: '*'): boolean {
  const segments = segmentsOf(target);
  return segmentsOf(path).every((wanted, index) => {
    const segment = segments[index];
    if (segment === undefined) return false;
    return wanted === '*' || wanted === segment || (segment === open && !wanted.startsWith('{'));
  });
}

/** Segments without the query: `/v1` for both bases of the interface, escapes decoded, no slash at the end. */
function segmentsOf(target: string): string[] {
  const path = target.replace(/\?.*/s, '').replace(/^\/api-sandbox(?=\/)/, '');
  return withoutTrailing(path, '/').split('/').map(unescaped);
}
