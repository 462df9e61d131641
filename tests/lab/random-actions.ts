import fc from 'fast-check';
import type { Bank } from '../../engine/open-bank.ts';
import { frequencies } from '../../engine/time/rules/occurrences.ts';
import { type Instant, osloDate } from '../../engine/values/instant.ts';
import { addDays, type LocalDate } from '../../engine/values/local-date.ts';
import { type Currency, formatAmount } from '../../engine/values/money.ts';
import { products } from '../../engine/values/product.ts';
import { accountByNumber } from '../../engine/accounts/rows/accounts.ts';
import { advanceClock } from '../../engine/runs/advance-clock.ts';
import { advanceUntil } from '../../engine/runs/advance-until.ts';
import { deleteAccount } from '../../engine/sandbox-data/customers.ts';
import { bankNow } from '../../engine/bank/bank-context.ts';
import { inspectPayment } from '../../engine/inspection/inspect-payment.ts';
import { rejectPayment } from '../../engine/payments/bank-side-payments.ts';
import { returnPayment } from '../../engine/payments/order-return.ts';
import type { InitiatedPayment } from '../../engine/payments/initiate-payment.ts';
import {
  approve,
  beginSigning,
  initiate as initiatePayment,
  order,
  orRefusal,
  pay,
  payBulk,
  payInstantly,
  people,
  remove,
  sign,
  type Person,
} from './payments.ts';

const debtors = fc.constantFrom<Person>('nora', 'even', 'anne', 'kari', 'per', 'sigrid');
const creditors = fc.constantFrom<Person>('nora', 'savings', 'even', 'anne', 'kari', 'per', 'sigrid', 'shop');
const kroner = fc.oneof(
  fc.integer({ min: 1, max: 50 }),
  fc.integer({ min: 1, max: 15_000 }),
  fc.integer({ min: 15_000, max: 120_000 }),
);
const inDays = fc.oneof(fc.constant(0), fc.nat({ max: 9 }));
const minutes = fc.oneof(fc.integer({ min: 1, max: 400 }), fc.integer({ min: 1, max: 6000 }));
const which = fc.nat({ max: 30 });

const transfer = { from: debtors, to: creditors, kroner };
const pays = fc.record({ do: fc.constant('pay'), ...transfer, inDays });
const orders = fc.record({
  ...{ do: fc.constant('order'), ...transfer, inDays, forDays: fc.nat({ max: 40 }) },
  frequency: fc.constantFrom(...frequencies),
  executionRule: fc.constantFrom('following', 'preceeding'),
});
const several = fc.array(creditors, { minLength: 1, maxLength: 6 });
const paysInBulk = fc.record({ do: fc.constant('bulk'), from: debtors, to: several, kroner, inDays });
/** To a number with a meaning (rules.md D1c). */
const paysTelling = fc.record({
  ...{ do: fc.constant('pay'), from: debtors, kroner, inDays },
  to: fc.constantFrom<Person>('closedElsewhere', 'refusingElsewhere', 'blockedElsewhere', 'silentElsewhere'),
});
const paysAtOnce = fc.record({ do: fc.constant('instant'), ...transfer });
const signs = fc.record({ do: fc.constant('sign'), which });
const deletes = fc.record({ do: fc.constantFrom('delete', 'cancel'), which });
/** The control plane has it rejected, or an item or occurrence of it (rules.md P14b). */
const rejects = fc.record({ do: fc.constant('reject'), which, part: fc.option(fc.nat({ max: 8 })) });
/** Its money comes back, if it has settled to another bank (rules.md S12). */
const returns = fc.record({ do: fc.constant('return'), which, part: fc.nat({ max: 8 }), days: fc.nat({ max: 6 }) });
const waits = fc.record({ do: fc.constant('wait'), minutes });
/** The account is deleted (rules.md D2). */
const closes = fc.record({ do: fc.constant('close'), whose: debtors });

type Drawn<Values> = Values extends fc.Arbitrary<infer Value> ? Readonly<Value> : never;
type Order = Drawn<typeof orders>;
type Initiating = Order | Drawn<typeof pays | typeof paysInBulk | typeof paysAtOnce>;

