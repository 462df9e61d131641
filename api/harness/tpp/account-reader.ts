import { membersGiven, textGiven, wrongGiven } from '../given.ts';
import { BankError } from '../bank-error.ts';
import type { AccountReader, ConsentOrder, Links, ReadAccount, ReadBalance, ReadTransactions } from '../types.ts';
import { approve, ask, startSca } from './ask.ts';
import type { Surroundings } from './pay.ts';

interface TransactionPage {
  readonly transactions: ReadTransactions & { readonly _links: Links<'self', 'next'> };
}

/** Has a PSU consent in the SCA that the TPP starts (rules.md A7). Throws a BankError when the PSU cannot. */
export async function consent({ tpp, psu }: Surroundings, order: ConsentOrder): Promise<AccountReader> {
  if (typeof order !== 'object') throw wrongGiven('tpp.consent', 'whose consent it is: {psu}', order);
  membersGiven('tpp.consent', ['psu', 'context', 'agreement', 'accounts'], order);
  const { psu: customerNumber, ...approval } = order;
  const page = await startSca(tpp, '/v1/bank-offered-consents');
  const granted = await approve(psu(customerNumber), page, approval);
  const headers = Object.fromEntries(
    ['psu-id', 'psu-corporate-id', 'tpp-session-id'].flatMap((name) => {
      const value = granted.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
  const read = <Answer>(path: string) => ask<Answer>(tpp, 'The reading', path, { headers });
  const accounts = async () => (await read<{ readonly accounts: readonly ReadAccount[] }>('/v1/accounts')).accounts;
  const pathOf = async (call: string, account: string) => {
    const wanted = textGiven(call, 'a BBAN, an IBAN or a resourceId', account);
    const all = await accounts();
    const found = all.find(({ resourceId, bban, iban }) => [resourceId, bban, iban].includes(wanted));
    if (found !== undefined) return `/v1/accounts/${found.resourceId}`;
    const numbers = all.map(({ resourceId, bban, iban }) => bban ?? iban ?? resourceId).join(', ');
    throw new BankError(`The PSU has not consented to ${wanted}. There are ${numbers}.`);
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
