import { catalogue, catalogueByTopic } from '../../catalogue/catalogue.ts';
import { filled, placesIn, onlyMembers, shortJson } from '../../catalogue/step-values.ts';
import type { PlayedStep } from '../../catalogue/play-scenario.ts';
import type { Scenario, Step } from '../../catalogue/scenario.ts';
import { clip } from '../../../engine/values/text.ts';
import { html, type Html } from '../../pages/html.ts';
import { found, foundIn } from '../../pipeline/problem.ts';
import { ownAction, view, type ConsoleRoom, type PageCall } from '../page-call.ts';
import { pathTo } from '../../openapi/calls.ts';
import { actionForm, hiddenFields } from '../parts/forms.ts';
import { code, facts, nothing } from '../parts/blocks.ts';
import { headedTable, table } from '../parts/tables.ts';
import { scenarioLink } from '../parts/links.ts';
import { makesNoBanks, counted, tag } from '../parts/text.ts';
import { instantText } from '../../pages/format.ts';
import type { Play } from './plays.ts';

/** Characters of an answer that a page shows. */
const maxAnswerChars = 4_000;

const playPath = '/scenarios/plays/:playId';

/** Plays a scenario in a new bank, and shows the bank. */
const playScenario = ownAction('/scenarios/:name/play', 'play :name --keep', async (call, fields) => {
  const scenario = scenarioIn(call);
  const plays = found(call.plays, `${makesNoBanks(call)} A scenario needs one.`, 409);
  const play = await plays.start(scenario, fields.get('pace') === 'slow' ? plays.slowPause : 0);
  return {
    text: `The bank ${play.bank} was made for it.`,
    to: pathTo(playPath, { params: { playId: play.id } }),
  };
});

/** The scenario that the path of a request names. Throws a Problem when there is none. */
function scenarioIn({ params }: PageCall): Scenario {
  return foundIn(catalogue(), ({ name }) => name === params['name'], 'There is no such scenario in the catalogue.');
}

const listView = view('/scenarios', [], (call) => {
  const plays = call.plays?.list() ?? [];
  const toPlay = ({ id }: Play): string => call.to(playPath, { params: { playId: id } });
  const watchForm = ({ name }: Scenario): Html =>
    actionForm(call, playScenario, { button: 'Play', params: { name } }, hiddenFields({ pace: 'slow' }));
  return {
    title: 'Scenarios',
    lead: html`Each scenario is a story of calls to a bank, with each answer and its reason. It plays in a bank of its
    own. ${call.plays === null && makesNoBanks(call)}`,
    content: html`${headedTable('Played', 'The latest; the banks of the last 20 stay', plays, [
      ['What happens', (play) => html`<a href="${toPlay(play)}">${play.scenario.title}</a>`, 'text'],
      ['Bank', (play) => bankLink(call, play)],
      ['Steps', ({ steps, scenario }) => `${steps.length} of ${scenario.steps.length}`],
      ['Result', stateOf],
    ])}
    ${catalogueByTopic().map(
      ([topic, some]) =>
        html`<h2>${topic}</h2>
          ${table(counted(some.length, 'scenario'), some, [
            ['What happens', ({ name, title }) => scenarioLink(call, name, title), 'text'],
            ['Name', ({ name }) => name],
            ['Steps', ({ steps }) => steps.length, 'figures'],
            ...(call.plays === null ? [] : [['Watch', watchForm] as const]),
          ])}`,
    )}`,
  };
});

const paces = { slow: 'a step a second, to watch', fast: 'all at once' };

const oneView = view('/scenarios/:name', [], (call) => {
  const scenario = scenarioIn(call);
  const { name, title, about, source, bank, steps, ends } = scenario;
  return {
    title,
    lead: about,
    content: html`${
        call.plays === null
          ? nothing(html`${makesNoBanks(call)} <code>npx --no sandbank play ${name}</code> plays it in a server.`)
          : actionForm(call, playScenario, { button: 'Play it', tone: 'main' }, [
              { name: 'pace', label: 'Pace', value: 'slow', options: paces },
            ])
      }
      ${facts({
        'Its clock starts at': instantText(bank.now),
        Profile: bank.profile !== undefined && bank.profile,
        Quirks: (bank.quirks ?? []).length > 0 && (bank.quirks ?? []).join(', '),
      })}
      ${source !== undefined && html`<p class="soft">Its dates come from: ${sourceText(source)}</p>`}
      <ol class="steps">
        ${steps.map((step) => storyStep(call, step))}
      </ol>
      <p>${ends}</p>`,
  };
});

