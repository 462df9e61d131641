import { accountByNumber } from '../accounts/rows/accounts.ts';
import { type BankContext, readBank } from '../bank/bank-context.ts';
import type { PsuContext } from '../parties/rows/customers.ts';
import type { Currency } from '../values/money.ts';
import { payersOf } from './rows/open-scas.ts';

/** An account that payments are made from. */
interface PayingAccount {
  readonly currency: Currency;
  /**
   * The PSUs who may pay from it, each once: the holder, or those engaged for a company, with the id of their agreement
   * (rules.md D4, A4). None: no agreement has the account of a company with REGISTER.
   */
  readonly payers: readonly { readonly psu: string; readonly context: PsuContext; readonly agreement: string }[];
}

/** Finds an open account of a customer by BBAN or IBAN, and who may pay from it. */
export function whoPays(bank: BankContext, number: string): Promise<PayingAccount | null> {
  return readBank(bank, async ({ reader }) => {
    const account = await accountByNumber(reader, number);
    if (account === undefined || account.customer_id === null) return null;
    const payers = new Map((await payersOf(reader, [account.id])).map((payer) => [payer.customer_number, payer]));
    return {
      currency: account.currency,
      payers: [...payers].map(([psu, { context, agreement_resource_id: agreement }]) => ({ psu, context, agreement })),
    };
  });
}
