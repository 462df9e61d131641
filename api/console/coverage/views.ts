import { type areas, behaviourKinds } from '../../coverage/coverage-answer.ts';
import { disclaimer, type ReportedBehaviour, summaryOf } from '../../coverage/report.ts';
import { breakable, html, type Html } from '../../pages/html.ts';
import { consoleAction, view, type ConsoleRoom } from '../page-call.ts';
import { actionForm, allOr, filters } from '../parts/forms.ts';
import { empty, problemBox } from '../parts/blocks.ts';
import { headedTable, table } from '../parts/tables.ts';
import { scenarioLink } from '../parts/links.ts';
import { counted } from '../parts/text.ts';
import { moment } from '../parts/times.ts';

/** Forgets what TPPs have met. */
const forgetCoverage = consoleAction('DELETE /coverage', {
  path: '/coverage/forget',
  done: ({ forgotten }) => `${counted(forgotten, 'met behaviour')} forgotten.`,
});

const coverageView = view('/coverage', ['request', 'payment'], async (call) => {
  const [tpp, wanted, kind] = ['tpp', 'for', 'kind'].map((name) => call.query.get(name));
  const { answer, problem } = await call.attempt('/coverage', { query: { tpp, for: wanted } });
  const nothingMet =
    tpp === undefined
      ? 'Nothing was met yet. A bundle brings none of what was met before it was saved.'
      : 'No TPP of this id has met anything: the requests show the ids of those that called.';
  const behaviours = (answer?.behaviours ?? []).filter((each) => kind === undefined || each.kind === kind);
  const [unmet, met] = [behaviours.filter((each) => !each.met), behaviours.filter((each) => each.met)];
  return {
    title: 'Integration coverage',
    lead: `${summaryOf(behaviours)}. ${disclaimer}`,
    content: html`${problemBox(problem)}
      ${answer?.behaviours.every((each) => !each.met) === true && html`<p class="note">${nothingMet}</p>`}
      ${answer !== null && bars(answer.behaviours)}
      ${filters(
        call,
        [
          { name: 'for', label: 'Clients', options: clients },
          { name: 'kind', label: 'Group', options: allOr(behaviourKinds, (each) => groups[each]) },
        ],
        [{ name: 'tpp', label: 'Id of a TPP' }],
      )}
      <h2>Not met</h2>
      ${
        unmet.length === 0
          ? answer !== null &&
            empty('Everything here was met.', { href: call.to('/scenarios'), text: 'Show the scenarios' })
          : table('Each with the scenario that shows it', unmet, [
              ['Behaviour', ({ name }) => breakable(name), 'text'],
              ['Kind', (each) => each.kind],
              // The last word of `sandbank play NAME`.
              ['Scenario', ({ how }) => scenarioLink(call, how.split(' ').at(-1) ?? '')],
            ])
      }
      ${headedTable('Met', 'Since the process started, or since coverage was forgotten', met, [
        ['Behaviour', ({ name }) => breakable(name), 'text'],
        ['Kind', (each) => each.kind],
        ['Times', ({ count }) => count, 'figures'],
        ['First', ({ first }) => first !== null && moment(call, first)],
      ])}
      ${met.length > 0 && actionForm(call, forgetCoverage, { button: 'Forget all', tone: 'bad' })}`,
  };
});

/** What a client does, in words. */
const clients: Readonly<Record<'' | (typeof areas)[number], string>> = {
  '': 'All clients',
  pisp: 'A client that pays',
  aisp: 'A client that reads accounts',
};

/** The heading of each kind of behaviour. */
const groups = {
  operation: 'Operations',
  product: 'Products',
  status: 'Statuses',
  code: 'Codes',
  situation: 'Situations',
  habit: 'Habits of banks',
} as const satisfies Readonly<Record<ReportedBehaviour['kind'], string>>;

/** How much of each group was met: a bar, and the same as text beside it. */
function bars(behaviours: readonly ReportedBehaviour[]): Html {
  return html`<dl class="bars">
    ${behaviourKinds.map((kind) => {
      const own = behaviours.filter((each) => each.kind === kind);
      const met = own.filter((each) => each.met).length;
      return html`<div>
        <dt>${groups[kind]}</dt>
        <dd>
          <meter min="0" max="${own.length}" value="${met}" aria-hidden="true"></meter> ${met} of ${own.length} met
        </dd>
      </div>`;
    })}
  </dl>`;
}

export const coverageRoom: ConsoleRoom = { views: [coverageView], actions: [forgetCoverage] };
