import { catalogue } from '../../catalogue/catalogue.ts';
import type { Scenario } from '../../catalogue/scenario.ts';
import { Problem } from '../../pipeline/problem.ts';
import type { ViewCall } from '../console-view.ts';

/** The scenario that the path of a request names. Throws a Problem when there is none. */
export function scenarioIn({ params }: ViewCall): Scenario {
  const found = catalogue().find(({ name }) => name === params['name']);
  if (found !== undefined) return found;
  throw new Problem({ status: 404, detail: 'There is no such scenario in the catalogue.' });
}
