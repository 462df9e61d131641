import type { BalanceAfter } from '../../engine/approval/sca-subject.ts';
import type { LateExecution } from '../../engine/payments/rules/payment-dates.ts';
import {
  payeesOnPage,
  type Payee,
  type PayeesToShow,
  type PaymentCost,
  type PaymentToSign,
  type PeriodicTiming,
  type SingleTiming,
} from '../../engine/payments/payment-to-sign.ts';
import type { StructuredRemittance } from '../../engine/values/credit-transfer.ts';
import { intervalOf } from '../../engine/time/rules/frequency.ts';
import { nominalDates } from '../../engine/time/rules/nominal-dates.ts';
import type { Schedule } from '../../engine/time/rules/occurrences.ts';
import { dayOf, formatWeekday, type LocalDate, monthOf } from '../../engine/values/local-date.ts';
import { accountText } from '../pages/format.ts';
import { html, type Html } from '../pages/html.ts';
import { fact, type PageView } from './sca-page.ts';

type Purpose = 'payment' | 'cancellation';

/** Facts of a payment to sign, beside its amount: payee, accounts, message, dates. */
export function paymentFacts(view: PageView, payment: PaymentToSign, purpose: Purpose): Html {
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

function singleDay(view: PageView, { executionDate, movedFrom }: SingleTiming): Html {
  return html`${view.format.date(executionDate)}${
    movedFrom !== null && html`<span class="note">${whyMoved(view, movedFrom)}</span>`
  }`;
}

/** rules.md P3b. */
function lateWords({ texts: { facts }, format }: PageView, { dueOn, run, time, cutOff }: LateExecution): Html {
  return html`${facts.paidAt(format.date(run.date), time)}<span class="note"
      >${cutOff === null ? facts.noRunLeft(format.date(dueOn)) : facts.cutOffPassed(format.date(dueOn), cutOff)}</span
    >`;
}

/** Omits the closure's name, which is Norwegian, for a weekend: the weekday says it. */
function whyMoved(
  { texts: { facts }, format }: PageView,
  { date, closure }: NonNullable<SingleTiming['movedFrom']>,
): string | Html {
  const day = format.date(date);
  if (closure === null) return facts.movedPassed(day);
  return closure === formatWeekday(date)
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
export function balanceFacts(
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
