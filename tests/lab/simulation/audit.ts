import type { Bank } from '../../../engine/open-bank.ts';
import { inspectPayment } from '../../../engine/inspection/inspect-payment.ts';
import { readPaymentStatus } from '../../../engine/payments/read-payment.ts';
import { inspectAccount, inspectAccounts } from '../../../engine/sandbox-data/inspect-accounts.ts';
import { orRefusal, people, tpp } from '../payments.ts';
import { timeAt } from './days.ts';
import type { Model, ModelPayment } from './model.ts';

/* The auditor reads what a client reads: answers of the bank about its payments, accounts and entries. It reads no row of the bank's tables. */

/** What the model expected of each payment when it was read. */
const compared = new WeakMap<ModelPayment, string | null>();

/** How many comparisons read no payment as long as the model expects the same of it, and no balance, for one that does. */
const comparisonsOfTurn = 8;

/**
 * Where bank and model differ about these payments and about any balance, in words; empty when they agree. A payment is read as its TPP
 * reads it when the model expects another status than before. In turn one of the others is read too, and every balance.
 */
export async function differences(bank: Bank, model: Model, payments: readonly ModelPayment[]): Promise<string[]> {
  const found: string[] = [];
  const turn = Number(model.now.replaceAll(/\D/g, ''));
  const inTurn = turn % (payments.length * comparisonsOfTurn);
  for (const [index, payment] of payments.entries()) {
    const expected = model.seen(payment);
    if (index !== inTurn && compared.get(payment) === expected) continue;
    compared.set(payment, expected);
    const status = await statusOf(bank, payment);
    if (status !== expected) found.push(`${payment.id} is ${status}, and ${expected} by the model`);
  }
  if (turn % comparisonsOfTurn === 0) found.push(...(await balanceDifferences(bank, model)));
  return found;
}

/** As the TPP reads it; null when it cannot be read. */
async function statusOf(bank: Bank, { id }: ModelPayment): Promise<string | null> {
  const read = await orRefusal(readPaymentStatus(bank, { tppId: tpp.id, psu: {}, path: { paymentId: id } }));
  return typeof read === 'string' ? null : read.payment.status;
}

async function balanceDifferences(bank: Bank, model: Model): Promise<string[]> {
  const accounts = await inspectAccounts(bank);
  const byNumber = new Map(accounts.map(({ account: { bban }, balances }) => [bban, balances.interimAvailable]));
  return Object.entries(people).flatMap(([name, { bban }]) => {
    const available = byNumber.get(bban);
    if (available === undefined || !model.balances.has(name) || available === model.available(name)) return [];
    return [`${name} has ${available} available, and ${model.available(name)} by the model`];
  });
}

/** Compares every balance, every status, every attempt and every settlement there ever was. */
export async function finalDifferences(bank: Bank, model: Model): Promise<string[]> {
  const found = await balanceDifferences(bank, model);
  for (const [name, { bban }] of Object.entries(people)) {
    if (!model.creditLines.has(name) || model.closed.has(name)) continue;
    const { pending } = await inspectAccount(bank, bban, { from: null, to: null, limit: 0 });
    for (const isDebit of [true, false]) {
      const own = pending.filter(({ isPosted, amount }) => !isPosted && amount.minor < 0n === isDebit);
      const [sum, wanted] = [
        own.reduce((total, { amount }) => total + amount.minor, 0n),
        model.announced(name, isDebit),
      ];
      if (sum !== wanted) found.push(`${name} has ${sum} announced, and ${wanted} by the model`);
    }
  }
  const told: string[] = [];
  const made: string[] = [];
  const wanted: string[] = [];
  for (const payment of model.payments) {
    const [status, expected] = [await statusOf(bank, payment), model.seen(payment)];
    if (status !== expected) found.push(`${payment.id} is ${status}, and ${expected} by the model`);
    const { settled, attempts, days, isPending } = await toldOf(bank, payment);
    told.push(...settled, ...days);
    made.push(...attempts);
    wanted.push(...expectedOf(model, payment, isPending));
  }
  return [
    ...found,
    ...oneSided(told, wanted, 'in the bank only'),
    ...oneSided(wanted, told, 'in the model only'),
    ...oneSided(made, model.attempts, 'attempted in the bank only'),
    ...oneSided(model.attempts, made, 'attempted in the model only'),
  ];
}

