import type { Static } from '../../bodies/schema.ts';
import {
  type listedPayment,
  listedServices,
  listedStatuses,
  paymentList,
} from '../../control/payments/list-payments.ts';
import { html, type Html } from '../../pages/html.ts';
import type { ConsoleView } from '../console-view.ts';
import type { PageCall } from '../page-call.ts';
import { allOr, filters } from '../parts/filters.ts';
import { empty, pager, problemBox, rowsOfPage, table } from '../parts/lists.ts';
import { toPay } from '../parts/next.ts';
import {
  accountLink,
  creditorLink,
  day,
  foreign,
  moment,
  money,
  paymentLink,
  runLink,
  status,
  statusWords,
} from '../parts/text.ts';
import { paymentView } from './payment-view.ts';

type Listed = Static<typeof listedPayment>;

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
    const isFiltered = names.some((name) => call.query.has(name));
    return {
      title: 'Payments',
      content: html`${problemBox(problem)}
      ${filters(
        call,
        [
          { name: 'status', label: 'Status', options: allOr(listedStatuses, (code) => capital(statusWords(code))) },
          { name: 'service', label: 'Kind', options: allOr(listedServices, (service) => kinds[service]) },
        ],
        [
          { name: 'account', label: 'Account' },
          { name: 'from', label: 'Executes from', type: 'date' },
          { name: 'to', label: 'Executes to', type: 'date' },
        ],
      )}
      ${payments.length > 0 && paymentTable(call, payments, 'Payments of all TPPs, the newest first')}
      ${
        answer !== null &&
        payments.length === 0 &&
        (isFiltered
          ? empty('No payment matches.', { href: call.to('/payments'), text: 'Show all payments' })
          : noPayments(call))
      }
      ${pager(call, total)}`,
    };
  },
};

/** What the payments of each service are to a person. */
const kinds = {
  payments: 'Single payments',
  'periodic-payments': 'Standing orders',
  'bulk-payments': 'Bulk payments',
} as const satisfies Readonly<Record<Listed['service'], string>>;

/** Payments of `GET /sandbox/payments`, one a row. */
export function paymentTable(call: PageCall, payments: readonly Listed[], caption: string): Html {
  return table(caption, payments, [
    ['Payee', (payment) => payee(call, payment), 'text'],
    ['Amount', ({ amount }) => money(amount), 'figures'],
    ['Status', (payment) => status(payment.status)],
    [
      'From',
      ({ debtor: { name, number } }) => accountLink(call, number, name === null ? number : foreign(name)),
      'text',
    ],
    ['Initiated', ({ initiatedAt }) => moment(call, initiatedAt)],
    [
      'Executes',
      ({ executionDate, nextAttempt }) =>
        nextAttempt === null ? executionDate !== null && day(call, executionDate) : runLink(call, nextAttempt),
    ],
  ]);
}

/** Who is paid, which leads to the payment, and where. */
function payee(call: PageCall, { paymentId, creditor, service }: Listed): Html {
  if (creditor === null) return paymentLink(call, paymentId, 'Several payees');
  const { name, number } = creditor;
  return html`${paymentLink(call, paymentId, name === null ? number : foreign(name))}
  ${service === 'periodic-payments' && html`<span class="soft">standing order</span>`}
  ${creditorLink(call, number, creditor)}`;
}

/** In place of payments: the button that makes one. */
export function noPayments(call: PageCall): Html {
  return empty('No payment has been initiated yet.', toPay(call));
}

function capital(words: string): string {
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

export const paymentViews = [listView, paymentView];