/** What a TPP, a PSU or time can do to a bank. Payments are named by their place in the order of initiation. */
export type Action =
  | Initiating
  | Drawn<typeof signs | typeof deletes | typeof rejects | typeof returns | typeof waits | typeof closes>;

const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 4, arbitrary: pays },
  { weight: 2, arbitrary: orders },
  { weight: 2, arbitrary: paysInBulk },
  { weight: 2, arbitrary: paysAtOnce },
  { weight: 6, arbitrary: signs },
  { weight: 1, arbitrary: deletes },
  { weight: 1, arbitrary: rejects },
  { weight: 4, arbitrary: waits },
);

function historiesOf(actions: fc.Arbitrary<Action>): fc.Arbitrary<readonly Action[]> {
  const finalWait = { do: 'wait', minutes: 20_000 } as const;
  return fc.array(actions, { minLength: 5, maxLength: 40 }).map((taken) => [...taken, finalWait]);
}

/** Histories of a bank, each with a long wait at its end. */
export const histories = historiesOf(action);

/** The same where now and then an account is deleted. */
export const upheavals = historiesOf(fc.oneof({ weight: 10, arbitrary: action }, { weight: 1, arbitrary: closes }));

/** The same with money that comes back. */
export const withReturns = historiesOf(
  fc.oneof(
    { weight: 10, arbitrary: action },
    { weight: 1, arbitrary: closes },
    { weight: 3, arbitrary: returns },
    { weight: 2, arbitrary: paysTelling },
  ),
);

/** Carries out actions; refusals are part of life. `pieces` splits each wait (one piece: in one go). */
export async function live(bank: Bank, actions: readonly Action[], pieces = 1): Promise<void> {
  const payments: Made[] = [];
  for (const [index, action] of actions.entries()) await act(bank, payments, index, action, pieces);
}

interface Made {
  readonly id: string;
  readonly debtor: Person;
}

async function act(bank: Bank, payments: Made[], index: number, action: Action, pieces: number): Promise<void> {
  const now = await bank.ledger.read((reader) => bankNow(bank, reader));
  if (action.do === 'wait') return wait(bank, now, action.minutes, pieces);
  if (action.do === 'close') return close(bank, action.whose);
  if ('from' in action) {
    const made = await orRefusal(initiate(bank, index, action, osloDate(now)));
    if (typeof made !== 'string') payments.push({ id: made.payment.resource_id, debtor: action.from });
    return;
  }
  const payment = payments[action.which % Math.max(1, payments.length)];
  if (payment === undefined) return;
  if (action.do === 'return') return void (await orRefusal(giveBack(bank, payment, action)));
  if (action.do === 'reject') return void (await orRefusal(reject(bank, payment, action.part)));
  if (action.do === 'sign') return void (await orRefusal(signNext(bank, payment)));
  await orRefusal(remove(bank, payment.id));
  if (action.do === 'cancel') await orRefusal(cancel(bank, payment));
}

/** Initiates what is said. `index` makes every amount another one, so that no payment is a logical duplicate. */
export function initiate(bank: Bank, index: number, action: Initiating, today: LocalDate): Promise<InitiatedPayment> {
  const { from } = action;
  const [kroner, oere] = [action.kroner + Math.floor(index / 100), String(index % 100).padStart(2, '0')];
  if (action.do === 'instant') return payInstantly(bank, { from, to: action.to, amount: `${kroner}.${oere}` });
  const date = addDays(today, action.inDays);
  if (action.do === 'bulk') {
    const [to = 'shop', ...others] = action.to.filter((person) => person !== from);
    const transfer = (person: Person, place: number) => ({ from, to: person, amount: `${kroner + place}.${oere}` });
    return payBulk(bank, [transfer(to, 0), ...others.map((other, place) => transfer(other, place + 1))], date);
  }
  const transfer = { from, to: action.to, amount: `${kroner}.${oere}` };
  return action.do === 'pay' ? pay(bank, transfer, date) : order(bank, transfer, planOf(action, date));
}

function planOf({ frequency, executionRule, forDays }: Order, startDate: LocalDate) {
  const months = frequency === 'MonthlyVariable' ? { monthsOfExecution: [1, 3, 4, 6, 10] } : {};
  return { frequency, executionRule, startDate, endDate: addDays(startDate, forDays), ...months };
}

