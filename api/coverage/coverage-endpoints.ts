import * as Type from 'typebox';
import { quote } from '../../engine/values/text.ts';
import { choice, closed } from '../bodies/schema.ts';
import type { ControlEndpoint } from '../control/control-endpoint.ts';
import { Problem } from '../pipeline/problem.ts';
import { behaviourKinds } from './behaviours.ts';
import { coverageJson } from './coverage-json.ts';
import type { Coverage } from './coverage.ts';

const path = '/coverage';
const areas = ['pisp', 'aisp'] as const;

const first = Type.String({
  description: 'bank time of the first time',
  pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}[+-]\\d\\d:\\d\\d$',
  examples: ['2027-03-30T05:30:00.000+02:00'],
});

/** Answer of `GET /sandbox/coverage`. */
const aCoverage = closed(
  {
    behaviours: Type.Array(
      closed({
        name: Type.String({ description: 'unique', examples: ['fifth attempt'] }),
        kind: choice('what it is', behaviourKinds),
        met: Type.Boolean({ description: 'whether a TPP has met it' }),
        first: Type.Union([first, Type.Null()], {
          description: 'null: not met, or met while the ledger could not be read',
        }),
        count: Type.Integer({ description: 'how many times', minimum: 0 }),
        how: Type.String({ description: 'the one line that provokes it' }),
      }),
      { description: 'every behaviour of the bank' },
    ),
  },
  { title: 'Coverage', description: 'What of the bank its TPPs have met. It is no certification.' },
);

/** `/sandbox/coverage`: which behaviours of the bank its TPPs have met. */
export function coverageEndpoints(coverage: Coverage): readonly ControlEndpoint[] {
  return [
    {
      method: 'GET',
      path,
      summary: 'Which behaviours of the bank TPPs have met',
      answer: aCoverage,
      query: ['tpp', 'for'],
      handle: async ({ query }) => {
        const tpp = query.get('tpp');
        if (tpp === '') throw wrong('tpp', 'tpp is empty: expected the id of a TPP, as GET /sandbox/requests has it.');
        const area = query.get('for');
        if (area !== undefined && !areas.some((known) => known === area)) {
          throw wrong('for', `There is no for=${quote(area)}.`, areas);
        }
        const all = await coverage.report(tpp);
        const wanted = all.filter((each) => area === undefined || each.area === null || each.area === area);
        return { behaviours: wanted.map(coverageJson) };
      },
    },
    {
      method: 'DELETE',
      path,
      summary: 'Forget what TPPs have met',
      answer: closed({ forgotten: Type.Integer({ description: 'how many behaviours had been met', minimum: 0 }) }),
      handle: () => Promise.resolve({ forgotten: coverage.clear() }),
    },
  ];
}

function wrong(name: string, detail: string, allowed?: unknown): Problem {
  const errors = [{ path: name, detail }];
  return new Problem({ status: 400, detail, errors, ...(allowed !== undefined && { allowed }) });
}
