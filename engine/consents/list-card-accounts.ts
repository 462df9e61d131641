import { cardAccountsOfConsent, type CardAccount } from '../cards/rows/card-accounts.ts';
import { countRead, withAccess, type AccountRequest } from './account-access.ts';
import type { BankContext } from '../bank/bank-context.ts';

/** Lists the card accounts of the consent (rules.md A7), with balances if wanted; that counts as a read of each (A8). */
export function listCardAccounts(
  bank: BankContext,
  request: AccountRequest,
  withBalance: boolean,
): Promise<CardAccount[]> {
  return withAccess(bank, request, async (reader, access) => {
    const cards = await cardAccountsOfConsent(reader, access.consentId);
    if (withBalance) for (const card of cards) await countRead(access, card, 'balances');
    return cards;
  });
}