const playView = view(playPath, [], (call) => {
  const play = found(
    call.plays?.find(call.params['playId'] ?? ''),
    'This is not among the last 20 that were played since the server started.',
  );
  const { scenario, steps, kept, state, failure } = play;
  return {
    title: scenario.title,
    goesOn: state === 'under way',
    lead: scenario.about,
    content: html`${facts({
        Played: stateOf(play),
        Steps: `${steps.length} of ${scenario.steps.length}`,
        Bank: bankLink(call, play),
        Scenario: scenarioLink(call, scenario.name),
      })}
      <ol class="steps">
        ${steps.map((step) => playedStep(call, step, kept))}
      </ol>
      ${
        failure !== null &&
        html`<div class="problem" role="alert">
          <p>An answer was not the expected one.</p>
          ${code(failure, 'What was not expected')}
        </div>`
      }
      ${state === 'done' && html`<p><strong>${filled(scenario.ends, kept)}</strong></p>`}
      ${state === 'under way' && html`<p><a href="${call.to(call.here)}">The next step is on its way: show it</a></p>`}`,
  };
});

function storyStep(call: PageCall, { says, method, path, body, expect, why, rule }: Step): Html {
  const members = Object.entries(expect.members ?? {}).map(([at, value]) => `${at}: ${shortJson(value)}`);
  return html`<li>
    <h2>${says}</h2>
    ${code([`${method} ${path}`, ...(body === undefined ? [] : [shortJson(body)])].join('\n'), 'Request')}
    <p>Answers <strong>${expect.status}</strong>${members.length > 0 && `, with ${members.join('; ')}`}</p>
    ${reasons(call, why, rule)}
  </li>`;
}

/** Why the bank answers so, and the rule. */
function reasons(call: PageCall, why = '', rule?: string): Html {
  const link =
    rule !== undefined && html`Rule <a href="${call.out(`docs/spec/rules/${rule.toLowerCase()}`)}">${rule}</a>`;
  return html`<p class="soft">${why} ${link}</p>`;
}

function playedStep(call: PageCall, played: PlayedStep, kept: ReadonlyMap<string, string>): Html {
  const { step, request, status, answer } = played;
  const shown = step.shows === undefined ? answer : onlyMembers(answer, step.shows);
  const { method, url, body } = request;
  const asked = [
    `${method} ${url.pathname}${url.search}`,
    ...(body.length === 0 ? [] : [shortJson(JSON.parse(body.toString('utf8')))]),
  ];
  const text = [String(status), shown === '' ? '' : clip(shortJson(shown), maxAnswerChars)].join(' ').trimEnd();
  // A value that a step keeps is known after the step.
  const why = placesIn(step.why ?? '').every((name) => kept.has(name)) ? filled(step.why ?? '', kept) : '';
  return html`<li>
    <h2>${step.says}</h2>
    ${code(asked.join('\n'), 'Request')} ${code(text, 'Answer')} ${reasons(call, why, step.rule)}
  </li>`;
}

const states = {
  'under way': tag('goes', 'under way'),
  done: tag('good', 'as expected'),
  failed: tag('bad', 'not as expected'),
};

function stateOf({ state }: Play): Html {
  return states[state];
}

function bankLink(call: PageCall, { bank }: Play): Html {
  return html`<a href="${call.toBank(bank)}">${bank}</a>`;
}

function sourceText(source: string): Html | string {
  return /^https:\/\//.test(source) ? html`<a href="${source}">${source}</a>` : source;
}

export const scenarioRoom: ConsoleRoom = { views: [listView, oneView, playView], actions: [playScenario] };
