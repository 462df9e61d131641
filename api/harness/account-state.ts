import type { Bank } from '../../engine/bank.ts';
import { readClock } from '../../engine/bank/read-clock.ts';
import { withBalances } from '../../engine/settlement/account-balances.ts';
import { listSandboxAccounts, type SandboxAccount } from '../../engine/sandbox-data/accounts.ts';
import { listSandboxTransactions } from '../../engine/accounts/mock-transactions.ts';
import type { Transaction } from '../../engine/accounts/transaction.ts';
import { amountJson } from '../control/format.ts';
import { isNumberOf } from '../bodies/signers.ts';
import { nearest } from '../faults/nearest.ts';
import { BankError, type BankErrorFacts } from './bank-error.ts';
import { textGiven } from './given.ts';
import type { AccountState } from './types.ts';

/** Maximum number of transactions in an account state. */
const maxTransactions = 20;

/** The state of an account by BBAN or IBAN. Throws a BankError if there is none. */
export async function accountState(bank: Bank, number: string): Promise<AccountState> {
  const { account, holder } = await findAccount(bank, number);
  const { currency, resource_id: id, bban, iban, name, balance_minor: balance } = account;
  const { now } = await readClock(bank);
  const [found] = await bank.ledger.read((reader) => withBalances(reader, [account], { now }, true));
  const latest = await listSandboxTransactions(bank, id, { from: null, to: null, offset: 0, limit: maxTransactions });
  return {
    bban,
    iban,
    name,
    holder,
    balance: amountJson({ minor: balance, currency }),
    available: amountJson({ minor: found?.balances?.interimAvailable ?? balance, currency }),
    transactions: latest.map(formatTransaction),
  };
}

/** How the control plane refuses an unknown account in a path. */
const notFound: BankErrorFacts = { status: 404, code: 'NOT_FOUND' };

/**
 * An open account by BBAN or IBAN, and its holder's customer number. Throws a BankError that names the nearest number. `refusal`: status and
 * code of that error, as the bank itself refuses the call.
 */
export async function findAccount(
  bank: Bank,
  number: string,
  refusal = notFound,
): Promise<{ readonly account: SandboxAccount['account']; readonly holder: string }> {
  const all = await listSandboxAccounts(bank);
  const wanted = textGiven('bank.account', 'a BBAN or IBAN', number).replaceAll(' ', '');
  const found = all.find(({ account }) => isNumberOf(wanted, account));
  if (found !== undefined) return { account: found.account, holder: found.customerNumber };
  const numbers = all.flatMap(({ account: { bban, iban } }) => [bban, iban]).filter((each) => each !== null);
  const hint = nearest(wanted, numbers);
  const advice = numbers.length === 0 ? 'It has none' : hint === null ? 'None is like it' : `The nearest is ${hint}`;
  const text = `This bank has no account ${JSON.stringify(wanted)}. ${advice}; GET /sandbox/info lists them.`;
  throw new BankError(text, refusal);
}

function formatTransaction({ amount, bookingDate, details }: Transaction): AccountState['transactions'][number] {
  const { creditorName, debtorName, remittanceInformationUnstructured: about } = details;
  const whom = amount.minor < 0n ? creditorName : debtorName;
  return { amount: amountJson(amount), bookingDate, booked: bookingDate !== null, text: whom ?? about ?? '' };
}
