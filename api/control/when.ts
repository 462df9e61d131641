import type { KnownState } from '../../engine/bank/known-state.ts';
import { readClock } from '../../engine/bank/read-clock.ts';
import { orderOf, type Plan, planOf } from '../../engine/payments/rules/plan.ts';
import { transfersOf } from '../../engine/payments/rules/payment-initiation.ts';
import { checkTransfers } from '../../engine/payments/rules/transfer-rules.ts';
import type { BankingCalendar } from '../../engine/time/rules/banking-calendar.ts';
import { clockRange } from '../../engine/time/rules/bank-clock.ts';
import type { DayTimes } from '../../engine/time/rules/cut-offs.ts';
import { runId, runSchedule } from '../../engine/time/rules/settlement-run.ts';
import { isBban, parseIban } from '../../engine/values/account-number.ts';
import { type CustomerType, customerTypes } from '../../engine/values/customer-type.ts';
import { formatInstant, type Instant, osloDate } from '../../engine/values/instant.ts';
import { type Currency, enteredAmount, isCurrency, parseInstructedAmount } from '../../engine/values/money.ts';
import { assert } from '../../engine/values/assert.ts';
import { Refusal, refuseAny } from '../../engine/values/fault.ts';
import { once } from '../../engine/values/once.ts';
import type { PriceList } from '../../engine/values/price-list.ts';
import { productOf, type ProductWord, productWords, usualCurrency } from '../../engine/values/product.ts';
import { quote } from '../../engine/values/text.ts';
import type { AnswerValue } from '../bodies/written.ts';
import { refusedAt } from '../pipeline/problem.ts';
import { type Profile, usualBankSettings } from '../start/config.ts';
import { platformIds } from '../start/platform.ts';
import { configOfProfile, listedProfile } from '../start/profile.ts';
import { controlEndpoint } from './control-endpoint.ts';
import { instantIn, wordIn } from './read-query.ts';
import { whenAnswer, whenQuery } from './when-answer.ts';

/** `GET /sandbox/when` (rules.md Q12d). Without `at` it is about now, by the clock of the bank that answers. */
export const when = controlEndpoint('GET /when', {
  summary: 'When one payment is where, at each bank of the platform. Changes nothing',
  answer: whenAnswer,
  query: whenQuery,
  handle: async ({ bank, query }) => {
    const { knownState } = bank.firstOrigin;
    const { now } = await readClock(bank);
    return whenAtBanks({ knownState, prices: bank.prices, calendar: bank.schedule.calendar, now }, query);
  },
});

interface Surroundings {
  /** Whose accounts a creditor may have. */
  readonly knownState: KnownState;
  readonly prices: PriceList;
  readonly calendar: BankingCalendar;
  /** The instant of a question that names none. */
  readonly now: Instant;
}

/** Payees in other banks. */
const strangers = {
  domestic: { creditorAccount: { bban: '90491105991' } },
  instant: { creditorAccount: { bban: '90491105991' } },
  sepa: { creditorAccount: { iban: 'DE89370400440532013000' } },
  'cross-border': {
    creditorAccount: { bban: '50000000054910000003' },
    creditorAgent: 'ESSESESS',
    creditorAddress: { city: 'Stockholm', country: 'SE' },
  },
} as const satisfies Readonly<Record<ProductWord, object>>;

/** A month less than the range of the clock: a payment is booked within it. */
const last = (clockRange.to - 31 * 86_400_000) as Instant;

/** Reads a question. Throws a Problem 400 for a wrong one. */
function readQuestion(query: ReadonlyMap<string, string>, { knownState, now }: Surroundings) {
  const customer = wordIn(query, 'customer', customerTypes) ?? 'private';
  const product = wordIn(query, 'product', Object.values(productWords)) ?? 'domestic';
  const currency = query.get('currency') ?? usualCurrency[productOf(product)];
  if (!isCurrency(currency)) throw refusedAt('currency', `There is no currency ${quote(currency)}.`);
  const amount = enteredAmount(query.get('amount') ?? '2500', currency);
  const read = parseInstructedAmount(amount, currency);
  if (typeof read === 'string') throw refusedAt('amount', `amount is ${quote(amount)}: ${read}.`);
  const given = query.get('at');
  const at = given === undefined ? now : instantIn(given);
  if (at === null || at < clockRange.from || at > last)
    throw refusedAt(
      'at',
      `at is ${quote(given ?? '')}: expected a date, or an instant with its offset, until ${formatInstant(last)}.`,
    );
  const payer = payerIn(knownState, customer);
  const payee = payeeOf(product, query.get('creditor'), currency);
  const body = {
    instructedAmount: { amount, currency },
    creditorName: 'Payee',
    ...payee,
    debtorAccount: { bban: payer.account, currency: 'NOK' as const },
  };
  const creditor = creditorIn(knownState, payee.creditorAccount, payer.customerNumber);
  return { at, customer, product, money: read, body, creditor };
}

