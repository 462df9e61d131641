import type { CardAccount } from '../cards/rows/card-accounts.ts';
import { countRead, withAccess, type AccountRequest } from './account-access.ts';
import type { BankContext } from '../bank/bank-context.ts';
import { consentedCard } from './consented-cards.ts';

/** One card account of the consent; with its balances it counts as a read of them (rules.md A8). Another: RESOURCE_UNKNOWN. */
export function readCardAccount(
  bank: BankContext,
  request: AccountRequest,
  cardId: string,
  withBalance: boolean,
): Promise<CardAccount> {
  return withAccess(bank, request, async (reader, access) => {
    const card = await consentedCard(reader, access, cardId);
    if (withBalance) await countRead(access, card, 'balances');
    return card;
  });
}
