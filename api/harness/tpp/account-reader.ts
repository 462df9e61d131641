import { BankError } from '../bank-error.ts';
import { defaultLimit } from '../../interface/accounts/account-request.ts';
import type { Control } from '../connect.ts';
import { membersGiven, partGiven, switchGiven, textGiven, wrongGiven } from '../given.ts';
import type {
  AccountReader,
  BankInfo,
  ConsentOrder,
  Link,
  ReadAccount,
  ReadBalance,
  ReadBookedTransaction,
  ReadTransactions,
  TransactionPeriod,
} from '../types/index.ts';
import { approve, ask, startSca } from './ask.ts';
import type { Surroundings } from './pay.ts';

type ConsentSurroundings = Pick<Surroundings, 'tpp' | 'psu'> & { readonly control: Control };

interface TransactionPage {
  readonly transactions: ReadTransactions & { readonly _links: { readonly next?: Link } };
}

/**
 * The TPP starts an SCA, and the PSU consents in it (rules.md A7). Throws a BankError if the PSU cannot, or has nothing
 * to grant. With `accounts: []` the PSU grants nothing (A7c).
 */
export async function consent({ tpp, psu, control }: ConsentSurroundings, order: ConsentOrder): Promise<AccountReader> {
  if (typeof order !== 'object') throw wrongGiven('tpp.consent', 'whose consent it is: {psu}', order);
  membersGiven('tpp.consent', ['psu', 'context', 'agreement', 'accounts'], order);
  const { psu: customerNumber, ...approval } = order;
  if (order.accounts === undefined) requireSomething((await control('GET /info')).psus, order);
  const page = await startSca(tpp, '/v1/bank-offered-consents');
  const granted = await approve(psu(customerNumber), page, approval);
  const headers = Object.fromEntries(
    ['psu-id', 'psu-corporate-id', 'tpp-session-id'].flatMap((name) => {
      const value = granted.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
  return accountReader(tpp, headers);
}

/** Reads with these headers, which name the PSU and the session. */
function accountReader(tpp: Surroundings['tpp'], headers: AccountReader['headers']): AccountReader {
  /** Sends the GETs of one call. `more`: the members of its options beside `unattended`. */
  const reading = (call: string, options: unknown, more: readonly string[] = []) => {
    membersGiven(call, [...more, 'unattended'], options);
    const isUnattended = switchGiven(call, 'unattended', 'unattended' in options ? options.unattended : undefined);
    // Its absence alone makes a request unattended (rules.md A8).
    const sent = { headers: { ...headers, ...(isUnattended && { 'psu-ip-address': null }) } };
    return <Answer>(path: string, what = 'The reading') => ask<Answer>(tpp, what, path, sent);
  };
  type Read = ReturnType<typeof reading>;
  const accounts = async (read: Read) =>
    (await read<{ readonly accounts: readonly ReadAccount[] }>('/v1/accounts')).accounts;
  const accountPath = async (read: Read, call: string, account: string) => {
    const wanted = textGiven(call, 'a BBAN, an IBAN or a resourceId', account);
    const all = await accounts(read);
    const found = all.find(({ resourceId, bban, iban }) => [resourceId, bban, iban].includes(wanted));
    if (found !== undefined) return `/v1/accounts/${found.resourceId}`;
    // The bank refuses it: with the numbers that there are, as its own answer has no account number.
    const numbers = all.map(({ resourceId, bban, iban }) => bban ?? iban ?? resourceId).join(', ') || 'no account';
    const what = `The PSU has not granted ${wanted}. Granted: ${numbers}. The reading`;
    return read<never>(`/v1/accounts/${encodeURIComponent(wanted)}/balances`, what);
  };
  return {
    headers,
    accounts: async (options = {}) => accounts(reading('reader.accounts', options)),
    balances: async (account, options = {}) => {
      const call = 'reader.balances';
      const read = reading(call, options);
      const path = `${await accountPath(read, call, account)}/balances`;
      return (await read<{ readonly balances: readonly ReadBalance[] }>(path)).balances;
    },
    transactions: async (account, options = {}) => {
      const call = 'reader.transactions';
      const read = reading(call, options, ['from', 'to']);
      const query = queryOf(call, options);
      const booked: ReadBookedTransaction[] = [];
      const first = `${await accountPath(read, call, account)}/transactions?${query}`;
      for (let path = first; ;) {
        const { transactions } = await read<TransactionPage>(path);
        const page = transactions.booked;
        booked.push(...page);
        const { next } = transactions._links;
        // Every page has all pending ones. A bank may link no next page (rules.md Q10).
        if (next === undefined && page.length < defaultLimit) return { booked, pending: transactions.pending };
        path = next?.href ?? `${first}&offset=${booked.length}`;
      }
    },
    transaction: async (account, transactionId, options = {}) => {
      const call = 'reader.transaction';
      const read = reading(call, options);
      const id = encodeURIComponent(partGiven(call, 'a transactionId', transactionId));
      const path = `${await accountPath(read, call, account)}/transactions/${id}`;
      return (await read<{ readonly transactionsDetails: ReadBookedTransaction }>(path)).transactionsDetails;
    },
  };
}

/** The query of a list of booked and pending transactions. */
function queryOf(call: string, { from, to }: TransactionPeriod): string {
  const query = new URLSearchParams({ bookingStatus: 'both' });
  for (const [name, date] of Object.entries({ dateFrom: from, dateTo: to })) {
    if (date !== undefined) query.set(name, textGiven(call, 'a date such as 2027-03-01 in from and to', date));
  }
  return query.toString();
}

/**
 * Throws the BankError of a reading for a PSU who has nothing to grant as a private customer. The bank itself answers
 * for a PSU who is not in its list of the first PSUs.
 */
function requireSomething(psus: BankInfo['psus'], { psu, context = 'PRIVATE' }: ConsentOrder): void {
  const found = psus.find(({ customerNumber }) => customerNumber === psu);
  if (found === undefined || context !== 'PRIVATE' || found.accounts.length + found.cards.length > 0) return;
  const viewed = found.engagements.filter(({ roles }) => roles.includes('VIEW'));
  const names = [...new Set(viewed.map(({ agreement }) => agreement.name))].join(' or ');
  const advice = names === '' ? '' : ` context: 'CORPORATE' grants the accounts of ${names}.`;
  const text = `The PSU ${psu} has no private account or card to grant.${advice}`;
  throw new BankError(text, { status: 401, code: 'CONSENT_INVALID' });
}
