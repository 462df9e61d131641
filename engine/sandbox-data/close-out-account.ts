import { osloDate, type Instant } from '../values/instant.ts';
import { closeAccount, type Account } from '../accounts/rows/accounts.ts';
import { deleteEngagementsOfAccount } from '../parties/rows/engagements.ts';
import type { Transaction } from '../ledger/database.ts';
import { endConsentsLeftEmpty } from '../consents/rows/ended-access.ts';
import { forgetAnswersFrom } from '../payments/rows/initiation-answers.ts';
import { unfinishedPaymentsFrom } from '../payments/rows/unfinished-payments.ts';
import { tellConsents } from '../consents/tell-consents.ts';
import type { BankContext } from '../bank/bank-context.ts';
import { cancelPayments } from '../payments/cancel-payments.ts';
import { postDirectly } from '../accounts/post-directly.ts';

/**
 * Closes an account (rules.md D2, S5): its payments not settled become CANC, what is left on it goes to clearing, so
 * that a closed account holds nothing, and nobody has rights to it any more. Its entries stay and its number is free.
 * `account` must be as it stands now in this transaction.
 */
export async function closeOutAccount(
  bank: BankContext,
  tx: Transaction,
  account: Account,
  at: Instant,
): Promise<void> {
  const payments = await unfinishedPaymentsFrom(tx, account.id);
  await cancelPayments(bank, tx, payments, { at, cause: 'debtor account deleted' });
  await forgetAnswersFrom(tx, account.id);
  if (account.balance_minor !== 0n) {
    const today = osloDate(at);
    const rest = { kind: 'closing', details: '{}', amount: -account.balance_minor } as const;
    await postDirectly(bank.ids, tx, account, { ...rest, bookingDate: today, valueDate: today });
  }
  await deleteEngagementsOfAccount(tx, account.id);
  await closeAccount(tx, account.id, at);
  tellConsents(bank, 'ended', await endConsentsLeftEmpty(tx, { accountId: account.id }, at), at);
}