function payeeOf(product: ProductWord, creditor: string | undefined, currency: Currency) {
  const { creditorAccount, ...others } = strangers[product];
  if (creditor === undefined) return { ...others, creditorAccount: { ...creditorAccount, currency } };
  const number = creditor.replaceAll(/[ .]/g, '');
  if (isBban(number)) return { ...others, creditorAccount: { bban: number, currency } };
  const iban = parseIban(number);
  if (typeof iban !== 'string') return { ...others, creditorAccount: { iban: number, currency } };
  throw refusedAt('creditor', `creditor is ${quote(creditor, 40)}: expected a Norwegian account number or an IBAN.`);
}

/**
 * Who pays: the first customer of this type with an account in NOK that may pay. Throws a Problem 400 if there is none.
 */
function payerIn({ customers }: KnownState, customer: CustomerType) {
  for (const { type, customerNumber, accounts } of customers) {
    const account = accounts.find(({ currency, paymentsAllowed = true }) => currency === 'NOK' && paymentsAllowed);
    if (type === customer && account !== undefined) return { customerNumber, account: account.bban };
  }
  throw refusedAt('customer', `The known state has no ${customer} customer with an account in NOK that may pay.`);
}

/** The account of the known state with this number, or null if another bank has it. */
function creditorIn({ customers }: KnownState, number: { bban?: string; iban?: string }, payer: string) {
  for (const { customerNumber, accounts } of customers)
    for (const { bban, iban, currency, kidAgreement = null } of accounts)
      if (bban === number.bban || iban === number.iban)
        return { currency, kid_agreement: kidAgreement, isOwn: customerNumber === payer };
  return null;
}

const platform = once(() => Promise.all(platformIds().map(listedProfile)));

/**
 * Tells when one payment is where at each bank of the platform. Throws a Problem or a Refusal for what a bank would
 * refuse.
 */
async function whenAtBanks(
  around: Surroundings,
  query: ReadonlyMap<string, string>,
): Promise<AnswerValue<typeof whenAnswer>> {
  const { at, customer, product, money, body, creditor } = readQuestion(query, around);
  const question = { service: 'payments', product: productOf(product), body } as const;
  const transfers = transfersOf(question);
  const creditors = new Map(
    transfers.flatMap(({ creditorNumber }) => (creditor === null ? [] : [[creditorNumber, creditor]])),
  );
  refuseAny(checkTransfers(question, transfers, 'NOK', creditors));
  const order = orderOf(question, { type: customer, currency: 'NOK' }, creditors, osloDate(at));
  const { prices, calendar } = around;
  const subject = {
    ...{ customer, product, isInside: creditor !== null, isOwn: creditor?.isOwn === true },
    year: osloDate(at).slice(0, 4),
  };
  const banks = (await platform()).map((profile) => {
    const { settlementTimes, quirks, ...cutOffRules } = { ...usualBankSettings(), ...configOfProfile(profile) };
    const schedule = runSchedule(settlementTimes, calendar, cutOffRules);
    const plan = planOf(order, { schedule, quirks, prices }, { at, lastRunAt: at, isSigned: true });
    if (plan.refusal !== null) throw new Refusal(plan.refusal);
    return rowOf(profile, plan, { subject, times: settlementTimes[customer] });
  });
  return { at, amount: money, product, customer, banks };
}

type Part = 'cutOff' | 'run' | 'booking' | 'valueDate';

/** The part that a fact of this key tells, unless it names its parts. */
const partOf: Readonly<Record<string, Part>> = {
  sameDayCutOff: 'cutOff',
  yearEndCutOff: 'cutOff',
  sepaCutOff: 'cutOff',
  foreignCutOff: 'cutOff',
  settlementTimes: 'run',
  lateRuns: 'run',
  ownAccountTransfers: 'run',
  sameBankTransfers: 'run',
};

