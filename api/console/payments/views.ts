import type { AnswerTo } from '../../openapi/calls.ts';
import { attemptColumns, dateColumns, paymentColumns, postingColumns, storyOf } from '../../openapi/columns.ts';
import { listedServices, listedStatuses } from '../../control/payments/list-payments.ts';
import { html, type Html, type HtmlValue } from '../../pages/html.ts';
import { type PageCall, type ConsoleRoom, view } from '../page-call.ts';
import { allOr, filters } from '../parts/forms.ts';
import { code, empty, facts, folded, listed, nothing, problemBox } from '../parts/blocks.ts';
import { type Column, pagedTable, pager, rowsOfPage, table, shownColumns } from '../parts/tables.ts';
import { accountLink, creditorLink, paymentLink, toPay } from '../parts/links.ts';
import { copied, counted, foreign, itemWords, type Money, named, status, statusWords, tag } from '../parts/text.ts';
import { instantText, momentText, moneyText, numberText } from '../../pages/format.ts';
import { date, day, instant, moment } from '../parts/times.ts';
import { endOf } from '../../../engine/payments/rules/payment-initiation.ts';
import { capital } from '../../../engine/values/text.ts';
import { localDate, parseLocalDate } from '../../../engine/values/local-date.ts';
import { memberOf, accountAt, amountAt, textAt } from '../../bodies/rule.ts';
import { awaitsSignature } from '../../../engine/values/transaction-status.ts';
import { type PaymentAnswer as Payment } from '../../control/payments/get-payment.ts';
import { handleForm } from '../clock/views.ts';
import { windowOf } from '../../settlement-line/window.ts';
import { lineFigure } from '../parts/settlement.ts';
import { lineOf, type TimelinePayment } from '../../settlement-line/model.ts';
import { paymentActions, paymentForms, waysOn } from './payment-forms.ts';

/** Rows of a page of a bulk payment's items, attempts and entries, and what the links between pages are called. */
const [limit, words] = [100, ['Before', 'After']] as const;

/** Everything about a payment: what it is, what became of it, why, and what the bank can do with it. */
const paymentView = view('/payments/:paymentId', ['payment'], async (call) => {
  const payment = await call.ask('/payments/:paymentId', { params: call.params });
  const { initiation, forcedStatus, laggingStatus: lagging, status: own, why } = payment;
  const amount = amountAt(initiation, 'instructedAmount');
  const creditor = textAt(initiation, 'creditorName');
  const items = memberOf(initiation, 'payments');
  const { line, foreseen, whole } = await ownLine(call, payment);
  const told = foreseen === null ? why : (why?.replace(/(settles|is rejected) .*$/, foreseen) ?? null);
  const transfers = counted(Array.isArray(items) ? items.length : 0, 'transfer');
  const what = amount !== null ? moneyText(amount) : whole === null ? transfers : `${moneyText(whole)} in ${transfers}`;
  return {
    title: html`${what}${creditor !== null && html` to ${foreign(creditor)}`}`,
    windowTitle: creditor === null ? what : `${what} to ${creditor}`,
    content: html`<p class="lead">
        ${status(own)}${told !== null && html`. <strong class="cause">${foreign(capital(told))}.</strong>`}
        ${forcedStatus !== null && html`Its TPP reads ${tag('warns', forcedStatus)}.`}
        ${lagging !== undefined && html`Its TPP reads ${tag('warns', lagging.status)} until ${instant(lagging.until)}.`}
        ${copied(payment.paymentId)}
      </p>
      ${await waysOn(call, payment)} ${line}
      ${facts({
        ...(payment.wirePaymentId !== undefined && { 'Id on the wire': copied(payment.wirePaymentId) }),
        Kind: `${payment.service}, ${payment.product}`,
        TPP: html`${foreign(payment.tpp.name)} ${copied(payment.tpp.id)}`,
        From: accountOf(initiation, 'debtorAccount', (number) => accountLink(call, number)),
        To: creditorOf(call, payment),
        Executes: payment.executionDate === null ? 'on the dates below' : date(payment.executionDate),
        ...schedule(initiation),
        'Signed by': signers(payment),
      })}
      ${tables(call, payment)}
      <h2>In the books</h2>
      ${entries(call, payment)} ${paymentForms(call, payment)}
      ${folded('initiation', 'What the TPP sent', code(sentText(initiation), 'What the TPP sent'))}`,
  };
});

/** The row of the payment on the days of the bank, from its order to the day after its last try. */
async function ownLine(
  call: PageCall,
  payment: Payment,
): Promise<{ line: Html; foreseen: string | null; whole: Money | null }> {
  const { date: today } = await call.clock();
  const own = { ...windowOf([payment], today), payment: payment.paymentId };
  const answer = await call.ask('/timeline', { query: own });
  const [shown] = answer.payments;
  return {
    line: lineFigure(call, lineOf(answer), own, await handleForm(call)),
    foreseen: shown === undefined ? null : foreseenRejection(shown),
    whole: shown?.amount ?? null,
  };
}

