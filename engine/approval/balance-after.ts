import { accountsOfCustomer, type Account } from '../accounts/rows/accounts.ts';
import { viewableAccounts } from '../accounts/rows/psu-roles.ts';
import type { BankTime } from '../bank/bank-context.ts';
import type { Reader } from '../ledger/database.ts';
import type { PaymentToSign } from '../payments/payment-to-sign.ts';
import type { SignablePayment } from '../payments/rows/signable-payments.ts';
import type { Signer } from '../payments/sign-payment.ts';
import { withBalances } from '../settlement/account-balances.ts';
import type { Amount } from '../values/money.ts';

/** What is available in a debtor account after payments that are not signed yet. */
export interface BalanceAfter {
  readonly account: Pick<Account, 'name' | 'bban' | 'iban'>;
  /** Below zero if the account lacks the money now. */
  readonly available: Amount;
}

/** A payment, and what is shown of it. */
export interface ShownPayment {
  readonly payment: SignablePayment;
  readonly toSign: PaymentToSign;
}

/**
 * What is available now (rules.md S8: interimAvailable) in each account that pays, less what these payments take from it.
 * Leaves out periodic payments, and accounts that the PSU may not read in its context (A4d).
 */
export async function balancesAfter(
  reader: Reader,
  { customer, acting: { context, agreement } }: Signer,
  shown: readonly ShownPayment[],
  time: Pick<BankTime, 'now'>,
): Promise<BalanceAfter[]> {
  const readable =
    context === 'PRIVATE'
      ? await accountsOfCustomer(reader, customer.id)
      : await viewableAccounts(reader, agreement.id, customer.id);
  const paying = readable.filter(({ id }) => debitsFrom(shown, id).length > 0);
  return (await withBalances(reader, paying, time, true)).flatMap(({ account, balances }) => {
    if (balances === null) return [];
    const { name, bban, iban, currency } = account;
    const taken = debitsFrom(shown, account.id).reduce((sum, { minor }) => sum + minor, 0n);
    return [{ account: { name, bban, iban }, available: { minor: balances.interimAvailable - taken, currency } }];
  });
}

function debitsFrom(shown: readonly ShownPayment[], accountId: number): Amount[] {
  return shown.flatMap(({ payment, toSign: { debit } }) =>
    payment.debtor_account_id === accountId && debit !== null ? [debit] : [],
  );
}
