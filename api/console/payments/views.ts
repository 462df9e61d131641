import type { Static } from '../../bodies/schema.ts';
import {
  type listedPayment,
  listedServices,
  listedStatuses,
  paymentList,
} from '../../control/payments/list-payments.ts';
import { html, type Html, type HtmlValue } from '../../pages/html.ts';
import type { ConsoleView } from '../console-view.ts';
import { payPath } from '../overview/pay-path.ts';
import type { PageCall } from '../page-call.ts';
import { anyOf, filterForm } from '../parts/forms.ts';
import { empty, pager, problemBox, rowsOfPage, table } from '../parts/lists.ts';
import {
  accountLink,
  creditorLink,
  date,
  foreign,
  instant,
  money,
  paymentLink,
  runLink,
  status,
  statusWords,
} from '../parts/text.ts';
import { paymentView } from './payment-view.ts';

const listView: ConsoleView = {
  path: '/payments',
  nav: 'Payments',
  live: ['payment', 'run', 'reset'],
  show: async (call) => {
    const names = ['status', 'service', 'account', 'from', 'to', 'offset'];
    const query = Object.fromEntries(names.map((name) => [name, call.query.get(name)]));
    const { answer, problem } = await call.attempt('/payments', paymentList, {
      query: { ...query, limit: String(rowsOfPage) },
    });
    const { payments, total } = answer ?? { payments: [], total: 0 };
    return {
      title: 'Payments',
      content: html`${problemBox(problem)}
      ${filterForm(call, [
        { name: 'status', label: 'Status', options: anyOf(listedStatuses, (code) => `${code}: ${statusWords(code)}`) },
        { name: 'service', label: 'Service', options: anyOf(listedServices) },
        { name: 'account', label: 'Account' },
        { name: 'from', label: 'Executes from', type: 'date' },
        { name: 'to', label: 'Executes to', type: 'date' },
      ])}
      ${payments.length > 0 && paymentTable(call, payments, 'Payments of all TPPs, the newest first')}
      ${answer !== null && payments.length === 0 && noPayments(call, 'There is no such payment.')} ${pager(call, total)}`,
    };
  },
};

/** Payments of `GET /sandbox/payments`, one a row. */
export function paymentTable(call: PageCall, payments: readonly Static<typeof listedPayment>[], caption: string): Html {
  return table(caption, payments, [
    [
      'Initiated',
      ({ paymentId, initiatedAt, service }) =>
        html`${paymentLink(call, paymentId, instant(initiatedAt))}
        ${service !== 'payments' && html`<span class="soft">${service.replace('-payments', '')}</span>`}`,
    ],
    ['Status', (payment) => status(payment.status)],
    ['Amount', ({ amount }) => money(amount), 'figures'],
    ['From', ({ debtor }) => party(debtor.name, accountLink(call, debtor.number))],
    [
      'To',
      ({ creditor }) =>
        creditor === null ? 'several' : party(creditor.name, creditorLink(call, creditor.number, creditor)),
    ],
    ['Executes', ({ executionDate }) => executionDate !== null && date(executionDate)],
    ['Next attempt', ({ nextAttempt }) => nextAttempt !== null && runLink(call, nextAttempt)],
  ]);
}

function party(name: string | null, number: Html): HtmlValue {
  return html`${name !== null && html`${foreign(name)}<br />`}${number}`;
}

/** In place of payments: the button that makes one. */
export function noPayments(call: PageCall, text: string): Html {
  return empty(text, null, { to: call.to(payPath), text: 'Make a payment' });
}

export const paymentViews = [listView, paymentView];
