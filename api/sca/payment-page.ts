import type { ScaSubject, BalanceAfter } from '../../engine/approval/read-sca.ts';
import {
  type PaymentToSign,
  payeesOnPage,
  type Payee,
  type PayeesToShow,
  type PaymentCost,
  type PeriodicTiming,
  type SingleTiming,
} from '../../engine/payments/payment-to-sign.ts';
import type { Amount, Currency } from '../../engine/values/money.ts';
import { html, type Html } from '../pages/html.ts';
import { fact, part, scaPage, type SignerView, tppName, whoSigns, type PageView } from './sca-page.ts';
import { backButton, button, decisionForm, mainButton, scaForm } from './sca-forms.ts';
import type { LateExecution } from '../../engine/payments/rules/notes.ts';
import type { StructuredRemittance } from '../../engine/values/credit-transfer.ts';
import { intervalOf, nominalDates, type Schedule } from '../../engine/time/rules/occurrences.ts';
import type { MovedDate } from '../../engine/time/rules/banking-calendar.ts';
import { timeOfDay } from '../../engine/values/instant.ts';
import { dayOf, type LocalDate, monthOf } from '../../engine/values/local-date.ts';
import { accountText } from '../pages/format.ts';

type PaymentSubject = Extract<ScaSubject, { payment: unknown }>;
type BasketSubject = Extract<ScaSubject, { payments: unknown }>;

/** The last page of a payment or a cancellation: all facts to sign, then approve or cancel (rules.md A2). */
export function paymentPage(view: SignerView, subject: PaymentSubject): string {
  const { payment: texts, signatures, approve, cancel } = view.texts;
  const { payment, purpose, balances } = subject;
  const kind = 'schedule' in payment.timing ? 'periodic' : 'single';
  const isCancellation = purpose === 'cancellation';
  const amount = view.format.amount(payment.amount);
  const content = html`<p class="lead">${texts.askedBy(tppName(view))} ${isCancellation && texts.notMade}</p>
    <p class="amount">
      ${isCancellation ? html`<s>${amount}</s>` : amount}
      ${kind === 'periodic' && html`<span class="note">${texts.eachTime}</span>`}
    </p>
    <dl>
      ${paymentFacts(view, payment, purpose)} ${balanceFacts(view, balances, [payment])}
      ${needsSeveral(subject) && signatureFact(view, subject)} ${whoSigns(view)}
    </dl>
    ${decisionForm(view, null, isCancellation ? { approve: texts.cancelIt[kind], cancel: texts.keepIt } : { approve, cancel })}
    ${
      needsSeveral(subject) &&
      part(
        'reject',
        signatures.orReject,
        html`<p class="note">${signatures.rejectEnds}</p>
          ${scaForm(view, null, button('reject', signatures.reject))}`,
      )
    }`;
  return scaPage(view, { heading: isCancellation ? texts.cancelHeading[kind] : texts.approveHeading[kind], content });
}

/** Whether the page shows signatures: a payment needs several of them. A cancellation always takes one. */
export function needsSeveral({ purpose, payment }: PaymentSubject): boolean {
  return purpose === 'payment' && payment.signatures.required > 1;
}

/** Who has signed and when, this PSU, and who can sign too (interface: Multiple signatures). */
function signatureFact({ texts, format, signing: { psu } }: SignerView, subject: PaymentSubject): Html {
  const { signatures: words } = texts;
  const { required, given } = subject.payment.signatures;
  const left = required - given.length - 1;
  const signer = (state: 'signed' | 'now' | 'missing', name: string, note: string): Html =>
    html`<li class="${state}">${name} <span class="note">${note}</span></li>`;
  const signers = html`<ol class="signers">
    ${given.map(({ name, at }) => signer('signed', name, words.signed(format.moment(at))))}
    ${signer('now', psu.name, words.you)}
    ${left > 0 && subject.otherSigners.map((name) => signer('missing', name, words.maySign))}
  </ol>`;
  const missing = left === 0 ? words.last : words.left(left);
  return fact(words.name, html`${words.required(required)} ${missing} ${signers}`);
}

/** Asks once more before one of several signers rejects a payment for all of them (rules.md A4c). */
export function rejectPage(view: SignerView, { amount, signatures: { given } }: PaymentToSign): string {
  const { format } = view;
  const { reject: texts } = view.texts;
  const content = html`<p class="lead">
      ${texts.lead(format.amount(amount))}
      ${given.length > 0 && texts.given(format.list(given.map(({ name }) => name)))}
    </p>
    ${scaForm(view, null, mainButton('reject', texts.confirm), backButton(view, texts.back))}`;
  return scaPage(view, { heading: texts.heading, content });
}

