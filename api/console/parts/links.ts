import { html, type Html, type HtmlValue } from '../../pages/html.ts';
import type { PageCall } from '../page-call.ts';
import { pathTo } from '../../openapi/calls.ts';
import { foreign, itemWords, rootBank } from './text.ts';
import { numberText } from '../../pages/format.ts';
import { moment } from './times.ts';

/* Links to the pages about one thing, and to what can be done. */

/** A link to the next thing to do. */
export interface Next {
  readonly href: string;
  readonly text: string;
}

/** The page that makes a payment, below `/console`. */
export const payPath = '/pay';

export function toPay(call: PageCall): Next {
  return { href: call.to(payPath), text: 'Make a payment' };
}

/** Where the other banks are listed, relative to this page, or null if no other bank exists. */
export function toBanks(call: PageCall): string | null {
  return call.bankName === rootBank && !call.has('/banks') ? null : call.toBank(rootBank, '/banks');
}

export function toReset(call: PageCall): Next {
  return { href: call.to('/reset'), text: 'Reset the bank …' };
}

/** A settlement run, which leads to its report. */
export function runLink(
  call: PageCall,
  { id, at }: { readonly id: string; readonly at: string },
  text: HtmlValue = moment(call, at),
): Html {
  return html`<a href="${call.to(pathToRun(id))}">${text}</a>`;
}

/** Address of the forecast until a moment, by default of the days to come. */
export function toForecast(call: PageCall, to?: string): string {
  return call.to('/forecast', { query: { to } });
}

/** Where the report of a run is, by its id `2027-03-30/1`. */
export function pathToRun(id: string): string {
  return pathTo('/runs/:runId', { params: { runId: id.replace('/', '-') } });
}

/** The id of a payment, which leads to it. */
export function paymentLink(call: PageCall, paymentId: string, text: HtmlValue = shortId(paymentId)): Html {
  return html`<a class="payment" href="${call.to('/payments/:paymentId', { params: { paymentId } })}">${text}</a>`;
}

/** Who is paid by an attempt, which leads to its payment. */
export function payeeLink(
  call: PageCall,
  { paymentId, payee, item }: { readonly paymentId?: string; readonly payee: string; readonly item?: string },
): Html {
  if (paymentId === undefined) return foreign(payee);
  return html`${paymentLink(call, paymentId, payeeName({ paymentId, payee }))}${item !== undefined && html` <span class="item">${itemWords(item)}</span>`}`;
}

/** Who is paid; the beginning of the payment's id if it names nobody, or several. */
export function payeeName({ paymentId, payee }: { readonly paymentId: string; readonly payee: string }): Html | string {
  return payee === '' ? shortId(paymentId) : foreign(payee);
}

/** An account number, which leads to the account. */
export function accountLink(call: PageCall, number: string, text: HtmlValue = numberText(number)): Html {
  return html`<a class="number" href="${call.to('/accounts/:number', { params: { number } })}">${text}</a>`;
}

/** The number of a creditor; a link if it is an open account of this bank. */
export function creditorLink(
  call: PageCall,
  number: string,
  { inThisBank, closed = false }: { readonly inThisBank: boolean; readonly closed?: boolean | undefined },
): Html {
  if (inThisBank) return accountLink(call, number);
  return html`<span class="number">${numberText(number)}</span>
    <span class="soft">${closed ? 'closed' : 'not in this bank'}</span>`;
}

/** A resource id without the beginning and the end that all ids share. */
function shortId(id: string): string {
  return id.replace(/^enc!!/, '').slice(0, 8);
}
