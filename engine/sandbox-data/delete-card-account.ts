import { closeCardAccount } from '../cards/rows/card-accounts.ts';
import { endConsentsLeftEmpty } from '../consents/rows/ended-access.ts';
import { tellConsents } from '../consents/tell-consents.ts';
import { bankNow, type BankContext } from '../bank/bank-context.ts';
import { requireCardAccount } from '../cards/find-card-account.ts';

/** Deletes a card account; consents to it alone end (rules.md D2). Unknown: RESOURCE_UNKNOWN. */
export async function deleteCardAccount(bank: BankContext, cardAccountId: string): Promise<void> {
  await bank.ledger.write(async (tx) => {
    const card = await requireCardAccount(tx, cardAccountId);
    const now = await bankNow(bank, tx);
    await closeCardAccount(tx, card.id, now);
    tellConsents(bank, 'ended', await endConsentsLeftEmpty(tx, { cardAccountId: card.id }, now), now);
  });
}
