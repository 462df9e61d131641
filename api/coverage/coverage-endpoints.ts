import { choice, optional, text } from '../bodies/schema.ts';
import { controlEndpoint } from '../control/control-endpoint.ts';
import { refusedAt } from '../pipeline/problem.ts';
import { wordIn } from '../control/read-query.ts';
import { areas, coverageAnswer, coverageForgotten, type reportedBehaviour } from './coverage-answer.ts';
import type { Coverage, MetBehaviour } from './coverage.ts';
import { scenarioMeeting } from '../catalogue/catalogue.ts';
import type { AnswerValue } from '../bodies/written.ts';

/** `/sandbox/coverage`: which behaviours of the bank its TPPs have met. */
export function coverageEndpoints(coverage: Coverage) {
  return [
    controlEndpoint('GET /coverage', {
      summary: 'Tell which behaviours of the bank TPPs have met',
      answer: coverageAnswer,
      query: {
        tpp: optional(text('the id of a TPP; left out: all together', 'PSDNO-FSA-987654321')),
        for: optional(choice('those of a client that pays, or of one that reads accounts', areas)),
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
    }),
    controlEndpoint('DELETE /coverage', {
      summary: 'Forget what TPPs have met',
      answer: coverageForgotten,
      handle: async () => ({ forgotten: await coverage.clear() }),
    }),
  ] as const;
}

/** A behaviour, for the control plane. */
export function coverageJson({ name, kind, first, count }: MetBehaviour): AnswerValue<typeof reportedBehaviour> {
  const how = `sandbank play ${scenarioMeeting(name)?.name ?? ''}`.trimEnd();
  return { name, kind, met: count > 0, first, count, how };
}
