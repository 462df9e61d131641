import { clip, quote } from '../../engine/values/text.ts';
import { queryIn } from '../pipeline/query-reader.ts';
import { Problem } from '../pipeline/problem.ts';

/** The query of a request target. An unknown parameter, and one that is there twice: a problem with status 400. */
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
