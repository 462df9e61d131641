import type { AnswerTo } from '../../openapi/calls.ts';
import { addDays, type LocalDate } from '../../../engine/values/local-date.ts';
import { previewOf } from '../../../engine/life/preview.ts';
import { norwegianCalendar } from '../../../engine/time/norwegian-calendar.ts';
import { defaultSettlementTimes, runSchedule } from '../../../engine/time/rules/settlement-run.ts';
import { html, type Html, type HtmlValue } from '../../pages/html.ts';
import { listedPersona, personaNames } from '../../start/fixtures.ts';
import { consoleAction, type PageCall } from '../page-call.ts';
import { actionForm, chips, hiddenFields, optionsOf } from '../parts/forms.ts';
import { table, firstRows } from '../parts/tables.ts';
import { foreign, inWords, minorOf, money } from '../parts/text.ts';
import { day, dateText } from '../parts/times.ts';
import { type Currency, formattedAmount } from '../../../engine/values/money.ts';
import { formatsIn } from '../../pages/format.ts';

const path = '/accounts/:number/life';

/** Starts a life on an account, with a past. */
export const startLife = consoleAction('POST /life', {
  path,
  done: ({ account, persona, from }) => `${account} lives as ${persona}, since ${from}. Move the clock to go on.`,
});

/** Ends the life of an account. */
export const endLife = consoleAction('DELETE /life/:number', {
  path: `${path}/end`,
  done: ({ removed }) => `The life of ${removed} has ended.`,
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

type Statement = AnswerTo<'GET /accounts/:number'>;
type Truth = AnswerTo<'GET /life/:number/truth'>['truth'];

/** What the truth of a life says about a period; empty: nobody lives on the account. */
export async function truthOfLife(
  call: PageCall,
  number: string,
  period: Readonly<Record<'from' | 'to', string | undefined>>,
): Promise<Truth> {
  const { answer } = await call.attempt('/life/:number/truth', { params: { number }, query: period });
  return answer?.truth ?? [];
}

/** Months and categories that are not folded. */
const [openMonths, openCategories] = [6, 8] as const;

/** Tables of the months and of the categories of a life, with bars. Null for less than two months. */
export function monthsAndCategories({ entries, currency }: Statement, truth: Truth): HtmlValue {
  const amount = (minor: bigint): string => formattedAmount({ minor, currency: currency as Currency }).amount;
  const shown = (minor: bigint): Html => html`<span class="money">${formatsIn('en').number(amount(minor))}</span>`;
  const months = [...Map.groupBy(entries, ({ bookingDate }) => bookingDate.slice(0, 7))].map(([month, booked]) => {
    const amounts = booked.map(({ amount }) => minorOf(amount));
    return {
      month,
      income: sum(amounts.filter((minor) => minor > 0n)),
      spent: -sum(amounts.filter((minor) => minor < 0n)),
      least: booked.map(({ balance }) => minorOf(balance)).reduce((one, other) => (other < one ? other : one)),
    };
  });
  if (months.length < 2) return null;
  const most = Math.max(1, ...months.flatMap(({ income, spent }) => [Number(income), Number(spent)]));
  const categories = [...Map.groupBy(truth, ({ category }) => category ?? 'no life made it')]
    .map(([category, all]) => ({ category, count: all.length, total: sum(all.map(({ amount }) => minorOf(amount))) }))
    .toSorted((one, other) => Math.abs(Number(other.total)) - Math.abs(Number(one.total)));
  const largest = Math.max(1, ...categories.map(({ total }) => Math.abs(Number(total))));
  const ofTruth = `${currency} by category, from the truth of the life`;
  return html`<div class="pair">
    <section>
      <h2>Month by month</h2>
      ${firstRows({ caption: `${currency} by booking date`, rows: months.toReversed(), limit: openMonths }, [
        ['Month', ({ month }) => dateText(`${month}-01`).split(' ').slice(2).join(' ')],
        ['In', ({ income }) => html`${shown(income)}${bar(income, most, 'in')}`],
        ['Out', ({ spent }) => html`${shown(spent)}${bar(spent, most, 'out')}`],
        ['Kept', ({ income, spent }) => shown(income - spent), 'figures'],
        ['Lowest', ({ least }) => shown(least), 'figures'],
      ])}
    </section>
    ${
      categories.length > 0 &&
      html`<section>
        <h2>What it was</h2>
        ${firstRows({ caption: ofTruth, rows: categories, limit: openCategories }, [
          ['Category', ({ category }) => category],
          ['Share', ({ total }) => bar(total, largest, total > 0n ? 'in' : 'out'), 'text'],
          ['Sum', ({ total }) => shown(total), 'figures'],
          ['Times', ({ count }) => count, 'figures'],
        ])}
      </section>`
    }
  </div>`;
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, minor) => total + minor, 0n);
}

/** A bar as long as its share of the longest one. */
function bar(minor: bigint, most: number, tone: 'in' | 'out'): Html {
  return html`<svg class="bar" width="100%" height="6" aria-hidden="true">
    <rect class="${tone}" width="${Math.floor((Math.abs(Number(minor)) * 1000) / most) / 10}%" height="6" rx="2" />
  </svg>`;
}