/**
 * `will be rejected Tue 30 Mar, 05:30: the creditor account is blocked`, if the forecast rejects what ends next; else
 * null.
 */
function foreseenRejection({ tries }: TimelinePayment): string | null {
  const ends = tries.filter(({ hasHappened, outcome }) => !hasHappened && outcome !== 'retry');
  const [next] = ends;
  if (next === undefined || ends.some(({ at, outcome }) => at === next.at && outcome === 'settle')) return null;
  const why =
    next.reason
      .split('; ')
      .at(-1)
      ?.replace(/,? at the \w+ attempt.*$/, '') ?? '';
  return `will be rejected ${momentText(next.at)}: ${why}`;
}

/** Its dates, attempts and history, folded: the line has drawn them. One of which a page is asked for is open. */
function tables(call: PageCall, payment: Payment): Html {
  const isAsked = (name: string): boolean => call.query.has(name);
  const isOrder = payment.service === 'periodic-payments';
  return html`<div class="folds">
    ${folded('dates', isOrder ? 'Dates, past and to come' : 'Dates', dates(call, payment), isAsked('dates'))}
    ${folded('attempts', counted(payment.attempts.length, 'attempt'), attempts(call, payment), isAsked('attempts'))}
    ${folded('history', 'History', timeline(payment))}
  </div>`;
}

/** What the TPP sent, with the first items of a bulk payment. */
function sentText(initiation: Payment['initiation']): string {
  const items = memberOf(initiation, 'payments');
  if (!Array.isArray(items) || items.length <= limit) return JSON.stringify(initiation, null, 2);
  const more = `and ${items.length - limit} more, which the line for curl shows`;
  return JSON.stringify({ ...Object(initiation), payments: [...items.slice(0, limit), more] }, null, 2);
}

function creditorOf(call: PageCall, { initiation, creditorInThisBank: inThisBank, creditorClosed: closed }: Payment) {
  const items = memberOf(initiation, 'payments');
  if (inThisBank === null) return payeesOf(Array.isArray(items) ? items : []);
  return accountOf(initiation, 'creditorAccount', (number) => creditorLink(call, number, { inThisBank, closed }));
}

/** Maximum number of payees of a bulk payment that are named. */
const maxPayees = 5;

function payeesOf(items: readonly unknown[]): HtmlValue {
  const names = items.slice(0, maxPayees).map((item) => foreign(textAt(item, 'creditorName') ?? 'no name'));
  return html`${listed(names)}${items.length > maxPayees && ` and ${items.length - maxPayees} more`}`;
}

function accountOf(initiation: unknown, name: string, link: (number: string) => Html): HtmlValue {
  const number = accountAt(initiation, name);
  return number === null ? 'not named' : link(number);
}

/** How often a standing order pays, and when it begins and ends. */
function schedule(initiation: unknown): Readonly<Record<string, HtmlValue>> {
  const frequency = textAt(initiation, 'frequency');
  if (frequency === null) return {};
  const start = textAt(initiation, 'startDate');
  const end = endOf(parseLocalDate(textAt(initiation, 'endDate') ?? '') ?? undefined);
  return {
    Frequency: frequency,
    'First date': start === null ? 'not named' : date(start),
    'Last date': end === null ? 'none' : date(end),
    'Closed days': textAt(initiation, 'executionRule') ?? 'following',
  };
}

function signers({ signatures, status: own }: Payment): HtmlValue {
  if (signatures.length === 0) return awaitsSignature(own) ? 'nobody yet' : 'nobody: no signature was needed';
  const each = signatures.map(({ psu, name, at }) => named({ name, number: `${psu}, ${instantText(at)}` }));
  return listed(each, html`<br />`);
}

/** Each status with the time of the bank, that of the wall, and what made it; and what came back, or will. */
function timeline(payment: Payment): Html {
  return html`<ol class="timeline">
    ${storyOf(payment).map((point) => html`<li>${'status' in point ? changed(point) : returned(point)}</li>`)}
  </ol>`;
}

function changed({ status: each, at, shownAt, wall, cause }: Payment['history'][number]): Html {
  return html`<p>${status(each)}</p>
    <p>${instant(at)}${cause !== statusWords(each) && html`, ${foreign(cause.replace(/^run \S+, /, ''))}`}</p>
    ${shownAt !== undefined && html`<p>Its TPP reads it from ${instant(shownAt)}.</p>`}
    <p class="soft">${wall === null ? 'by the clock alone' : html`wall clock ${instant(wall)}`}</p>`;
}

/** `Returned Mon 5 Apr, 05:30: account closed` */
function returned({ at, due, text, kept, item }: Payment['returns'][number]): Html {
  const what = item === undefined ? '' : `${item} `;
  if (at === null) return html`<p>${what}${tag('waits', 'To be returned')} ${date(due)}: ${text}.</p>`;
  const why = kept !== undefined && ` The money stays with the clearing account: ${kept}.`;
  return html`<p>${what}${tag('warns', 'Returned')} ${instant(at)}: ${text}.${why}</p>`;
}