/** What a question is about: a customer, a product, a transfer inside the bank, a year. */
interface Subject {
  readonly customer: CustomerType;
  readonly product: ProductWord;
  readonly isInside: boolean;
  readonly isOwn: boolean;
  readonly year: string;
}

/** The facts that decide about a part, where not all that tell it do. */
function decisiveKeys(
  subject: Subject,
  run: 'at once' | 'of the schedule' | 'late',
): Readonly<Partial<Record<Part, readonly string[]>>> {
  const { product, isOwn } = subject;
  const cutOffs: Readonly<Record<ProductWord, readonly string[]>> = {
    domestic: ['sameDayCutOff', 'yearEndCutOff'],
    instant: [],
    sepa: ['sepaCutOff', 'foreignCutOff'],
    'cross-border': ['foreignCutOff'],
  };
  const atOnce = [...(isOwn ? ['ownAccountTransfers'] : []), 'sameBankTransfers'];
  const runs = { 'at once': atOnce, 'of the schedule': ['settlementTimes'], late: ['lateRuns'] };
  return { cutOff: cutOffs[product], run: runs[run] };
}

/** A row of the answer. Each of its parts has the quality and the source of its own fact. */
function rowOf(
  profile: Profile,
  { executions: [paid], cutOff, price }: Plan,
  { subject, times }: { readonly subject: Subject; readonly times: DayTimes },
): AnswerValue<typeof whenAnswer>['banks'][number] {
  assert(paid !== undefined, 'a single payment has an execution');
  const { run, settlesAt, causes } = paid;
  const isOfSchedule = times.includes(formatInstant(settlesAt).slice(11, 16));
  const keys = decisiveKeys(subject, run === null ? 'at once' : isOfSchedule ? 'of the schedule' : 'late');
  const known = (part: Part): Known => knownOf(profile, subject, part, keys[part]);
  const ofInterface = { quality: 'published', source: 'the interface document', sourceDate: null } as const;
  return {
    id: profile.id,
    name: profile.name,
    cutOff: cutOff === null ? null : { at: cutOff.at, isMet: cutOff.isMet, ...known('cutOff') },
    run: {
      id: run === null ? null : runId(run),
      at: settlesAt,
      ...(subject.product === 'instant' ? ofInterface : known('run')),
    },
    booking: { date: paid.bookingDate, at: paid.bookedAt, ...known('booking') },
    valueDate: { date: paid.valueDate, ...known('valueDate') },
    executionDate: paid.executionDate,
    fee: price?.fee ?? { minor: 0n, currency: 'NOK' },
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

/**
 * The quality and the source of the first applied fact that tells a part and is about the subject; `keys`: of these
 * facts.
 */
function knownOf({ facts }: Profile, subject: Subject, part: Part, keys?: readonly string[]): Known {
  const tells = ({ key, tells: parts }: Profile['facts'][number]): boolean =>
    (parts?.includes(part) ?? partOf[key] === part) && keys?.includes(key) !== false;
  const fact = facts.find((each) => each.applied && tells(each) && isAbout(each, subject));
  if (fact === undefined) return { quality: 'assumed', source: null, sourceDate: null };
  return { quality: qualities[fact.quality], source: fact.source, sourceDate: fact.sourceDate };
}

/**
 * Whether a fact is about the subject: by the words that it names, and by the customers in the members of its value.
 */
function isAbout(
  { value, only = [] }: Profile['facts'][number],
  { customer, product, isInside, year }: Subject,
): boolean {
  const members = Object.keys(typeof value === 'object' ? (value ?? {}) : {});
  const customers = customerTypes.filter((type) => [...only, ...members].some((name) => name.includes(type)));
  const named = [
    [customers, [customer]],
    [
      only.filter((word) => word === 'inside' || Object.values<string>(productWords).includes(word)),
      [product, ...(isInside ? ['inside'] : [])],
    ],
    [only.filter((word) => /^\d{4}$/.test(word)), [year]],
  ] as const;
  return named.every(([words, own]) => words.length === 0 || words.some((word) => own.some((each) => each === word)));
}
