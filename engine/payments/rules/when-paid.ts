import { type Cause, lateRunCause } from '../../settlement/rules/cause.ts';
import { bookingIn, datesOf } from '../../settlement/rules/posting-dates.ts';
import { isBankingDay, movedDate, nextOrSame } from '../../time/rules/banking-calendar.ts';
import { fixingFrom } from '../../time/rules/cut-offs.ts';
import { type Lane, laneProducts } from '../../time/rules/lanes.ts';
import {
  firstRunAfter,
  firstRunOnOrAfter,
  type LaneRuns,
  runId,
  type RunSchedule,
  runThatTakes,
  valueDateOf,
  whenReceived,
} from '../../time/rules/settlement-run.ts';
import type { Quirks } from '../../bank/rules/quirk.ts';
import type { CreditTransferInitiation } from '../../values/credit-transfer.ts';
import type { CustomerType } from '../../values/customer-type.ts';
import { type Fault, Refusal, refuseAny } from '../../values/fault.ts';
import { type Instant, osloDate, osloInstant, startOfDay } from '../../values/instant.ts';
import { assert } from '../../values/assert.ts';
import { addDays, type LocalDate } from '../../values/local-date.ts';
import type { Amount } from '../../values/money.ts';
import type { PriceList } from '../../values/price-list.ts';
import { isDomestic, isForeign, isInstant, type Product } from '../../values/product.ts';
import { type ForeignTransfer, priceForeignTransfer } from './foreign-transfer.ts';
import { transfersOf } from './payment-initiation.ts';
import { atOnceBy } from './payment-status.ts';
import { checkTransfers, type Creditor } from './transfer-rules.ts';

/** What decides when a bank pays. */
export interface PayingTerms {
  readonly runs: RunSchedule;
  readonly quirks: Quirks;
  readonly prices: PriceList;
}

/** A single payment that is initiated and signed at one instant, with funds. */
export interface PaymentInQuestion {
  readonly at: Instant;
  readonly customer: CustomerType;
  readonly product: Product;
  /** From an account in NOK, without a date. */
  readonly body: CreditTransferInitiation;
  /** The creditor account, if the bank has it, and whether the payer holds it too. */
  readonly creditor: (Creditor & { readonly isOwn: boolean }) | null;
}

/** When a payment is where. */
export interface PaidWhen {
  /** The cut-off of the day of the order, and whether the order comes in time. */
  readonly cutOff: { readonly at: Instant; readonly isMet: boolean } | null;
  readonly executionDate: LocalDate;
  /** `2027-03-30/1`, or null if it settles at once, without a run. */
  readonly run: string | null;
  readonly settledAt: Instant;
  readonly bookedAt: Instant;
  readonly bookingDate: LocalDate;
  readonly valueDate: LocalDate;
  readonly fee: Amount;
  /** Of its date, and of the run that tries it (rules.md S11). */
  readonly causes: readonly Cause[];
}

/** Tells when a payment is where (rules.md Q12d). Throws a Refusal for what the product does not carry, and without an exchange rate. */
export function whenPaid(terms: PayingTerms, question: PaymentInQuestion): PaidWhen {
  const foreign = priced(terms, question);
  const lane = terms.runs.of(laneOf(question));
  const asked = {
    cutOff: cutOffOf(question, lane),
    fee: foreign?.fee ?? { minor: 0n, currency: 'NOK' },
  } as const;
  return { ...asked, ...(settledAtOnce(terms, question) ?? settledByRun(terms, question, lane, foreign)) };
}

/** The parts of an answer that depend on how the payment settles. */
type Settled = Omit<PaidWhen, 'cutOff' | 'fee'>;

/** What the bank charges and exchanges for a foreign payment. */
function priced({ prices }: PayingTerms, { product, body, creditor }: PaymentInQuestion): ForeignTransfer | null {
  const [transfer] = transfersOf({ service: 'payments', body });
  assert(transfer !== undefined, 'a single payment has one transfer');
  const creditors = new Map(creditor === null ? [] : [[transfer.creditorNumber, creditor]]);
  refuseAny(checkTransfers({ service: 'payments', product }, [transfer], 'NOK', creditors));
  if (!isForeign(product)) return null;
  const order = {
    product,
    instructed: transfer.amount,
    debtorCurrency: 'NOK',
    creditorCurrency: creditor?.currency ?? null,
  } as const;
  const terms: ForeignTransfer | Fault = priceForeignTransfer(order, prices);
  if ('code' in terms) throw new Refusal(terms);
  return terms;
}