function attempts(call: PageCall, { attempts: rows }: Payment): Html {
  const none = nothing('No run has tried it yet.');
  const about = { caption: 'Attempts', rows, none, limit, parameter: 'attempts' };
  return pagedTable(call, { ...about, words }, shownColumns(call, attemptColumns));
}

function dates(call: PageCall, payment: Payment): Html {
  const caption = 'The day that was requested, and the day of the payment';
  const none = nothing('It gets its dates when it is signed.');
  const about = { caption, rows: payment.occurrences, none, limit, parameter: 'dates' };
  return pagedTable(call, { ...about, words }, shownColumns(call, dateColumns(payment)));
}

function entries(call: PageCall, { entries: posted, returns }: Payment): Html {
  const debit = posted.find(({ leg }) => leg === 'debtor');
  // A return is a movement of its own: it credits the account that the payment debited.
  const credits = returns.flatMap(({ at, amount, nominalDate, item }) => {
    if (at === null || amount === null || debit === undefined) return [];
    const date = localDate(at.slice(0, 10));
    return [
      {
        ...debit,
        amount,
        nominalDate,
        bookingDate: date,
        valueDate: date,
        booked: true,
        ...(item !== undefined && { item }),
      },
    ];
  });
  const rows = [...posted, ...credits];
  const columns = shownColumns(call, postingColumns, {
    Account: ({ account, accountName, item }) =>
      html`${/^[A-Z]{0,2}\d+$/.test(account) ? accountLink(call, account) : account}
        <span class="soft"
          >${accountName === account ? '' : foreign(accountName)}${item !== undefined && ` ${itemWords(item)}`}</span
        >`,
    Booked: ({ bookingDate }) => (bookingDate === null ? tag('waits', 'pending') : day(call, bookingDate)),
  });
  const none = nothing('Nothing has been posted.');
  const about = { caption: 'Entries', rows, none, limit, parameter: 'entries' };
  return pagedTable(call, { ...about, words }, columns);
}

type Listed = AnswerTo<'GET /payments'>['payments'][number];

const listView = view('/payments', ['payment'], async (call) => {
  const names = ['status', 'service', 'account', 'from', 'to', 'offset'];
  const query = { ...call.given(...names), limit: String(rowsOfPage) };
  const { answer, problem } = await call.attempt('/payments', { query });
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
    ${payments.length > 0 && paymentTable(call, payments, await rejectionsAhead(call, payments))}
    ${
      answer !== null &&
      payments.length === 0 &&
      (isFiltered
        ? empty('No payment matches.', { href: call.to('/payments'), text: 'Show all payments' })
        : noPayments(call))
    }
    ${pager(call, total)}`,
  };
});

/** What the payments of each service are to a person. */
const kinds = {
  payments: 'Single payments',
  'periodic-payments': 'Standing orders',
  'bulk-payments': 'Bulk payments',
} as const satisfies Readonly<Record<Listed['service'], string>>;

/** When the forecast of the next month rejects payments of a list, by id. */
async function rejectionsAhead(call: PageCall, payments: readonly Listed[]): Promise<ReadonlyMap<string, string>> {
  if (payments.every(({ nextAttempt }) => nextAttempt === null)) return new Map();
  const { answer } = await call.attempt('/forecast', { query: { to: 'P30D' } });
  const first = new Map<string, string>();
  for (const { paymentId, outcome, run } of answer?.executions ?? []) {
    if (paymentId === undefined || outcome === 'retry' || first.has(paymentId)) continue;
    first.set(paymentId, outcome === 'reject' ? run.at : '');
  }
  return first;
}

/** Payments of `GET /sandbox/payments`, one a row. `rejections`: when the forecast rejects them, by id. */
function paymentTable(call: PageCall, payments: readonly Listed[], rejections: ReadonlyMap<string, string>): Html {
  const columns = shownColumns(call, paymentColumns, { Payee: (payment) => payee(call, payment) });
  const shown = columns.map(([head, cell, ...kind]): Column<Listed> => {
    if (head !== 'Executes') return [head, cell, ...kind];
    return [head, (row) => rejectedAt(call, rejections.get(row.paymentId)) ?? cell(row), ...kind];
  });
  return table('Payments of all TPPs, the newest first', payments, shown);
}

function rejectedAt(call: PageCall, at = ''): Html | null {
  return at === '' ? null : html`${tag('bad', 'will be rejected')} ${moment(call, at)}`;
}

/** The name of a payee whose payer gave none. */
const nameless = 'Payee';

/** The name of the payee links to the payment, whose page has every number. */
function payee(call: PageCall, { paymentId, creditor, service }: Listed): Html {
  if (creditor === null) return paymentLink(call, paymentId, 'Several payees');
  const { name, number } = creditor;
  const text = name === null || name === nameless ? numberText(number) : foreign(name);
  return html`${paymentLink(call, paymentId, text)}
  ${service === 'periodic-payments' && html`<span class="soft">standing order</span>`}`;
}

/** In place of payments: the button that makes one. */
export function noPayments(call: PageCall): Html {
  return empty('No payment has been initiated yet.', toPay(call));
}

export const paymentRoom: ConsoleRoom = { views: [listView, paymentView], actions: paymentActions };
