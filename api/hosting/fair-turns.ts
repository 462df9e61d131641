import type { RequestListener } from 'node:http';
import { setImmediate } from '../../engine/time/clock.ts';
import { bankNamed } from './unreadable-request.ts';

/** Maximum number of requests that one turn of the event loop begins. The loop accepts one connection in each turn. */
const maxInTurn = 20;

type Arrived = Parameters<RequestListener>;

/**
 * Begins requests as they come. If more come in one turn of the event loop than it begins, the rest wait in a line of their bank, and
 * the banks take turns (docs/spec/control-plane.md H Shares). Requests for names that `isBank` does not know share one line.
 */
export function inFairTurns(take: RequestListener, isBank: (name: string) => boolean): RequestListener {
  /** Waiting requests by the name of their bank: null is the root, `/` stands for all unknown names. The first line has the next turn. */
  const lines = new Map<string | null, Arrived[]>();
  let begun = 0;
  const mayBegin = (): boolean => {
    if (begun === 0) setImmediate(() => (begun = 0));
    begun += 1;
    return begun <= maxInTurn;
  };
  const next = (): void => {
    if (!mayBegin()) {
      setImmediate(next);
      return;
    }
    const [[key, line] = [null, []]] = lines;
    const first = line.shift();
    lines.delete(key);
    if (line.length > 0) lines.set(key, line);
    if (first !== undefined && !first[1].destroyed) take(...first);
  };
  return (request, response) => {
    const name = bankNamed(request.url ?? '');
    const key = name === null || isBank(name) ? name : '/';
    const line = lines.get(key) ?? [];
    lines.set(key, line);
    line.push([request, response]);
    next();
  };
}
