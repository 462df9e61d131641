import type { Static } from '../../bodies/schema.ts';
import { behaviourKinds } from '../../coverage/behaviours.ts';
import { areas, coverageAnswer } from '../../coverage/coverage-endpoints.ts';
import { disclaimer, summaryOf } from '../../coverage/report.ts';
import { html, type Html } from '../../pages/html.ts';
import type { ConsoleView, Linking } from '../console-view.ts';
import { actionForm, filterForm } from '../parts/forms.ts';
import { empty, table } from '../parts/lists.ts';
import { problemBox } from '../parts/problem.ts';
import { instant, scenarioLink } from '../parts/text.ts';
import { forgetCoverage } from './actions.ts';

type Behaviour = Static<typeof coverageAnswer>['behaviours'][number];

const path = '/coverage';

const coverageView: ConsoleView = {
  path,
  nav: 'Coverage',
  live: ['request', 'payment', 'run'],
  show: async (call) => {
    const { answer, problem } = await call.attempt('/coverage', coverageAnswer, {
      query: { tpp: call.query.get('tpp'), for: call.query.get('for') },
    });
    const kind = call.query.get('kind');
    const nothingMet = call.query.has('tpp')
      ? 'No TPP of this id has met anything: the requests show the ids of those that called.'
      : 'Nothing was met yet. A bundle brings none of what was met before it was saved.';
    const behaviours = (answer?.behaviours ?? []).filter((each) => kind === undefined || each.kind === kind);
    const unmet = behaviours.filter(({ met }) => !met);
    const met = behaviours.filter((each) => each.met);
    return {
      title: 'Integration coverage',
      content: html`${problem !== null && problemBox(problem)}
        <p class="lead">${summaryOf(behaviours)}. ${disclaimer}</p>
        ${answer?.behaviours.every(({ met }) => !met) === true && html`<p class="note">${nothingMet}</p>`}
        ${filterForm(call, path, [
          { name: 'tpp', label: 'Id of a TPP' },
          {
            name: 'for',
            label: 'For a client that',
            options: [
              ['', 'does both'],
              ...areas.map((area) => [area, area === 'pisp' ? 'pays' : 'reads accounts'] as const),
            ],
          },
          {
            name: 'kind',
            label: 'Kind',
            options: [['', 'any'], ...behaviourKinds.map((each) => [each, each] as const)],
          },
        ])}
        <h2>Not met</h2>
        ${
          unmet.length === 0
            ? empty(answer === null ? 'Nothing was read.' : 'Everything here was met.')
            : table({
                caption: 'Each with the scenario that shows it',
                columns: ['Behaviour', 'Kind', 'Scenario'],
                rows: unmet.map((each) => [each.name, each.kind, scenarioOf(call, each)]),
              })
        }
        ${
          met.length > 0 &&
          html`<h2>Met</h2>
            ${table({
              caption: 'Since the process began, or since it was forgotten',
              columns: ['Behaviour', 'Kind', { head: 'Times', isNumber: true }, 'First'],
              rows: met.map((each) => [each.name, each.kind, each.count, each.first !== null && instant(each.first)]),
            })}
            ${actionForm(call, forgetCoverage, { button: 'Forget all', tone: 'bad' })}`
        }`,
    };
  },
};

/** The link to the scenario of `sandbank play NAME`. */
function scenarioOf(call: Linking, { how }: Behaviour): Html {
  return scenarioLink(call, how.split(' ').at(-1) ?? '');
}

export const coverageViews = [coverageView];
