import type { StructuredRemittance } from '../../engine/values/credit-transfer.ts';
import type { LateExecution } from '../../engine/payments/late-run-of.ts';
import type { Payee, PaymentToSign, PeriodicTiming, SingleTiming } from '../../engine/payments/payment-to-sign.ts';
import { html, type Html, type HtmlValue } from '../pages/html.ts';
import { frequencyWords, ruleWords } from './schedule-words.ts';
import { accountText, amountText } from '../pages/format.ts';
import { formatDate, formatWeekday } from '../../engine/values/local-date.ts';
import type { ContextChoice, SigningView } from '../../engine/approval/read-sca.ts';

type Purpose = 'payment' | 'cancellation';

/** One line of a list of facts. */
export function fact(name: string, value: HtmlValue): Html {
  return html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`;
}

/** Facts of a payment to sign, beside its amount: payee, accounts, message, dates. */
export function paymentFacts(payment: PaymentToSign, purpose: Purpose): Html {
  const { payees, debtor, foreign, timing } = payment;
  const late = purpose === 'payment' ? payment.late : null;
  const [payee] = payees.first;
  const only = payees.count === 1 && payee !== undefined ? payee : null;
  return html`${only === null ? fact('To', payeeList(payees)) : fact('To', named(only.name, only.account))}
  ${fact('From', named(debtor.name, debtor))} ${foreign !== null && costFacts(foreign, payment.amount)}
  ${only !== null && remittanceFacts(only)}
  ${'schedule' in timing ? periodicFacts(timing, purpose) : fact('Date', singleDay(timing))}
  ${late !== null && fact('Paid', lateWords(late))}`;
}

function remittanceFacts({ message, references }: Payee): Html {
  return html`${message !== null && fact('Message', message)}
  ${references.map((reference) => fact(nameOf(reference), reference.reference))}`;
}

/** The first payees of a bulk payment, each with its amount. */
function payeeList({ count, first }: PaymentToSign['payees']): Html {
  return html`${count} payees
    <ol class="dates">
      ${first.map(
        ({ name, account, amount }) =>
          html` <li>${amountText(amount)} ${name}<span class="note">${accountText(account)}</span></li>`,
      )}
    </ol>
    ${count > first.length && html`<p class="more">and ${count - first.length} more</p>`}`;
}

/** Debited amount and fee of a foreign payment (rules.md P11). */
function costFacts({ debit, fee }: NonNullable<PaymentToSign['foreign']>, amount: PaymentToSign['amount']): Html {
  return html`${debit.currency !== amount.currency && fact('Converted', amountText(debit))}
  ${fact('Fee', amountText(fee))}`;
}

function named(name: string, account: Parameters<typeof accountText>[0]): Html {
  return html`${name}<span class="number">${accountText(account)}</span>`;
}

/** Names a reference for people: SCOR is a KID, CINV an electronic invoice (rules.md P6). */
function nameOf({ referenceType }: StructuredRemittance): string {
  if (referenceType === 'SCOR') return 'KID';
  return referenceType === 'CINV' ? 'E-invoice' : 'Reference';
}

function singleDay({ executionDate, movedFrom }: SingleTiming): Html {
  return html`${formatDate(executionDate)}${movedFrom !== null && html`<span class="note">${whyMoved(movedFrom)}</span>`}`;
}

/** rules.md P3b. */
function lateWords({ dueOn, run, time }: LateExecution): Html {
  return html`${formatDate(run.date)} at ${time}<span class="note"
      >No settlement run of ${formatDate(dueOn)} is left.</span
    >`;
}

/** Omits the closure's name for a weekend: the weekday says it. */
function whyMoved({ date, closure }: NonNullable<SingleTiming['movedFrom']>): string {
  const day = `Moved from ${formatDate(date)}`;
  if (closure === null) return `${day}, which has passed.`;
  return closure === formatWeekday(date) ? `${day}: the bank is closed.` : `${day}: the bank is closed (${closure}).`;
}

function periodicFacts({ schedule, dates }: PeriodicTiming, purpose: Purpose): Html {
  return html`${fact('How often', frequencyWords(schedule))} ${fact('Start', formatDate(schedule.startDate))}
  ${fact('End', schedule.endDate === null ? 'Until you cancel it' : formatDate(schedule.endDate))}
  ${fact('If the bank is closed', ruleWords(schedule.executionRule))}
  ${dates.first.length > 0 && fact(purpose === 'payment' ? 'First dates' : 'Dates that fall away', dateList(dates))}`;
}

function dateList({ first, goOn }: PeriodicTiming['dates']): Html {
  return html`<ol class="dates">
      ${first.map(
        ({ nominalDate, executionDate }) =>
          html` <li>
            ${formatDate(executionDate)}${
              nominalDate !== executionDate && html`<span class="note">for ${formatDate(nominalDate)}</span>`
            }
          </li>`,
      )}
    </ol>
    ${goOn && html`<p class="more">and so on</p>`}`;
}

/** The PSU who approves and, in corporate context, the corporation. */
export function whoSigns({ psu }: SigningView, { context, name }: ContextChoice): readonly Html[] {
  const you = fact('You', `${psu.name}, ${psu.number}`);
  return context === 'CORPORATE' ? [fact('For', name), you] : [you];
}
