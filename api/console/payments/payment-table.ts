import type { Static } from '../../bodies/schema.ts';
import type { listedPayment } from '../../control/payments/list-payments.ts';
import { html, type Html, type HtmlValue } from '../../pages/html.ts';
import type { Linking } from '../console-view.ts';
import { commandLine, empty, table } from '../parts/lists.ts';
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
} from '../parts/text.ts';

type Listed = Static<typeof listedPayment>;

/** Payments of `GET /sandbox/payments`, one a row. */
export function paymentTable(call: Linking, payments: readonly Listed[], caption: string): Html {
  return table({
    caption,
    columns: ['Initiated', 'Status', { head: 'Amount', isNumber: true }, 'From', 'To', 'Executes', 'Next attempt'],
    rows: payments.map((payment) => [
      html`${paymentLink(call, payment.paymentId, instant(payment.initiatedAt))}
      ${payment.service !== 'payments' && html`<span class="soft">${payment.service.replace('-payments', '')}</span>`}`,
      status(payment.status),
      money(payment.amount),
      party(payment.debtor.name, accountLink(call, payment.debtor.number)),
      payment.creditor === null ? 'several' : creditor(call, payment.creditor),
      payment.executionDate !== null && date(payment.executionDate),
      payment.nextAttempt !== null && runLink(call, payment.nextAttempt),
    ]),
  });
}

function creditor(call: Linking, { number, name, inThisBank }: NonNullable<Listed['creditor']>): HtmlValue {
  return party(name, creditorLink(call, number, inThisBank));
}

function party(name: string | null, number: Html): HtmlValue {
  return html`${name !== null && html`${foreign(name)}<br />`}${number}`;
}

/** In place of payments: the command that makes one. */
export function noPayments(call: Linking, text: string): Html {
  const command = commandLine(call, 'pay --from 09232911044 --to 90491105991 --amount 120.00');
  return empty(`${text} This makes one.`, command);
}
