import type { Static } from '../bodies/schema.ts';
import type { Bank } from '../../engine/bank.ts';
import { readClock } from '../../engine/bank/read-clock.ts';
import { withBalances } from '../../engine/settlement/account-balances.ts';
import { listSandboxAccounts } from '../../engine/sandbox-data/customers.ts';
import { listPsus } from '../../engine/sandbox-data/psus.ts';
import { listSandboxTransactions } from '../../engine/accounts/mock-transactions.ts';
import { headlineOf, type Transaction } from '../../engine/accounts/transaction.ts';
import type { Currency } from '../../engine/values/currency.ts';
import type { accountList, accountStatement } from '../control/accounts.ts';
import { amountJson } from '../control/format.ts';
import { isNumberOf, type Signer, signerInPrivate, signerNamed, signersOf } from '../bodies/signers.ts';
import { nearest } from '../faults/nearest.ts';
import { BankError, type BankErrorFacts } from './bank-error.ts';
import type { Control } from './control.ts';
import { textGiven } from './given.ts';
import type { AccountState, BankInfo } from './types.ts';

/** Maximum number of transactions in an account state. */
const maxTransactions = 20;

/** An open account. */
interface FoundAccount extends Pick<AccountState, 'bban' | 'iban' | 'holder'> {
  readonly currency: string;
  /** Reads its balance and its latest transactions. */
  state(): Promise<AccountState>;
}

/** What the calls of a test need to know of the people and accounts of a bank. */
export interface BankFacts {
  /** All open accounts. */
  accounts(): Promise<readonly FoundAccount[]>;
  /** The first PSUs. */
  psus(): Promise<BankInfo['psus']>;
}

/** The facts of a bank of this process, from its ledger. `catchUp` carries out the runs that are due. */
export function factsOfLedger(bank: Bank, catchUp: () => Promise<void>): BankFacts {
  return {
    psus: () => listPsus(bank),
    accounts: async () => {
      await catchUp();
      return (await listSandboxAccounts(bank)).map(({ account, customerNumber: holder }) => {
        const { resource_id: id, bban, iban, name, currency, balance_minor: balance } = account;
        const state = async (): Promise<AccountState> => {
          const window = { from: null, to: null, offset: 0, limit: maxTransactions };
          const { now } = await readClock(bank);
          const [found] = await bank.ledger.read((reader) => withBalances(reader, [account], { now }, true));
          const latest = await listSandboxTransactions(bank, id, window);
          return {
            bban,
            iban,
            name,
            holder,
            balance: amountJson({ minor: balance, currency }),
            available: amountJson({ minor: found?.balances?.interimAvailable ?? balance, currency }),
            transactions: latest.map(formatTransaction),
          };
        };
        return { bban, iban, holder, currency, state };
      });
    },
  };
}

/** The facts of a bank behind an address, from its control plane. */
export function factsOfServer(control: Control): BankFacts {
  return {
    psus: async () => (await control<BankInfo>('GET', '/info')).psus,
    accounts: async () => {
      const { accounts } = await control<Static<typeof accountList>>('GET', '/accounts');
      return accounts.map(({ number, iban, owner, currency }) => {
        const own = { bban: number === iban ? null : number, iban, holder: owner.number };
        const state = async (): Promise<AccountState> => {
          const path = `/accounts/${encodeURIComponent(number)}`;
          const statement = await control<Static<typeof accountStatement>>('GET', path);
          const { entries, pending, name, booked, available } = statement;
          const posted = [
            ...entries.filter(({ transactionId }) => transactionId !== null),
            ...pending.map((entry) => ({ ...entry, bookingDate: null })),
          ];
          const counted = [booked, ...pending.filter(({ isPosted }) => isPosted).map(({ amount }) => amount)];
          const minor = counted.reduce((sum, { amount }) => sum + minorOf(amount), 0n);
          return {
            ...own,
            name,
            balance: amountJson({ minor, currency: available.currency as Currency }),
            available,
            transactions: posted
              .slice(-maxTransactions)
              .toReversed()
              .map(({ amount, bookingDate, text }) => ({ amount, bookingDate, booked: bookingDate !== null, text })),
          };
        };
        return { ...own, currency, state };
      });
    },
  };
}

/** The minor units of a decimal text of the bank, which has all digits of its currency. */
function minorOf(decimal: string): bigint {
  return BigInt(decimal.replace('.', ''));
}

/** How the control plane refuses an unknown account in a path. */
const notFound: BankErrorFacts = { status: 404, code: 'NOT_FOUND' };

/**
 * An open account by BBAN or IBAN. Throws a BankError that names the nearest number. `refusal`: status and code of that error, as the
 * bank itself refuses the call.
 */
export async function findAccount(facts: BankFacts, number: string, refusal = notFound): Promise<FoundAccount> {
  const wanted = textGiven('bank.account', 'a BBAN or IBAN', number).replaceAll(' ', '');
  const all = await facts.accounts();
  const found = all.find((account) => isNumberOf(wanted, account));
  if (found !== undefined) return found;
  const numbers = all.flatMap(({ bban, iban }) => [bban, iban]).filter((each) => each !== null);
  const hint = nearest(wanted, numbers);
  const advice = numbers.length === 0 ? 'It has none' : hint === null ? 'None is like it' : `The nearest is ${hint}`;
  const text = `This bank has no account ${JSON.stringify(wanted)}. ${advice}; GET /sandbox/info lists them.`;
  throw new BankError(text, refusal);
}

function formatTransaction(transaction: Transaction): AccountState['transactions'][number] {
  const { amount, bookingDate } = transaction;
  return { amount: amountJson(amount), bookingDate, booked: bookingDate !== null, text: headlineOf(transaction) };
}

/** An account's currency, its usual signers, and how any PSU signs. */
export interface Signers {
  readonly currency: string;
  /** The holder, or for a corporation's account the PSUs who may pay from it (rules.md D4). At least one. */
  readonly usual: readonly [Signer, ...Signer[]];
  of(psu: string): Signer;
}

/** The customer numbers in `signedBy`, one or a list; undefined: it was left out. Throws an Error for anything else. */
export function personsIn(call: string, signedBy: unknown): readonly string[] | undefined {
  if (signedBy === undefined) return undefined;
  const all: readonly unknown[] = Array.isArray(signedBy) ? signedBy : [signedBy];
  return all.map((one) => textGiven(call, 'a customer number or a list of them in signedBy', one));
}

/**
 * The signers of an account, by BBAN or IBAN. Throws a BankError for an unknown account, as the bank refuses its payments (rules.md P5b).
 */
export async function whoSigns(facts: BankFacts, account: string): Promise<Signers> {
  const { bban, iban, currency, holder } = await findAccount(facts, account, { status: 400, code: 'RESOURCE_UNKNOWN' });
  const signers = signersOf(await facts.psus(), bban ?? iban ?? '');
  // The list is not of all PSUs.
  const [first = signerInPrivate(holder), ...others] = signers;
  return { currency, usual: [first, ...others], of: (psu) => signerNamed(signers, psu) };
}
