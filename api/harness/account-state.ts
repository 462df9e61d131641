import type { AnswerTo } from '../openapi/calls.ts';
import { formattedAmount } from '../../engine/values/money.ts';
import { isNumberOf, type Signer, signerInPrivate, signerNamed, signersOf } from '../bodies/signers.ts';
import { nearest } from '../faults/nearest.ts';
import { BankError, type BankErrorFacts } from './bank-error.ts';
import type { Control } from './connect.ts';
import { textGiven } from './given.ts';
import type { AccountState } from './types/index.ts';

/** Maximum number of transactions in an account state. */
const maxTransactions = 20;

/** An open account, as the control plane lists it. */
type Listed = AnswerTo<'GET /accounts'>['accounts'][number];

/** An account by BBAN or IBAN, with its balance and its latest transactions. */
export async function readAccount(control: Control, wanted: string): Promise<AccountState> {
  const { number, iban, owner } = await findAccount(control, wanted);
  const statement = await control('GET /accounts/:number', { params: { number } });
  const { entries, pending, name, booked, available } = statement;
  const posted = [
    ...entries.filter(({ transactionId }) => transactionId !== null),
    ...pending.map((entry) => ({ ...entry, bookingDate: null })),
  ];
  const counted = [booked, ...pending.filter(({ isPosted }) => isPosted).map(({ amount }) => amount)];
  const minor = counted.reduce((sum, { amount }) => sum + minorOf(amount), 0n);
  return {
    bban: number === iban ? null : number,
    iban,
    name,
    holder: owner.number,
    balance: formattedAmount({ minor, currency: available.currency }),
    available,
    transactions: posted
      .slice(-maxTransactions)
      .toReversed()
      .map(({ amount, bookingDate, text }) => ({ amount, bookingDate, booked: bookingDate !== null, text })),
  };
}

/** The minor units of a decimal text of the bank, which has all digits of its currency. */
function minorOf(decimal: string): bigint {
  return BigInt(decimal.replace('.', ''));
}

/** How the control plane refuses an unknown account in a path. */
const notFound: BankErrorFacts = { status: 404, code: 'NOT_FOUND' };

/**
 * An open account by BBAN or IBAN. Throws a BankError that names the nearest number. `refusal`: status and code of that
 * error, as the bank itself refuses the call.
 */
export async function findAccount(control: Control, number: string, refusal = notFound): Promise<Listed> {
  const wanted = textGiven('bank.account', 'a BBAN or IBAN', number).replaceAll(' ', '');
  const { accounts } = await control('GET /accounts');
  const found = accounts.find(({ number: bban, iban }) => isNumberOf(wanted, { bban, iban }));
  if (found !== undefined) return found;
  const numbers = accounts.flatMap(({ number: own, iban }) => [own, ...(iban === null ? [] : [iban])]);
  const hint = nearest(wanted, numbers);
  const advice = numbers.length === 0 ? 'It has none' : hint === null ? 'None is like it' : `The nearest is ${hint}`;
  const text = `This bank has no account ${JSON.stringify(wanted)}. ${advice}; GET /sandbox/info lists them.`;
  throw new BankError(text, refusal);
}

/** An account's currency, its usual signers, and how any PSU signs. */
export interface Signers {
  readonly currency: string;
  /** The holder, or for a corporation's account the PSUs who may pay from it (rules.md D4). */
  readonly usual: readonly Signer[];
  of(psu: string): Signer;
}

/**
 * The customer numbers in `signedBy`, one or a list, or undefined if it was left out. Throws a Mistake for anything
 * else.
 */
export function personsIn(call: string, signedBy: unknown): readonly string[] | undefined {
  if (signedBy === undefined) return undefined;
  const all: readonly unknown[] = Array.isArray(signedBy) ? signedBy : [signedBy];
  return all.map((one) => textGiven(call, 'a customer number or a list of them in signedBy', one));
}

/** The currency of an account, and who signs its payments. Null for an unknown account. */
export type FindPayer = (account: string) => Promise<Pick<Signers, 'currency' | 'usual'> | null>;

/**
 * The signers of an account, by BBAN or IBAN. Throws a BankError for an unknown account, as the bank refuses its
 * payments (rules.md P5b). `payer`: of a bank in this process, which tells it in one read.
 */
export async function whoSigns(control: Control, account: string, payer?: FindPayer): Promise<Signers> {
  const known = await payer?.(account);
  if (known) return { ...known, of: (psu) => signerNamed(known.usual, psu) };
  const { number, currency, owner } = await findAccount(control, account, { status: 400, code: 'RESOURCE_UNKNOWN' });
  const { psus } = await control('GET /info');
  const signers = signersOf(psus, number);
  // The list is not of all PSUs. Only a private customer has a number of eleven digits.
  const holder = signers.length === 0 && owner.number.length === 11 ? [signerInPrivate(owner.number)] : [];
  return { currency, usual: [...signers, ...holder], of: (psu) => signerNamed(signers, psu) };
}
