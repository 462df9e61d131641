import type { AnswerTo } from '../../openapi/calls.ts';
import { addDays, type LocalDate } from '../../../engine/values/local-date.ts';
import { previewOf } from '../../../engine/life/preview.ts';
import { norwegianCalendar } from '../../../engine/time/norwegian-calendar.ts';
import { defaultSettlementTimes, runSchedule } from '../../../engine/time/rules/settlement-run.ts';
import { dateText, numberText } from '../../pages/format.ts';
import { html, type Html, type HtmlValue } from '../../pages/html.ts';
import { listedPersona, personaNames } from '../../start/fixtures.ts';
import { consoleAction, type PageCall } from '../page-call.ts';
import { actionForm, chips, hiddenFields, optionsOf } from '../parts/forms.ts';
import { table } from '../parts/tables.ts';
import { foreign, inWords, money } from '../parts/text.ts';
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

/** Shows the life of an account, with a button that ends it. Without a life it offers the personas, and previews the chosen one. */
export async function lifeOf(call: PageCall, number: string, lived: Lived | undefined, today: LocalDate) {
  return html`<section class="card" id="life">
    <h2>Life</h2>
    ${lived === undefined ? await choices(call, number, today) : liveNow(call, number, lived)}
  </section>`;
}

function liveNow(call: PageCall, number: string, { persona, seed, from, role }: Lived): Html {
  return html`<p>
      Lives as ${foreign(persona)}${role !== null && ` (${role})`}, with the seed ${foreign(seed)}: the past begins on
      ${day(call, from)}.
    </p>
    ${actionForm(call, endLife, { button: 'End the life', tone: 'bad', params: { number } })}`;
}

async function choices(call: PageCall, number: string, today: LocalDate): Promise<Html> {
  const chosen = personaNames().find((name) => name === call.query.get('persona'));
  return html`<p>
      Salary, rent and purchases happen by themselves, a year back and as the clock moves. Choose who lives here:
    </p>
    ${chips(call, { name: 'persona', label: 'Persona', options: optionsOf(personaNames(), inWords) }, '#life')}
    ${chosen !== undefined && (await choice(call, number, chosen, today))}`;
}

/** Days that a preview looks ahead, and lines that it shows. */
const [previewDays, previewLines] = [31, 10] as const;

async function choice(call: PageCall, number: string, name: string, today: LocalDate): Promise<HtmlValue> {
  const persona = await listedPersona(name);
  const period = { from: today, to: addDays(today, previewDays), seed: 'sandbank' };
  const lines = previewOf(persona, period, runSchedule(defaultSettlementTimes, norwegianCalendar()));
  return html`<p><strong>${persona.description}</strong></p>
    ${actionForm(call, startLife, { button: `Begin as ${inWords(name)}`, tone: 'main', params: { number } }, [
      ...hiddenFields({ account: number, persona: name }),
      { name: 'months', label: 'Months of past', type: 'number', value: '12', required: true },
    ])}
    ${table(`The first of the ${lines.length} bookings of the next month`, lines.slice(0, previewLines), [
      ['Booked', ([date]) => day(call, date)],
      ['Text', ([, , text]) => foreign(text), 'text'],
      ['Amount', ([, amount]) => money({ amount, currency: 'NOK' }), 'figures'],
    ])}`;
}
