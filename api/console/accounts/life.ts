import type { AnswerTo } from '../../openapi/calls.ts';
import { dateText, numberText } from '../../pages/format.ts';
import { html, type Html } from '../../pages/html.ts';
import { personaNames } from '../../start/fixtures.ts';
import { consoleAction, type PageCall } from '../page-call.ts';
import { actionForm, hiddenFields, optionsOf } from '../parts/forms.ts';
import { foreign, inWords } from '../parts/text.ts';
import { day } from '../parts/times.ts';

const path = '/accounts/:number/life';

/** Starts a life on an account, with a past. */
export const startLife = consoleAction('POST /life', {
  path,
  done: ({ account, persona, from }) =>
    `${numberText(account)} lives as ${persona}, since ${dateText(from)}. Move the clock to go on.`,
});

/** Ends the life of an account. */
export const endLife = consoleAction('DELETE /life/:number', {
  path: `${path}/end`,
  done: ({ removed }) => `The life of ${numberText(removed)} has ended.`,
});

type Lived = AnswerTo<'GET /life'>['lives'][number];

/** Shows the life of an account, with a button that ends it. Without a life it offers the personas. */
export function lifeOf(call: PageCall, number: string, lived: Lived | undefined): Html {
  return html`<section class="card" id="life">
    <h2>Life</h2>
    ${lived === undefined ? choices(call, number) : liveNow(call, number, lived)}
  </section>`;
}

function liveNow(call: PageCall, number: string, { persona, seed, from, role }: Lived): Html {
  return html`<p>
      Lives as ${foreign(persona)}${role !== null && ` (${role})`}, with the seed ${foreign(seed)}: the past begins on
      ${day(call, from)}.
    </p>
    ${actionForm(call, endLife, { button: 'End the life', tone: 'bad', params: { number } })}`;
}

function choices(call: PageCall, number: string): Html {
  return html`<p>Salary, rent and purchases happen by themselves, a year back and as the clock moves.</p>
    ${actionForm(call, startLife, { button: 'Begin', tone: 'main', params: { number } }, [
      ...hiddenFields({ account: number }),
      { name: 'persona', label: 'Who lives here', options: optionsOf(personaNames(), inWords) },
      { name: 'months', label: 'Months of past', type: 'number', value: '12', required: true },
    ])}`;
}
