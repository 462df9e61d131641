import { type Instant, osloDate } from '../values/instant.ts';
import type { Ids } from '../bank/ids.ts';
import type { Writer } from '../ledger/database.ts';
import { postDirectly } from './post-directly.ts';
import { type Account, markAccountClosed } from './rows/accounts.ts';

/**
 * Posts the balance of an account to clearing, and closes it (rules.md D2, S5). Its entries stay; its number is free. `account` must
 * be the current row in this transaction.
 */
export async function closeAccount(ids: Ids, tx: Writer, account: Account, at: Instant): Promise<void> {
  if (account.balance_minor !== 0n) {
    const today = osloDate(at);
    const closing = { kind: 'closing', details: '{}', amount: -account.balance_minor } as const;
    await postDirectly(ids, tx, account, { ...closing, bookingDate: today, valueDate: today });
  }
  await markAccountClosed(tx, account.id, at);
}
