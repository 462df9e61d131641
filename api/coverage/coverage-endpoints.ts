import * as Type from 'typebox';
import { choice, closed } from '../bodies/schema.ts';
import { answeredInstant, count, orNull, text } from '../control/answers.ts';
import type { ControlEndpoint } from '../control/control-endpoint.ts';
import { wordIn } from '../control/read-query.ts';
import { refusedAt } from '../pipeline/problem.ts';
import { behaviourKinds } from './behaviours.ts';
import { coverageJson } from './coverage-json.ts';
import type { Coverage } from './coverage.ts';

const path = '/coverage';
export const areas = ['pisp', 'aisp'] as const;

const aBehaviour = closed(
  {
    name: text('its name, of which there is one', 'fifth attempt'),
    kind: choice('what it is', behaviourKinds),
    met: Type.Boolean({ description: 'whether a TPP has met it' }),
    first: orNull(answeredInstant('when it was met first'), 'null: it was not met, or the ledger could not be read'),
    count: count('how many times'),
    how: text('the scenario that shows it, as a command', 'sandbank play five-attempts'),
  },
  {
    title: 'Behaviour',
    description: 'Something that the bank does, and whether TPPs have met it.',
    examples: [{ kind: 'situation', count: 1 }],
  },
);

export const coverageAnswer = closed({
  behaviours: Type.Array(aBehaviour, { description: 'every behaviour of the bank' }),
});

export const coverageForgotten = closed({ forgotten: count('how many behaviours had been met') });

/** `/sandbox/coverage`: which behaviours of the bank its TPPs have met. */
export function coverageEndpoints(coverage: Coverage): readonly ControlEndpoint[] {
  return [
    {
      method: 'GET',
      path,
      summary: 'Tell which behaviours of the bank TPPs have met',
      answer: coverageAnswer,
      query: {
        tpp: Type.Optional(text('the id of a TPP; left out: all together', 'PSDNO-FSA-987654321')),
        for: Type.Optional(choice('those of a client that pays, or of one that reads accounts', areas)),
      },
      handle: async ({ query }) => {
        const tpp = query.get('tpp');
        if (tpp === '')
          throw refusedAt('tpp', 'tpp is empty: expected the id of a TPP, as GET /sandbox/requests has it.');
        const area = wordIn(query, 'for', areas);
        const all = await coverage.report(tpp);
        const wanted = all.filter((each) => area === undefined || each.area === null || each.area === area);
        return { behaviours: wanted.map(coverageJson) };
      },
    },
    {
      method: 'DELETE',
      path,
      summary: 'Forget what TPPs have met',
      answer: coverageForgotten,
      handle: async () => ({ forgotten: await coverage.clear() }),
    },
  ];
}
