import { preparedLedger } from './open-configured-bank.ts';
import { randomIds } from '../../engine/bank/ids.ts';
import { hashOfKnownState, type KnownState } from '../../engine/bank/known-state.ts';
import { nextTurn, systemClock } from '../../engine/time/clock.ts';
import type { BankingCalendar } from '../../engine/time/rules/banking-calendar.ts';
import { clockRange } from '../../engine/time/rules/bank-clock.ts';
import { quirkTexts } from '../../engine/bank/rules/quirk.ts';
import { isBban, parseIban } from '../../engine/values/account-number.ts';
import { type CustomerType, customerTypes } from '../../engine/values/customer-type.ts';
import { formatInstant, type Instant } from '../../engine/values/instant.ts';
import { keepNewest } from '../../engine/values/lists.ts';
import {
  type Currency,
  formatAmount,
  isCurrency,
  minorUnits,
  parseInstructedAmount,
} from '../../engine/values/money.ts';
import type { PriceList } from '../../engine/values/price-list.ts';
import { type Product, products } from '../../engine/values/product.ts';
import { quote } from '../../engine/values/text.ts';
import type { PaidWhen, PaymentInQuestion } from '../../engine/when-paid.ts';
import type { AnswerValue } from '../bodies/written.ts';
import type { productsInQuestion, whenAnswer } from '../control/platform-calls.ts';
import { instantIn, wordIn } from '../control/read-query.ts';
import { refusedAt } from '../pipeline/problem.ts';
import type { Config, Profile } from '../start/config.ts';

type Terms = Pick<Config, 'settlementTimes' | 'cutOffs' | 'earlyClose' | 'fxFixings' | 'quirks'>;

/** A bank as the question sees it. */
export interface BankInQuestion {
  readonly profile: Profile;
  readonly terms: Terms;
}

interface Surroundings {
  readonly banks: readonly BankInQuestion[];
  readonly knownState: KnownState;
  readonly prices: PriceList;
  readonly calendar: BankingCalendar;
  /** The instant of a question that names none. */
  readonly now: Instant;
}

/** An answer of a bank follows from its terms, the prices and the question alone. The oldest is forgotten first. */
const keptBy = new WeakMap<PriceList, Map<string, PaidWhen>>();
const maxKept = 2_000;

const productOf: Readonly<Record<(typeof productsInQuestion)[number], Product>> = {
  domestic: products.domestic,
  instant: products.straks,
  sepa: products.sepa,
  'cross-border': products.crossBorder,
};

/** Payees in other banks. */
const strangers = {
  domestic: { creditorAccount: { bban: '90491105991' } },
  sepa: { creditorAccount: { iban: 'DE89370400440532013000' } },
  'cross-border': {
    creditorAccount: { bban: '50000000054910000003' },
    creditorAgent: 'ESSESESS',
    creditorAddress: { city: 'Stockholm', country: 'SE' },
  },
} as const;

/** A month less than the range of the clock: a payment is booked within it. */
const last = (clockRange.to - 31 * 86_400_000) as Instant;

/** Reads a question. Throws a Problem 400 for a wrong one. */
function readQuestion(query: ReadonlyMap<string, string>, now: Instant) {
  const customer = wordIn(query, 'customer', customerTypes) ?? 'private';
  const product =
    wordIn(query, 'product', Object.keys(productOf) as (typeof productsInQuestion)[number][]) ?? 'domestic';
  const currency = query.get('currency') ?? (product === 'sepa' ? 'EUR' : 'NOK');
  if (!isCurrency(currency)) throw refusedAt('currency', `There is no currency ${quote(currency)}.`);
  const amount = query.get('amount') ?? formatAmount({ minor: 2500n * 10n ** BigInt(minorUnits(currency)), currency });
  const read = parseInstructedAmount(amount, currency);
  if (typeof read === 'string') throw refusedAt('amount', `amount is ${quote(amount)}: ${read}.`);
  const given = query.get('at');
  const at = given === undefined ? now : instantIn(given);
  if (at === null || at < clockRange.from || at > last)
    throw refusedAt(
      'at',
      `at is ${quote(given ?? '')}: expected a date, or an instant with its offset, until ${formatInstant(last)}.`,
    );
  const order = {
    instructedAmount: { amount, currency },
    creditorName: 'Payee',
    ...payeeOf(product === 'instant' ? 'domestic' : product, query.get('creditor'), currency),
  };
  return { at, customer, product, money: read, order };
}

function payeeOf(product: keyof typeof strangers, creditor: string | undefined, currency: Currency) {
  const { creditorAccount, ...others } = strangers[product];
  if (creditor === undefined) return { ...others, creditorAccount: { ...creditorAccount, currency } };
  const number = creditor.replaceAll(/[ .]/g, '');
  if (isBban(number)) return { ...others, creditorAccount: { bban: number, currency } };
  const iban = parseIban(number);
  if (typeof iban !== 'string') return { ...others, creditorAccount: { iban: number, currency } };
  throw refusedAt('creditor', `creditor is ${quote(creditor, 40)}: expected a Norwegian account number or an IBAN.`);
}

