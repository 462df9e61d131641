import type { RequestListener } from 'node:http';
import { setImmediate } from '../../engine/time/clock.ts';

/** Maximum number of requests that one turn of the event loop begins. The loop accepts one connection in each turn. */
const mostInTurn = 20;

type Arrived = Parameters<RequestListener>;

/**
 * Begins requests as they come. If more come in one turn of the event loop than it begins, the rest wait in a line of their bank, and
 * the banks take turns (docs/spec/control-plane.md H Shares).
 */
export function inFairTurns(take: RequestListener): RequestListener {
  /** Those that wait, by the base of their bank; the one whose turn is next first. */
  const lines = new Map<string, Arrived[]>();
  let begun = 0;
  const mayBegin = (): boolean => {
    if (begun === 0) setImmediate(() => (begun = 0));
    begun += 1;
    return begun <= mostInTurn;
  };
  const next = (): void => {
    if (!mayBegin()) {
      setImmediate(next);
      return;
    }
    const [[base, line] = ['', []]] = lines;
    const first = line.shift();
    lines.delete(base);
    if (line.length > 0) lines.set(base, line);
    if (first !== undefined && !first[1].destroyed) take(...first);
  };
  return (request, response) => {
    const [base = ''] = /^\/banks\/[^/?]*/.exec(request.url ?? '') ?? [];
    const line = lines.get(base) ?? [];
    lines.set(base, line);
    line.push([request, response]);
    next();
  };
}
