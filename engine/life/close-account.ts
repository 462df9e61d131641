import { closeAccount } from '../accounts/customer-accounts.ts';
import { followAccount } from '../payments/plan-payments.ts';
import { forgetEvents, postDirectly } from '../accounts/post.ts';
import { releaseReservations } from '../accounts/reservations.ts';
import { accountByKey, type Account } from '../accounts/rows/accounts.ts';
import { reservationsOfLives } from '../accounts/rows/reservations.ts';
import type { TransactionDetails } from '../accounts/rules/transaction-details.ts';
import { bankTime, type BankContext, writingIn } from '../bank/bank-context.ts';
import { keepLivedUntil } from '../bank/change-state.ts';
import { endConsents } from '../consents/consents.ts';
import type { Writer } from '../ledger/database.ts';
import { endEngagementsOn } from '../parties/customers-and-agreements.ts';
import { withdrawPayments } from '../payments/change-status.ts';
import { type Instant, osloDate } from '../values/instant.ts';
import { cancelOrders } from './bank-orders.ts';
import type { Living } from './lives.ts';
import { deleteLife, livedAccounts } from './rows/lives.ts';

/** Ends a life inside the caller's transaction. Returns false if the account has none. */
export async function endLifeOn(bank: BankContext, tx: Writer, accountId: number, at: Instant): Promise<boolean> {
  const { state } = await bankTime(bank, tx);
  if (state.lived_until === null) return false;
  const lives = await livedAccounts(tx);
  if (!lives.some((life) => life.account_id === accountId)) return false;
  await deleteLife(tx, accountId);
  await forgetEvents(tx, accountId);
  if (lives.length === 1) await keepLivedUntil(tx, null);
  await cancelOrders(bank, tx, accountId, at);
  await releaseReservations(tx, await reservationsOfLives(tx, [accountId]));
  return true;
}

/**
 * Closes an account (rules.md D2, S5): its life ends, its open payments become CANC (PART with a settled item, S9c),
 * its ended standing orders leave the payment API (R9c), its balance is posted to clearing, its engagements end, and so
 * do consents to it alone. Its entries stay; its number is free. `account` must be the current row in this transaction;
 * `cause` stands in the history of its payments.
 */
export async function closeOutAccount(
  bank: BankContext,
  tx: Writer,
  account: Account,
  { at, cause }: { readonly at: Instant; readonly cause: string },
): Promise<void> {
  await endLifeOn(bank, tx, account.id, at);
  const writing = writingIn(bank, tx, at);
  await withdrawPayments(writing, { accountId: account.id }, cause);
  await endEngagementsOn(tx, account);
  await closeAccount(bank.ids, tx, account, at);
  await followAccount(tx, account);
  await endConsents(writing, { accountId: account.id });
}

/**
 * Sends the balance of an account to another bank at the midnight at which it moves there, and closes it (rules.md
 * L13).
 */
export async function moveAway(
  bank: BankContext,
  tx: Writer,
  { living, details, at }: { readonly living: Living; readonly details: TransactionDetails; readonly at: Instant },
): Promise<void> {
  const account = await accountByKey(tx, living.row.account_id);
  const dates = { bookingDate: osloDate(at), valueDate: osloDate(at) };
  const moved = JSON.stringify({ ...details, remittanceInformationUnstructured: 'Kontobytte' });
  const transaction = { kind: 'transaction', details: moved, ...dates, amount: -account.balance_minor } as const;
  if (account.balance_minor > 0n) await postDirectly(bank.ids, tx, account, transaction);
  const cause = 'the account moved to another bank';
  await closeOutAccount(bank, tx, await accountByKey(tx, account.id), { at, cause });
}
