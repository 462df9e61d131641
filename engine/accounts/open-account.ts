import type { Currency } from '../values/currency.ts';
import { type Instant, osloDate } from '../values/instant.ts';
import { addDays } from '../values/local-date.ts';
import type { Ids } from '../bank/ids.ts';
import type { Writer } from '../ledger/database.ts';
import { ensureClearing, postDirectly } from './post-directly.ts';
import { type Account, accountByKey, insertAccount } from './rows/accounts.ts';
import type { KidAgreement } from './rows/tables.ts';

/** An account to open. Amounts in minor units of its currency. */
export interface NewAccount {
  readonly customerId: number;
  readonly name: string;
  readonly bban: string | null;
  readonly iban: string | null;
  readonly currency: Currency;
  readonly product: string | null;
  readonly cashAccountType: string | null;
  readonly creditLine: bigint;
  readonly openingBalance: bigint;
  readonly kidAgreement: KidAgreement | null;
  readonly signaturesRequired: number;
  readonly paymentsAllowed: boolean;
}

/** Inserts an account and posts its opening balance against clearing (rules.md D3). */
export async function openAccount(ids: Ids, tx: Writer, wanted: NewAccount, now: Instant): Promise<Account> {
  await ensureClearing(ids, tx, wanted.currency);
  const account = await insertAccount(tx, {
    resource_id: ids.resourceId(),
    kind: 'customer',
    customer_id: wanted.customerId,
    name: wanted.name,
    bban: wanted.bban,
    iban: wanted.iban,
    currency: wanted.currency,
    product: wanted.product,
    cash_account_type: wanted.cashAccountType,
    credit_line_minor: wanted.creditLine,
    balance_minor: 0n,
    kid_agreement: wanted.kidAgreement,
    signatures_required: wanted.signaturesRequired,
    payments_allowed: wanted.paymentsAllowed ? 1 : 0,
    closed_at: null,
  });
  if (wanted.openingBalance === 0n) return account;
  // Dated the day before, so that it is today's opening balance.
  const day = addDays(osloDate(now), -1);
  await postDirectly(ids, tx, account, {
    kind: 'opening',
    details: '{}',
    amount: wanted.openingBalance,
    bookingDate: day,
    valueDate: day,
  });
  return accountByKey(tx, account.id);
}
