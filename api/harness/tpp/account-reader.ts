import type { ListedPsu } from '../../../engine/sandbox-data/psus.ts';
import { BankError } from '../bank-error.ts';
import { membersGiven, textGiven, wrongGiven } from '../given.ts';
import type { AccountReader, ConsentOrder, Links, ReadAccount, ReadBalance, ReadTransactions } from '../types.ts';
import { approve, ask, startSca } from './ask.ts';
import type { Surroundings } from './pay.ts';

interface ConsentSurroundings extends Pick<Surroundings, 'tpp' | 'psu'> {
  /** The first PSUs of the bank. */
  psus(): Promise<readonly ListedPsu[]>;
}

interface TransactionPage {
  readonly transactions: ReadTransactions & { readonly _links: Links<'self', 'next'> };
}

/**
 * Has a PSU consent in the SCA that the TPP starts (rules.md A7). Throws a BankError when the PSU cannot, or has nothing to grant; with
 * `accounts: []` the PSU grants nothing (A7c).
 */
export async function consent({ tpp, psu, psus }: ConsentSurroundings, order: ConsentOrder): Promise<AccountReader> {
  if (typeof order !== 'object') throw wrongGiven('tpp.consent', 'whose consent it is: {psu}', order);
  membersGiven('tpp.consent', ['psu', 'context', 'agreement', 'accounts'], order);
  const { psu: customerNumber, ...approval } = order;
  if (order.accounts === undefined) requireSomething(await psus(), order);
  const page = await startSca(tpp, '/v1/bank-offered-consents');
  const granted = await approve(psu(customerNumber), page, approval);
  const headers = Object.fromEntries(
    ['psu-id', 'psu-corporate-id', 'tpp-session-id'].flatMap((name) => {
      const value = granted.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
  const read = <Answer>(path: string, what = 'The reading') => ask<Answer>(tpp, what, path, { headers });
  const accounts = async () => (await read<{ readonly accounts: readonly ReadAccount[] }>('/v1/accounts')).accounts;
  const pathOf = async (call: string, account: string) => {
    const wanted = textGiven(call, 'a BBAN, an IBAN or a resourceId', account);
    const all = await accounts();
    const found = all.find(({ resourceId, bban, iban }) => [resourceId, bban, iban].includes(wanted));
    if (found !== undefined) return `/v1/accounts/${found.resourceId}`;
    // The bank refuses it: with the numbers that there are, as its own answer has no account number.
    const numbers = all.map(({ resourceId, bban, iban }) => bban ?? iban ?? resourceId).join(', ') || 'no account';
    const what = `The PSU has not granted ${wanted}. Granted: ${numbers}. The reading`;
    return read<never>(`/v1/accounts/${encodeURIComponent(wanted)}/balances`, what);
  };
  return {
    headers,
    accounts,
    balances: async (account) => {
      const path = `${await pathOf('reader.balances', account)}/balances`;
      return (await read<{ readonly balances: readonly ReadBalance[] }>(path)).balances;
    },
    transactions: async (account, period = {}) => {
      membersGiven('reader.transactions', ['from', 'to'], period);
      const { from, to } = period;
      const query = new URLSearchParams({
        bookingStatus: 'both',
        ...(from !== undefined && { dateFrom: from }),
        ...(to !== undefined && { dateTo: to }),
      });
      const booked: ReadTransactions['booked'][number][] = [];
      let path: string | undefined = `${await pathOf('reader.transactions', account)}/transactions?${query.toString()}`;
      for (;;) {
        const { transactions }: TransactionPage = await read<TransactionPage>(path);
        booked.push(...transactions.booked);
        path = transactions._links.next?.href;
        // Every page has all pending ones.
        if (path === undefined) return { booked, pending: transactions.pending };
      }
    },
  };
}

/**
 * Throws a BankError, with which the bank would refuse the reading, for a PSU who has nothing to grant in private. One who is not among
 * the first PSUs of the bank is left to the bank.
 */
function requireSomething(psus: readonly ListedPsu[], { psu, context = 'PRIVATE' }: ConsentOrder): void {
  const found = psus.find(({ customerNumber }) => customerNumber === psu);
  if (found === undefined || context !== 'PRIVATE' || found.accounts.length + found.cards.length > 0) return;
  const viewed = found.engagements.filter(({ roles }) => roles.includes('VIEW'));
  const names = [...new Set(viewed.map(({ agreement }) => agreement.name))].join(' or ');
  const advice = names === '' ? '' : ` context: 'CORPORATE' grants the accounts of ${names}.`;
  const text = `The PSU ${psu} has no private account or card to grant.${advice}`;
  throw new BankError(text, { status: 401, code: 'CONSENT_INVALID' });
}
