import type { Bank } from '../../api/harness/index.ts';

interface Returned {
  readonly reason: string;
  readonly due: string;
  readonly at: string | null;
  readonly amount: { readonly amount: string } | null;
}

/** What a bank tells of the returns of a payment. */
export const returnsOf = async (bank: Bank, id: string): Promise<Returned[]> =>
  ((await bank.payments(id)) as unknown as { returns: Returned[] }).returns;

/** Each return in a line: reason, due day, when it came back, and the amount. */
export const told = async (bank: Bank, id: string): Promise<string[]> =>
  (await returnsOf(bank, id)).map(
    ({ reason, due, at: when, amount }) => `${reason} ${due} ${when?.slice(0, 16)} ${amount?.amount}`,
  );