/** What the bank tells of a payment, a line for each: debits, attempts of runs, and its days. `isPending`: no run has booked a debit. */
async function toldOf(bank: Bank, { id }: ModelPayment) {
  const { attempts, occurrences, entries } = await inspectPayment(bank, id);
  const placeOf = ({ item = '', nominalDate }: { readonly item?: string; readonly nominalDate: string }): string =>
    `${item} ${nominalDate}`;
  const dates = new Map(occurrences.map((one) => [placeOf(one), one.executionDate]));
  const numbers = new Map<string, number>();
  const settledAt = new Map<string, string>();
  const lines = attempts.flatMap((one) => {
    const place = placeOf(one);
    const number = (numbers.get(place) ?? 0) + 1;
    numbers.set(place, number);
    if (one.outcome === 'settle') settledAt.set(place, timeAt(one.at));
    if (one.run === null) return [];
    const what = `${id} ${one.nominalDate} ${dates.get(place)} ${one.run} ${number}`;
    return [`${what} ${one.outcome} ${one.available.minor} of ${one.needed.minor}`];
  });
  const debits = entries.filter(({ leg }) => leg === 'debtor');
  const settled = debits.map((one) => {
    const [place, booked] = [placeOf(one), one.bookingDate ?? 'pending'];
    const times = `${settledAt.get(place)} ${booked} ${one.valueDate} ${numbers.get(place)}`;
    return `${id} ${one.nominalDate} ${times} ${-one.amount.minor}`;
  });
  const scheduled = occurrences.filter(({ status }) => status !== 'planned');
  return {
    settled,
    attempts: lines,
    days: scheduled.map(
      (one) => `${id} ${one.nominalDate} ${one.executionDate} ${isOpenStatus(one.status) ? 'open' : one.status}`,
    ),
    isPending: debits.some(({ booked }) => !booked),
  };
}

function isOpenStatus(status: string): boolean {
  return ['ACSP', 'PDNG', 'ACCP'].includes(status);
}

/** The debits and the days of a payment by the model. What the last run posted, or was posted since, may be pending (rules.md S6, P10b). */
function expectedOf(model: Model, { id, from, executions, finalIn }: ModelPayment, isPending: boolean): string[] {
  const scheduled = executions.filter(({ laid }) => laid !== Infinity);
  const days = scheduled.map(({ nominal, date, status }) => `${id} ${nominal} ${date} ${status}`);
  const debits = executions.flatMap((execution) => {
    const { nominal, settledIn, signedAt, attempts, amount, fee } = execution;
    if (settledIn === null) return [];
    const isOpen = isPending && ((settledIn === signedAt ? finalIn : null) ?? settledIn) >= model.lastRun;
    const line = (day: string, minor: bigint): string => {
      const booked = isOpen ? 'pending' : day;
      return [id, nominal, settledIn, booked, model.valueOf(execution, from), attempts, minor].join(' ');
    };
    const paid = line(model.bookedDayOf(execution), amount);
    return fee === undefined ? [paid] : [paid, line(model.feeBookedOn(settledIn), fee)];
  });
  return [...debits, ...days];
}

function oneSided(left: readonly string[], right: readonly string[], where: string): string[] {
  const others = Map.groupBy(right, (one) => one);
  return [...Map.groupBy(left, (one) => one)].flatMap(([one, all]) => {
    const more = all.length - (others.get(one)?.length ?? 0);
    return more > 0 ? [`${where}${more > 1 || others.has(one) ? `, ${more} more` : ''}: ${one}`] : [];
  });
}