/** The last page of a signing basket: the total, then every payment, then one decision for all (rules.md A2). */
export function basketPage(view: SignerView, { payments, balances }: BasketSubject): string {
  const { basket, payment: texts } = view.texts;
  const content = html`<p class="lead">${texts.askedBy(tppName(view))} ${basket.atOnce}</p>
    ${totals(payments).map(
      (total) => html`<p class="amount">${view.format.amount(total)} <span class="note">${basket.inAll}</span></p>`,
    )}
    ${payments.map((payment, index) => {
      const each = 'schedule' in payment.timing && html` <span class="note">${texts.eachTime}</span>`;
      const heading = html`${view.format.amount(payment.amount)}${each}`;
      return part(`payment-${index}`, heading, html`<dl>${paymentFacts(view, payment, 'payment')}</dl>`);
    })}
    <dl>${balanceFacts(view, balances, payments)} ${whoSigns(view)}</dl>
    ${decisionForm(view)}`;
  return scaPage(view, { heading: basket.heading(payments.length), content });
}

/** One sum per currency, in order of first use; a periodic payment counts once. */
function totals(payments: readonly PaymentToSign[]): Amount[] {
  const sums = new Map<Currency, bigint>();
  for (const { amount } of payments) sums.set(amount.currency, (sums.get(amount.currency) ?? 0n) + amount.minor);
  return [...sums].map(([currency, minor]) => ({ minor, currency }));
}

type Purpose = 'payment' | 'cancellation';

/** Facts of a payment to sign, beside its amount: payee, accounts, message, dates. */
function paymentFacts(view: PageView, payment: PaymentToSign, purpose: Purpose): Html {
  const { payees, debtor, foreign, timing } = payment;
  const { facts } = view.texts;
  const late = purpose === 'payment' ? payment.late : null;
  const [payee] = payees.shown;
  const only = payees.count === 1 && payee !== undefined ? payee : null;
  return html`${fact(facts.to, only === null ? payeeFold(view, payment) : named(only.name, only.account))}
  ${fact(facts.from, named(debtor.name, debtor))} ${foreign !== null && costFacts(view, payment, foreign)}
  ${only !== null && remittanceFacts(view, only)}
  ${'schedule' in timing ? periodicFacts(view, timing, purpose) : fact(facts.date, singleDay(view, timing))}
  ${late !== null && fact(facts.paid, lateWords(view, late))}`;
}

function remittanceFacts(view: PageView, { message, references }: Payee): Html {
  const { facts } = view.texts;
  return html`${message !== null && fact(facts.message, message)}
  ${references.map((reference) => fact(facts[kindOf(reference)], reference.reference))}`;
}

/** What people call a reference: SCOR is a KID, CINV an electronic invoice (rules.md P6). */
function kindOf({ referenceType }: StructuredRemittance): 'kid' | 'invoice' | 'reference' {
  if (referenceType === 'SCOR') return 'kid';
  return referenceType === 'CINV' ? 'invoice' : 'reference';
}

/** All payees of a bulk payment, each with its amount, in a fold that says how many they are and their sum. */
function payeeFold(view: PageView, { payees, amount }: PaymentToSign): Html {
  const { texts, format } = view;
  const { count, shown, page, pages } = payees;
  return html`<details ${page > 1 && html` open`}>
    <summary>${texts.facts.payees(format.number(String(count)), format.amount(amount))}</summary>
    <ol class="payees" start="${(page - 1) * payeesOnPage + 1}">
      ${shown.map(
        (payee) =>
          html`<li>
            <span>${payee.name}</span> <span>${format.amount(payee.amount)}</span>
            <span class="note">${accountText(payee.account)}</span>
          </li>`,
      )}
    </ol>
    ${pages > 1 && otherPayees(view, payees)}
  </details>`;
}

/** The pages before and after the payees that are shown. */
function otherPayees({ texts: { facts }, format, payeesAt }: PageView, { page, pages }: PayeesToShow): Html {
  const number = (of: number): string => format.number(String(of));
  return html`<p class="more">
    ${facts.payeesPage(number(page), number(pages))}
    ${page > 1 && html`<a href="${payeesAt(page - 1)}">${facts.payeesBefore}</a>`}
    ${page < pages && html`<a href="${payeesAt(page + 1)}">${facts.payeesAfter}</a>`}
  </p>`;
}

/** What a foreign payment costs: rate and debited amount where it is converted, fee, total (rules.md P11). */
function costFacts({ texts: { facts }, format }: PageView, { amount }: PaymentToSign, cost: PaymentCost): Html {
  const { rate, fixing, debit, fee, total } = cost;
  const unit = `1\u00a0${amount.currency} = `;
  return html`${
    rate !== null &&
    html`${fact(
      facts.rate,
      html`${unit}${format.number(rate)} ${debit.currency}${
        fixing !== null && html`<span class="note">${facts.rateFixed(format.date(fixing.date), fixing.time)}</span>`
      }`,
    )}
    ${fact(facts.converted, format.amount(debit))}`
  }
  ${fact(facts.fee, format.amount(fee))} ${fact(facts.total, format.amount(total))}`;
}

function named(name: string, account: Parameters<typeof accountText>[0]): Html {
  return html`${name}<span class="number">${accountText(account)}</span>`;
}

