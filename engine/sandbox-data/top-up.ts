import { osloDate } from '../values/instant.ts';
import type { Amount } from '../values/money.ts';
import { bankTime, type BankContext } from '../bank/bank-context.ts';
import { NotAllowed } from '../bank/not-allowed.ts';
import { accountByKey } from '../accounts/rows/accounts.ts';
import { postDirectly } from '../accounts/post.ts';
import { requireAccountByNumber } from '../accounts/customer-accounts.ts';
import { inspectedAccount, type InspectedAccount } from './inspect-accounts.ts';

/**
 * Money from the clearing account to an open customer account, booked at once and dated today, as a mock transaction is
 * (rules.md D3, S6). `amount` is above zero. Unknown account: NOT_FOUND; another currency than the account's, or a balance
 * beyond 10^17 minor units (P4): FORMAT_ERROR.
 */
export function topUp(bank: BankContext, number: string, amount: Amount): Promise<InspectedAccount> {
  return bank.ledger.write(async (tx) => {
    const account = await requireAccountByNumber(tx, number);
    const { currency } = account;
    if (amount.currency !== currency) {
      const text = `The account is in ${currency}, the amount in ${amount.currency}. Send ${currency}.`;
      throw new NotAllowed({ code: 'FORMAT_ERROR', path: 'amount.currency', text }, [currency]);
    }
    const time = await bankTime(bank, tx);
    const today = osloDate(time.now);
    const details = JSON.stringify({ remittanceInformationUnstructured: 'Top-up' });
    const movement = { kind: 'transaction', details, amount: amount.minor } as const;
    await postDirectly(bank.ids, tx, account, { ...movement, bookingDate: today, valueDate: today });
    return inspectedAccount(tx, await accountByKey(tx, account.id), time);
  });
}
