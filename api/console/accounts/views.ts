import type { Static } from '../../bodies/schema.ts';
import { type account, accountList, accountStatement } from '../../control/accounts/accounts.ts';
import { clock } from '../../control/answers.ts';
import { forecastAnswer } from '../../control/clock/forecast.ts';
import { addDays, localDate } from '../../../engine/values/local-date.ts';
import { html, type Html } from '../../pages/html.ts';
import type { ConsoleView, Linking, ViewCall } from '../console-view.ts';
import { actionForm, filterForm } from '../parts/forms.ts';
import { commandLine, empty, facts, offsetIn, pager, table } from '../parts/lists.ts';
import { problemBox } from '../parts/problem.ts';
import { accountLink, date, foreign, money, paymentLink } from '../parts/text.ts';
import { topUp } from './actions.ts';
import { courseOf } from './balance-course.ts';
import { plot } from './plot.ts';

const path = '/accounts';
/** Rows of a page. */
const limit = 50;
/** How many days the plot goes back where nobody says, and how far it looks ahead. */
const daysBack = 90;
const ahead = 'P31D';

type Account = Static<typeof account>;
type Statement = Static<typeof accountStatement>;

const listView: ConsoleView = {
  path,
  nav: 'Accounts',
  live: ['payment', 'run', 'clock', 'reset'],
  show: async (call) => {
    const { accounts } = await call.ask('/accounts', accountList);
    const asked = call.query.get('of') ?? '';
    const found = accounts.filter((one) => isOf(one, asked));
    const offset = offsetIn(call);
    return {
      title: 'Accounts',
      content: html`${filterForm(call, path, [{ name: 'of', label: 'Owner or number' }], 'Find')}
      ${
        found.length === 0
          ? empty(
              accounts.length === 0
                ? 'The bank has no accounts. A reset brings those of its known state back.'
                : `No account has “${asked}” in its number, its name or its owner.`,
              accounts.length === 0 ? commandLine(call, 'reset') : null,
            )
          : accountTable(call, found.slice(offset, offset + limit))
      }
      ${pager(call, { path, query: { of: asked }, offset, limit, total: found.length, words: ['Before', 'After'] })}`,
    };
  },
};

/** Whether a part of the account's number, name or owner is asked for; blanks and case do not matter. */
function isOf({ number, iban, name, owner }: Account, asked: string): boolean {
  const plain = (text: string): string => text.replaceAll(/\s/g, '').toLowerCase();
  const all = [number, iban ?? '', name, owner.name, owner.number];
  return all.some((text) => plain(text).includes(plain(asked)));
}

function accountTable(call: Linking, accounts: readonly Account[]): Html {
  return table({
    caption: 'Open accounts of all customers',
    columns: ['Account', 'Owner', ...['Booked', 'Available', 'Expected'].map((head) => ({ head, isNumber: true }))],
    rows: accounts.map((one) => [
      html`${accountLink(call, one.number)}<br />${foreign(one.name)}`,
      html`${foreign(one.owner.name)}<br /><span class="soft">${one.owner.number}</span>`,
      money(one.booked),
      money(one.available),
      money(one.expected),
    ]),
  });
}

const oneView: ConsoleView = {
  path: `${path}/:number`,
  live: ['payment', 'run', 'clock', 'reset'],
  show: async (call) => {
    const { params } = call;
    const { now, date: today } = await call.ask('/clock', clock);
    const from = call.query.get('from') ?? addDays(localDate(today), -daysBack);
    const to = call.query.get('to');
    const { answer, problem } = await call.attempt(`${path}/:number`, accountStatement, {
      params,
      query: { from, to },
    });
    if (answer === null && problem.errors?.some(({ path: at }) => at === 'from' || at === 'to') !== true) {
      // There is no such account.
      return { title: 'No account', content: problemBox(problem) };
    }
    const period = filterForm(call, pathOf(params['number']), [
      { name: 'from', label: 'Booked from', type: 'date', value: from },
      { name: 'to', label: 'Booked to', type: 'date' },
    ]);
    if (answer === null) return { title: 'Account', content: html`${problemBox(problem)} ${period}` };
    const forecast = await call.attempt('/forecast', forecastAnswer, { query: { to: ahead } });
    const course = courseOf({
      statement: answer,
      executions: forecast.answer?.executions ?? [],
      now,
      from: call.query.get('from') ?? null,
      to: to ?? null,
      ahead: forecast.answer?.to ?? now,
    });
    return {
      title: foreign(answer.name),
      windowTitle: `${answer.name} ${answer.number}`,
      content: html`${accountFacts(answer)} ${plot({ course, currency: answer.currency, name: answer.name })}
        ${actionForm(call, topUp, {
          params: { number: answer.number },
          fields: [
            { name: 'amount', label: `Put in, ${answer.currency}`, value: '1000', faultPath: 'amount', required: true },
            { name: 'currency', label: 'Currency', type: 'hidden', value: answer.currency },
          ],
          button: 'Top up',
        })}
        ${answer.pending.length > 0 && pendingTable(call, answer)}
        <h2>Entries</h2>
        ${period} ${entryTable(call, answer)}`,
    };
  },
};

function pathOf(number = ''): string {
  return `${path}/${encodeURIComponent(number)}`;
}

function accountFacts({ number, iban, owner, booked, available, expected, creditLine }: Statement): Html {
  return facts([
    ['Number', number],
    ['IBAN', iban ?? 'none'],
    ['Owner', html`${foreign(owner.name)} <span class="soft">${owner.number}</span>`],
    ['Booked', money(booked)],
    ['Available', money(available)],
    ['Expected, with what is due today', money(expected)],
    ['Credit line', money(creditLine)],
  ]);
}

function pendingTable(call: Linking, { pending }: Statement): Html {
  return html`<h2>Pending</h2>
    ${table({
      caption: 'Posted, and booked by the next settlement run',
      columns: ['Value date', 'Text', 'Payment', { head: 'Amount', isNumber: true }],
      rows: pending
        .toReversed()
        .slice(0, limit)
        .map((entry) => [
          date(entry.valueDate),
          foreign(entry.text),
          entry.paymentId !== null && paymentLink(call, entry.paymentId),
          money(entry.amount),
        ]),
    })}
    ${pending.length > limit && html`<p>${pending.length - limit} more are pending.</p>`}`;
}

function entryTable(call: ViewCall, { number, entries }: Statement): Html {
  const offset = offsetIn(call);
  const shown = entries.toReversed().slice(offset, offset + limit);
  if (entries.length === 0) return empty('Nothing was booked in this period.');
  const query = { from: call.query.get('from'), to: call.query.get('to') };
  return html`${table({
    caption: 'Booked in the period, the newest first',
    columns: [
      'Booked',
      'Value date',
      'Text',
      'Payment',
      { head: 'Amount', isNumber: true },
      { head: 'Balance after it', isNumber: true },
    ],
    rows: shown.map((entry) => [
      date(entry.bookingDate),
      date(entry.valueDate),
      foreign(entry.text),
      entry.paymentId !== null && paymentLink(call, entry.paymentId),
      money(entry.amount),
      money(entry.balance),
    ]),
  })}
  ${pager(call, { path: pathOf(number), query, offset, limit, total: entries.length })}`;
}

export const accountViews = [listView, oneView];
