import { tellConsents } from '../consents/tell-consents.ts';
import { Refusal } from '../values/fault.ts';
import { allCardAccounts, type CardAccount, closeCardAccount } from '../cards/rows/card-accounts.ts';
import { customerByNumber } from '../parties/rows/customers.ts';
import { type BankContext, bankNow } from '../bank/bank-context.ts';
import { holderUnknown } from '../parties/holder-unknown.ts';
import { type NewCardAccount, openCardAccount } from '../cards/open-card-account.ts';
import { requireCardAccount } from '../cards/find-card-account.ts';
import { endConsentsLeftEmpty } from '../consents/rows/ended-access.ts';

export type CreateCardAccount = Omit<NewCardAccount, 'customerId'> & { readonly customerNumber: string };

/** Creates a card account (rules.md D1). Two cards may have the same masked PAN. Unknown customerNumber: RESOURCE_UNKNOWN. */
export function createCardAccount(bank: BankContext, wanted: CreateCardAccount): Promise<CardAccount> {
  return bank.ledger.write(async (tx) => {
    const holder = await customerByNumber(tx, wanted.customerNumber);
    if (holder === undefined) throw new Refusal(holderUnknown(wanted.customerNumber));
    return openCardAccount(bank.ids, tx, { ...wanted, customerId: holder.id });
  });
}

/** Reads one card account. Unknown: RESOURCE_UNKNOWN. */
export function readSandboxCardAccount(bank: BankContext, cardAccountId: string): Promise<CardAccount> {
  return bank.ledger.read((reader) => requireCardAccount(reader, cardAccountId));
}

/** Lists the open card accounts, in the order in which they were opened. */
export function listSandboxCardAccounts(bank: BankContext): Promise<CardAccount[]> {
  return bank.ledger.read(allCardAccounts);
}

/** Deletes a card account; consents to it alone end (rules.md D2). Unknown: RESOURCE_UNKNOWN. */
export async function deleteCardAccount(bank: BankContext, cardAccountId: string): Promise<void> {
  await bank.ledger.write(async (tx) => {
    const card = await requireCardAccount(tx, cardAccountId);
    const now = await bankNow(bank, tx);
    await closeCardAccount(tx, card.id, now);
    tellConsents(bank, 'ended', await endConsentsLeftEmpty(tx, { cardAccountId: card.id }, now), now);
  });
}
