import { accountByNumber } from '../accounts/rows/accounts.ts';
import { type BankContext, readBank } from '../bank/bank-context.ts';
import { customersByKey, type PsuContext } from '../parties/rows/customers.ts';
import type { Currency } from '../values/money.ts';
import { payersOf } from './rows/open-scas.ts';

/** An account that payments are made from. */
interface PayingAccount {
  readonly currency: Currency;
  /** The customer number of its owner. */
  readonly owner: string;
  /**
   * The PSUs who may pay from it, each once: the holder, or those engaged for a company, with the id of their agreement
   * (rules.md D4, A4).
   */
  readonly payers: readonly { readonly psu: string; readonly context: PsuContext; readonly agreement: string }[];
}

/** Finds an open account of a customer by BBAN or IBAN, and who may pay from it. */
export function whoPays(bank: BankContext, number: string): Promise<PayingAccount | null> {
  return readBank(bank, async ({ reader }) => {
    const account = await accountByNumber(reader, number);
    const holder = account?.customer_id ?? null;
    if (account === undefined || holder === null) return null;
    const owner = (await customersByKey(reader, [holder])).get(holder)?.customer_number ?? '';
    const payers = new Map((await payersOf(reader, [account.id])).map((payer) => [payer.customer_number, payer]));
    return {
      currency: account.currency,
      owner,
      payers: [...payers].map(([psu, { context, agreement_resource_id: agreement }]) => ({ psu, context, agreement })),
    };
  });
}
