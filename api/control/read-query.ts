import { clip, quote } from '../../engine/values/text.ts';
import { queryIn } from '../pipeline/query-reader.ts';
import { Problem } from '../pipeline/problem.ts';

/** Reads the query of a request target. Problem 400 for an unknown or repeated parameter. */
export function readQuery(target: string, allowed: readonly string[]): ReadonlyMap<string, string> {
  const query = new Map<string, string>();
  for (const [name, value] of queryIn(target)) {
    if (!allowed.includes(name)) {
      throw new Problem({ status: 400, detail: `There is no query parameter ${quote(name)} here.`, allowed });
    }
    if (query.has(name))
      throw new Problem({ status: 400, detail: `The query parameter ${clip(name)} is there twice.` });
    query.set(name, value);
  }
  return query;
}