function laneOf({ customer, product, body, creditor }: PaymentInQuestion): Lane {
  const isInside = isDomestic(product) && !isInstant(product) && creditor !== null;
  const { currency } = body.instructedAmount;
  return {
    customer,
    product: isInside ? 'inside' : laneProducts[product],
    currency: isForeign(product) ? currency : 'NOK',
  };
}

function cutOffOf({ at }: PaymentInQuestion, { calendar, cutOffOn }: LaneRuns): PaidWhen['cutOff'] {
  const today = osloDate(at);
  const time = isBankingDay(today, calendar) ? cutOffOn(today) : null;
  if (time === null) return null;
  const closes = osloInstant(today, time);
  return { at: closes, isMet: at <= closes };
}

/** An instant payment, and what a quirk settles at once (rules.md P10, P10b), or null if a run carries the payment out. */
function settledAtOnce({ runs, quirks }: PayingTerms, { at, product, creditor }: PaymentInQuestion): Settled | null {
  const today = osloDate(at);
  const internal = { requested: null, isOwn: creditor?.isOwn === true, hasReference: false };
  const isByQuirk = isDomestic(product) && creditor !== null && atOnceBy(internal, today, quirks) !== null;
  if (!isInstant(product) && !isByQuirk) return null;
  const isLater = !isInstant(product) && quirks.get('same-bank-at-once') === 'next-day';
  const next = isLater ? firstRunOnOrAfter(addDays(today, 1), runs) : firstRunAfter(at, runs);
  return { run: null, settledAt: at, executionDate: today, valueDate: today, ...bookingIn(next), causes: [] };
}

/** The run that carries the payment out, and the next one, which books it (rules.md P3, S6, T4). */
function settledByRun(
  { runs, quirks }: PayingTerms,
  { at, creditor }: PaymentInQuestion,
  lane: LaneRuns,
  foreign: ForeignTransfer | null,
): Settled {
  const { calendar } = lane;
  const { fxFixings } = runs.cutOffRules;
  const today = osloDate(at);
  const receivedFor = (executionDate: LocalDate): Instant => {
    const received = whenReceived(at, lane);
    const isExchanged = foreign !== null && (foreign.debitRate !== null || foreign.creditRate !== null);
    if (!isExchanged || fxFixings.length === 0) return received;
    return fixingFrom(Math.max(received, startOfDay(executionDate)) as Instant, fxFixings, calendar);
  };
  const takenOn = (executionDate: LocalDate) => {
    const receivedAt = receivedFor(executionDate);
    return { receivedAt, run: runThatTakes({ executionDate, receivedAt, lastRunAt: at }, lane) };
  };
  const agreed = nextOrSame(today, calendar);
  // Under this quirk the day of the run is the date (rules.md S6b).
  const executionDate = quirks.has('value-date') ? takenOn(agreed).run.date : agreed;
  const { run, receivedAt } = takenOn(executionDate);
  const dated = { wanted: today, executionDate, rule: 'following', signedOn: today } as const;
  const days =
    foreign === null
      ? { valueDate: null, asked: { wanted: today, signed: today } }
      : { valueDate: valueDateOf(executionDate, lane), asked: null };
  const posting = { isFee: false, isInside: creditor !== null, executionDate, ...days };
  const causes = [movedDate(dated, calendar), lateRunCause({ executionDate, isReceivedLater: receivedAt > at }, run)];
  return {
    run: runId(run),
    settledAt: run.at,
    executionDate,
    ...datesOf(posting, { quirks, calendar, isRun: true, postedAt: run.at, next: firstRunAfter(run.at, runs) }),
    causes: causes.filter((cause) => cause !== null),
  };
}
