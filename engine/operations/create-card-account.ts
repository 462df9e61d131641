import { Refusal } from '../core/fault.ts';
import type { CardAccount } from '../ledger/card-accounts.ts';
import { customerByNumber } from '../ledger/customers.ts';
import type { BankContext } from './shared/bank-context.ts';
import { holderUnknown } from './shared/holder-unknown.ts';
import { openCardAccount, type NewCardAccount } from './shared/open-card-account.ts';

export type CreateCardAccount = Omit<NewCardAccount, 'customerId'> & { readonly customerNumber: string };

/** Opens a card account (rules.md D1). Two cards may look alike masked. A customerNumber that nobody has: RESOURCE_UNKNOWN. */
export function createCardAccount(bank: BankContext, wanted: CreateCardAccount): Promise<CardAccount> {
  return bank.ledger.write(async (tx) => {
    const holder = await customerByNumber(tx, wanted.customerNumber);
    if (holder === undefined) throw new Refusal(holderUnknown(wanted.customerNumber));
    return openCardAccount(bank.ids, tx, { ...wanted, customerId: holder.id });
  });
}
