import { Refusal } from '../values/fault.ts';
import { allCardAccounts, type CardAccount } from '../cards/rows/card-accounts.ts';
import { customerByNumber } from '../parties/rows/customers.ts';
import { type BankContext, bankNow } from '../bank/bank-context.ts';
import { holderUnknown } from '../parties/customers-and-agreements.ts';
import { closeCardAccount, type NewCardAccount, openCardAccount, requireCardAccount } from '../cards/card-accounts.ts';
import { endConsents } from '../consents/end-consents.ts';
import type { Instant } from '../values/instant.ts';
import type { Writer } from '../ledger/database.ts';

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
    await closeOutCard(bank, tx, card, await bankNow(bank, tx));
  });
}

/** Closes a card account; consents to it alone end (rules.md D2). */
export async function closeOutCard(bank: BankContext, tx: Writer, card: CardAccount, at: Instant): Promise<void> {
  await closeCardAccount(tx, card, at);
  await endConsents(bank, tx, { cardAccountId: card.id }, at);
}