/**
 * Tells when one payment is where at each bank (rules.md Q12d). Nothing is written: each bank makes the payment in a copy that is thrown away.
 * Throws a Problem or a Refusal for what the bank would refuse.
 */
export async function whenAtBanks(
  { banks, knownState, prices, calendar, now }: Surroundings,
  query: ReadonlyMap<string, string>,
): Promise<AnswerValue<typeof whenAnswer>> {
  const { at, customer, product, money, order } = readQuestion(query, now);
  const question = { at, customer, product: productOf[product], order };
  const rows: AnswerValue<typeof whenAnswer>['banks'][number][] = [];
  for (const bank of banks) {
    const paid = await paidAt(bank.terms, question, { knownState, prices, calendar });
    rows.push(rowOf(bank, paid, { customer, product }));
  }
  return { at, amount: money, product, customer, banks: rows };
}

async function paidAt(
  { settlementTimes, cutOffs, earlyClose, fxFixings, quirks }: Terms,
  question: PaymentInQuestion,
  { knownState, prices, calendar }: Pick<Surroundings, 'knownState' | 'prices' | 'calendar'>,
): Promise<PaidWhen> {
  const cutOffRules = { cutOffs, earlyClose, fxFixings };
  const key = JSON.stringify([
    settlementTimes,
    cutOffRules,
    quirkTexts(quirks),
    question,
    hashOfKnownState(knownState),
  ]);
  const kept = keptBy.get(prices) ?? new Map<string, PaidWhen>();
  keptBy.set(prices, kept);
  const found = kept.get(key);
  if (found !== undefined) return found;
  // Each bank takes a few ms: other requests come between.
  await nextTurn();
  const { whenPaid } = await import('../../engine/when-paid.ts');
  const bank = { settlementTimes, cutOffRules, quirks, knownState, prices, calendar, preparedLedger: preparedLedger() };
  const paid = await whenPaid({ ...bank, ids: randomIds, wall: systemClock }, question);
  keepNewest(kept, key, paid, maxKept);
  return paid;
}

type ProductInQuestion = (typeof productsInQuestion)[number];

/** The facts that tell the cut-off of a product. */
const cutOffFacts: Readonly<Record<ProductInQuestion, readonly string[]>> = {
  domestic: ['sameDayCutOff', 'yearEndCutOff'],
  instant: [],
  sepa: ['sepaCutOff', 'foreignCutOff'],
  'cross-border': ['foreignCutOff'],
};

/** A row of the answer, with what is known of each of its parts. */
function rowOf(
  { profile, terms }: BankInQuestion,
  { causes, cutOff, run, settledAt, ...paid }: PaidWhen,
  { customer, product }: { readonly customer: CustomerType; readonly product: ProductInQuestion },
): AnswerValue<typeof whenAnswer>['banks'][number] {
  const known = (...keys: readonly string[]): Known => knownOf(profile, customer, keys);
  const ofRun = (): Known => {
    if (product === 'instant') return { quality: 'published', source: 'the interface document', sourceDate: null };
    if (run === null) return known('ownAccountTransfers', 'sameBankTransfers');
    const isOfSchedule = terms.settlementTimes[customer].includes(formatInstant(settledAt).slice(11, 16));
    return known(isOfSchedule ? 'settlementTimes' : 'lateRuns');
  };
  return {
    id: profile.id,
    name: profile.name,
    cutOff: cutOff === null ? null : { ...cutOff, ...known(...cutOffFacts[product]) },
    run: { id: run, at: settledAt, ...ofRun() },
    booking: { date: paid.bookingDate, at: paid.bookedAt, ...known('weekendRule') },
    valueDate: { date: paid.valueDate, ...known('valueDateRule') },
    executionDate: paid.executionDate,
    fee: paid.fee,
    reason: causes.length === 0 ? undefined : causes,
  };
}

/** How a part is known. */
type Known = Pick<AnswerValue<typeof whenAnswer>['banks'][number]['run'], 'quality' | 'source' | 'sourceDate'>;

const qualities = {
  'published by the bank': 'published',
  'observed by a client': 'observed',
  inferred: 'inferred',
  assumed: 'assumed',
} as const;

/** The quality and the source of the first applied fact of these keys that is about this customer. */
function knownOf({ facts }: Profile, customer: CustomerType, keys: readonly string[]): Known {
  const isAbout = ({ value }: Profile['facts'][number]): boolean => {
    const names = Object.keys(typeof value === 'object' ? (value ?? {}) : {});
    const named = customerTypes.filter((type) => names.some((name) => name.includes(type)));
    return named.length === 0 || named.includes(customer);
  };
  const fact = facts.find((each) => each.applied && keys.includes(each.key) && isAbout(each));
  if (fact === undefined) return { quality: 'assumed', source: null, sourceDate: null };
  return { quality: qualities[fact.quality], source: fact.source, sourceDate: fact.sourceDate };
}
