import { assert } from '../values/assert.ts';
import { consentedAccount, countRead, withAccess, type AccountRequest } from './account-access.ts';
import { withBalances, type AccountWithBalances } from '../settlement/account-balances.ts';
import type { BankContext } from '../bank/bank-context.ts';

/** One account of the consent, with balances when asked for. Another account: RESOURCE_UNKNOWN. */
export function readAccount(
  bank: BankContext,
  request: AccountRequest,
  accountId: string,
  withBalance: boolean,
): Promise<AccountWithBalances> {
  return withAccess(bank, request, async (reader, access) => {
    const account = consentedAccount(access, accountId);
    if (withBalance) await countRead(access, account, 'balances');
    const [found] = await withBalances(reader, [account], access, withBalance);
    assert(found !== undefined, 'one account gives one answer');
    return found;
  });
}
