import { Refusal } from '../values/fault.ts';
import type { CardAccount } from '../cards/rows/card-accounts.ts';
import { customerByNumber } from '../parties/rows/customers.ts';
import type { BankContext } from '../bank/bank-context.ts';
import { holderUnknown } from '../parties/holder-unknown.ts';
import { openCardAccount, type NewCardAccount } from '../cards/open-card-account.ts';

export type CreateCardAccount = Omit<NewCardAccount, 'customerId'> & { readonly customerNumber: string };

/** Opens a card account (rules.md D1). Two cards may look alike masked. A customerNumber that nobody has: RESOURCE_UNKNOWN. */
export function createCardAccount(bank: BankContext, wanted: CreateCardAccount): Promise<CardAccount> {
  return bank.ledger.write(async (tx) => {
    const holder = await customerByNumber(tx, wanted.customerNumber);
    if (holder === undefined) throw new Refusal(holderUnknown(wanted.customerNumber));
    return openCardAccount(bank.ids, tx, { ...wanted, customerId: holder.id });
  });
}
