import type { AnswerTo } from '../../openapi/calls.ts';
import { html, type Html, type HtmlValue } from '../../pages/html.ts';
import type { ConsoleView, PageCall } from '../page-call.ts';
import { facts, listed, pagedTable, table } from '../parts/lists.ts';
import { foreign, tag } from '../parts/text.ts';

type Profile = AnswerTo<'GET /profile'>;
type Quirk = AnswerTo<'GET /info'>['quirks'][number];

/** The bank of the platform that this one acts as, with its facts, and all quirks (rules.md Q1, Q8). */
const quirksView: ConsoleView = {
  path: '/quirks',
  nav: 'Quirks',
  live: ['reset'],
  show: async (call) => {
    const profile = await call.ask('/profile');
    const { quirks } = await call.ask('/info');
    const onFirst = quirks.toSorted((one, other) => Number(other.on) - Number(one.on));
    return {
      title: 'Quirks',
      content: html`<p class="lead">
          Behaviours with a switch. By default the bank does what the interface document says.
        </p>
        ${profile.id !== null && aboutProfile(call, profile)}
        <h2>All quirks</h2>
        ${table('Quirks, those that are on first', onFirst, [
          ['Quirk', ({ name }) => name],
          ['State', stateOf],
          ['Effect', ({ effect }) => effect, 'full'],
          ['Value', ({ form, bounds }) => form !== null && valueText(form, bounds), 'full'],
          ['Seen at', ({ banks }) => listed(banks), 'full'],
          ['Register', ({ register }) => register.join(', '), 'figures'],
        ])}`,
    };
  },
};

function stateOf({ on, value }: Quirk): HtmlValue {
  return on ? html`${tag('good', 'on')} ${value}` : 'off';
}

function valueText(form: string, bounds: string | null): string {
  const spaced = form.replaceAll(/[|/]/g, ' $& ');
  return bounds === null ? spaced : `${spaced}; ${bounds}`;
}

function aboutProfile(call: PageCall, { id, name, group, unknown, facts: known }: Profile): Html {
  const appliedFirst = known.toSorted((one, other) => Number(other.applied) - Number(one.applied));
  return html`<h2>${foreign(name)}</h2>
    ${facts({
      Profile: foreign(id ?? ''),
      Group: foreign(group ?? ''),
      'Not known': html`<ul>
        ${unknown.map((what) => html`<li>${foreign(what)}</li>`)}
      </ul>`,
    })}
    ${pagedTable(call, 'What is known, applied facts first', appliedFirst, [
      ['Fact', ({ key }) => foreign(key)],
      ['Value', ({ value }) => foreign(JSON.stringify(value).replaceAll(',', ', ')), 'full'],
      ['State', ({ applied, quality }) => (quality === 'assumed' ? tag('warns', 'assumed') : applied && 'applied')],
      ['Source', ({ source }) => (source === null ? 'nobody has published it' : foreign(source)), 'full'],
      ['Date', ({ sourceDate, seen }) => sourceDate ?? (seen !== null && `seen ${seen}`)],
      ['Quality', ({ quality }) => quality],
    ])}`;
}

export const quirkViews = [quirksView];