/** An account of two signatures gets the second from the other who may sign. */
async function signNext(bank: Bank, { id, debtor }: Made): Promise<unknown> {
  const refusal = await orRefusal(sign(bank, id, debtor));
  return refusal === 'STATUS_INVALID' && debtor === 'sigrid' ? sign(bank, id, 'tor') : refusal;
}

/** `part` is the place of an item or occurrence among those that there are. */
async function reject(bank: Bank, { id }: Made, part: number | null): Promise<void> {
  const { service, occurrences } = await inspectPayment(bank, id);
  const isOrder = service === 'periodic-payments';
  await rejectPayment(bank, id, {
    item: service === 'bulk-payments' ? part : null,
    occurrence:
      isOrder && part !== null ? (occurrences[part % Math.max(1, occurrences.length)]?.nominalDate ?? null) : null,
    reason: 'wanted',
  });
}

async function giveBack(bank: Bank, { id }: Made, { part, days }: Drawn<typeof returns>): Promise<void> {
  const { service, occurrences } = await inspectPayment(bank, id);
  const date = occurrences[part % Math.max(1, occurrences.length)]?.nominalDate ?? null;
  await returnPayment(bank, id, {
    reason: 'AC04',
    item: service === 'bulk-payments' ? part : null,
    occurrence: service === 'periodic-payments' ? date : null,
    bankingDays: days,
    on: null,
  });
}

async function close(bank: Bank, whose: Person): Promise<void> {
  const account = await bank.ledger.read((reader) => accountByNumber(reader, people[whose].bban));
  if (account !== undefined) await deleteAccount(bank, account.resource_id ?? '');
}

async function cancel(bank: Bank, { id, debtor }: Made): Promise<unknown> {
  return approve(bank, await beginSigning(bank, id, 'cancellation'), debtor);
}

async function wait(bank: Bank, now: Instant, minutes: number, pieces: number): Promise<void> {
  for (let piece = 1; piece <= pieces; piece += 1) {
    await advanceClock(bank, (now + Math.floor((minutes * 60_000 * piece) / pieces)) as Instant);
  }
}

/** Accounts of two people, in NOK and EUR. */
const accounts = [
  { from: 'nora', iban: 'NO7809232911044', currency: 'NOK' },
  { from: 'nora', iban: 'NO8085523166859', currency: 'EUR' },
  { from: 'even', iban: 'NO1874712699947', currency: 'NOK' },
  { from: 'even', iban: 'NO6041305545238', currency: 'EUR' },
] as const;

/** One payment of any product between them or out of the bank, perhaps signed, and perhaps some runs after it. */
export const productStep = fc.record({
  product: fc.constantFrom(...Object.values(products)),
  debtor: fc.constantFrom(...accounts),
  to: fc.constantFrom(...accounts.map(({ iban }) => iban), 'DE89370400440532013000'),
  minor: fc.oneof(fc.bigInt({ min: 1n, max: 100_000n }), fc.bigInt({ min: 1n, max: 3_000_000n })),
  currency: fc.constantFrom<Currency>('NOK', 'EUR', 'SEK', 'JPY', 'KWD', 'XDR'),
  isSigned: fc.boolean(),
  runs: fc.constantFrom(0, 0, 1, 3),
});
export type ProductStep = Drawn<typeof productStep>;

/** Takes the step; refusals are part of life. */
export async function takeProductStep(
  bank: Bank,
  { product, debtor, to, minor, currency, isSigned, runs }: ProductStep,
): Promise<void> {
  const paidIn = product === products.crossBorder ? currency : product === products.sepa ? 'EUR' : 'NOK';
  const body = {
    instructedAmount: { amount: formatAmount({ minor, currency: paidIn }), currency: paidIn },
    creditorName: 'Somebody',
    creditorAccount: { iban: to, currency: paidIn },
    debtorAccount: { iban: debtor.iban, currency: debtor.currency },
  };
  const initiation = { service: 'payments', body } as const;
  const made = await orRefusal(initiatePayment(bank, debtor, initiation, product, { allowLogicalDuplicate: true }));
  if (typeof made !== 'string' && isSigned) await orRefusal(sign(bank, made.payment.resource_id, debtor.from));
  if (runs > 0) await advanceUntil(bank, { runs });
}