function singleDay(view: PageView, { executionDate, moved }: SingleTiming): Html {
  return html`${view.format.date(executionDate)}${
    moved !== null && html`<span class="note">${whyMoved(view, moved)}</span>`
  }`;
}

/** rules.md P3b. */
function lateWords({ texts: { facts }, format }: PageView, { dueOn, run, cutOff }: LateExecution): Html {
  return html`${facts.paidAt(format.date(run.date), timeOfDay(run.at))}<span class="note"
      >${cutOff === null ? facts.noRunLeft(format.date(dueOn)) : facts.cutOffPassed(format.date(dueOn), cutOff)}</span
    >`;
}

/** Omits the closure's name, which is Norwegian, for a weekend: the weekday says it. */
function whyMoved(
  { texts: { facts }, format }: PageView,
  { wanted, closed: [closure = ''], missed, signedOn }: MovedDate,
): string | Html {
  const day = format.date(wanted);
  if (missed !== null) return wanted < signedOn ? facts.movedPassed(day) : facts.noRunLeft(day);
  return closure === 'weekend'
    ? facts.movedClosed(day)
    : facts.movedHoliday(day, html`<span lang="nb">${closure}</span>`);
}

function periodicFacts(view: PageView, { schedule, dates }: PeriodicTiming, purpose: Purpose): Html {
  const { facts } = view.texts;
  const { date } = view.format;
  return html`${fact(facts.howOften, frequencyWords(view, schedule))} ${fact(facts.start, date(schedule.startDate))}
  ${fact(facts.end, schedule.endDate === null ? facts.noEnd : date(schedule.endDate))}
  ${fact(facts.ifClosed, facts.rule[schedule.executionRule])}
  ${
    dates.first.length > 0 &&
    fact(purpose === 'payment' ? facts.firstDates : facts.datesFallAway, dateList(view, dates))
  }`;
}

/** A later day may be replaced by the last day of a shorter month (rules.md R3). */
const daysOfEveryMonth = 28;

type Words = Pick<PageView, 'texts' | 'format'>;

/** A frequency with its day, in words: `Every month, on day 31 or the month's last day`. */
export function frequencyWords({ texts: { schedule: texts }, format }: Words, schedule: Schedule): string {
  const step = texts.step[schedule.frequency];
  switch (schedule.frequency) {
    case 'Daily':
      return step;
    case 'Weekly':
    case 'EveryTwoWeeks':
      return texts.onWeekday(step, format.weekday(schedule.startDate));
    case 'MonthlyVariable': {
      const months = (schedule.monthsOfExecution ?? []).toSorted((a, b) => a - b).map(format.month);
      return dayWords(texts, texts.inMonths(step, format.list(months)), schedule);
    }
    case 'Monthly':
    case 'EveryTwoMonths':
    case 'Quarterly':
    case 'SemiAnnual':
      return dayWords(texts, step, schedule);
    case 'Annual':
      return dayWords(texts, step, schedule, format.month(monthOf(firstDate(schedule))));
  }
}

/** The day, with its month where a frequency has only one. */
function dayWords(texts: Words['texts']['schedule'], step: string, schedule: Schedule, month?: string): string {
  const day = schedule.dayOfExecution ?? dayOf(schedule.startDate);
  if (day > daysOfEveryMonth) return texts.onDayOrLast(month === undefined ? step : texts.inMonths(step, month), day);
  return month === undefined ? texts.onDay(step, day) : texts.onDate(step, day, month);
}

/** The first date, before a closed day moves it (rules.md R4). */
function firstDate(schedule: Schedule): LocalDate {
  return nominalDates(schedule, intervalOf(schedule.frequency)).at(0) ?? schedule.startDate;
}

function dateList({ texts: { facts }, format }: PageView, { first, goOn }: PeriodicTiming['dates']): Html {
  return html`<ol class="dates">
      ${first.map(
        ({ nominalDate, executionDate }) =>
          html` <li>
            ${format.date(executionDate)}${
              nominalDate !== executionDate &&
              html`<span class="note">${facts.forDate(format.date(nominalDate))}</span>`
            }
          </li>`,
      )}
    </ol>
    ${goOn && html`<p class="more">${facts.goesOn}</p>`}`;
}

/** The available amount of each paying account after these payments, with a note if a payment is due on a later day. */
function balanceFacts(
  { texts: { facts }, format, today }: PageView,
  balances: readonly BalanceAfter[],
  payments: readonly PaymentToSign[],
): readonly Html[] {
  const isLater = payments.some(({ timing }) => !('schedule' in timing) && timing.executionDate > today);
  return balances.map(({ account, available }) => {
    const name = balances.length === 1 ? facts.afterwards : facts.afterwardsIn(account.name);
    return fact(
      name,
      html`${format.amount(available)} ${available.minor < 0n && html`<span class="note">${facts.lacking}</span>`}
      ${isLater && html`<span class="note">${facts.byToday}</span>`}`,
    );
  });
}
