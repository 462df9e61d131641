import { areas, behaviourKinds, coverageAnswer, coverageForgotten } from '../../coverage/coverage-answer.ts';
import { disclaimer, summaryOf } from '../../coverage/report.ts';
import { html } from '../../pages/html.ts';
import { consoleAction, type ConsoleView } from '../console-view.ts';
import { actionForm, anyOf, filterForm } from '../parts/forms.ts';
import { empty, problemBox, table } from '../parts/lists.ts';
import { counted, instant, scenarioLink } from '../parts/text.ts';

/** Forgets what TPPs have met. */
export const forgetCoverage = consoleAction('DELETE /coverage/forget', coverageForgotten, {
  call: '/coverage',
  done: ({ forgotten }) => `${counted(forgotten, 'met behaviour')} forgotten.`,
});

export const coverageView: ConsoleView = {
  path: '/coverage',
  nav: 'Coverage',
  live: ['request', 'payment', 'run'],
  show: async (call) => {
    const [tpp, wanted, kind] = ['tpp', 'for', 'kind'].map((name) => call.query.get(name));
    const { answer, problem } = await call.attempt('/coverage', coverageAnswer, { query: { tpp, for: wanted } });
    const nothingMet =
      tpp === undefined
        ? 'Nothing was met yet. A bundle brings none of what was met before it was saved.'
        : 'No TPP of this id has met anything: the requests show the ids of those that called.';
    const behaviours = (answer?.behaviours ?? []).filter((each) => kind === undefined || each.kind === kind);
    const [unmet, met] = [behaviours.filter((each) => !each.met), behaviours.filter((each) => each.met)];
    return {
      title: 'Integration coverage',
      content: html`${problemBox(problem)}
        <p class="lead">${summaryOf(behaviours)}. ${disclaimer}</p>
        ${answer?.behaviours.every((each) => !each.met) === true && html`<p class="note">${nothingMet}</p>`}
        ${filterForm(call, [
          { name: 'tpp', label: 'Id of a TPP' },
          {
            name: 'for',
            label: 'For a client that',
            options: {
              '': 'does both',
              ...Object.fromEntries(areas.map((area) => [area, area === 'pisp' ? 'pays' : 'reads accounts'])),
            },
          },
          { name: 'kind', label: 'Kind', options: anyOf(behaviourKinds) },
        ])}
        <h2>Not met</h2>
        ${
          unmet.length === 0
            ? empty(answer === null ? 'Nothing was read.' : 'Everything here was met.')
            : table('Each with the scenario that shows it', unmet, [
                ['Behaviour', ({ name }) => name],
                ['Kind', (each) => each.kind],
                // The last word of `sandbank play NAME`.
                ['Scenario', ({ how }) => scenarioLink(call, how.split(' ').at(-1) ?? '')],
              ])
        }
        ${
          met.length > 0 &&
          html`<h2>Met</h2>
            ${table('Since the process started, or since coverage was forgotten', met, [
              ['Behaviour', ({ name }) => name],
              ['Kind', (each) => each.kind],
              ['Times', ({ count }) => count, 'figures'],
              ['First', ({ first }) => first !== null && instant(first)],
            ])}
            ${actionForm(call, forgetCoverage, { button: 'Forget all', tone: 'bad' })}`
        }`,
    };
  },
};
