import type { CashAccountType } from '../values/customer-type.ts';
import { parseIban } from '../values/account-number.ts';
import { clip } from '../values/text.ts';
import { Refusal } from '../values/fault.ts';
import {
  type Account,
  findAccount,
  accountByKey,
  accountByNumber,
  insertAccount,
  markAccountClosed,
} from './rows/accounts.ts';
import type { Reader, Row, Writer } from '../ledger/database.ts';
import type { Currency } from '../values/money.ts';
import { type Instant, osloDate } from '../values/instant.ts';
import type { LocalDate } from '../values/local-date.ts';
import type { Ids } from '../bank/ids.ts';
import { ensureClearing, postDirectly } from './post.ts';
import { releaseAll } from './reservations.ts';
import { renewResourceIds } from '../ledger/queries.ts';
import { redateEntries } from './rows/entries.ts';

/** Finds the account of a sandbox-data path. Unknown or deleted: RESOURCE_UNKNOWN. */
export async function requireAccount(reader: Reader, accountId: string): Promise<Account> {
  const account = await findAccount(reader, accountId);
  if (account !== undefined) return account;
  const text = `There is no account ${clip(accountId)}. GET /v1/sandbox/accounts lists them, with their resourceId.`;
  throw new Refusal({ code: 'RESOURCE_UNKNOWN', place: 'account', text });
}

/** Finds an open customer account by BBAN or IBAN, with or without blanks. Unknown: NOT_FOUND. */
export async function requireAccountByNumber(reader: Reader, number: string): Promise<Account> {
  const wanted = number.replaceAll(' ', '').toUpperCase();
  const account = await accountByNumber(reader, wanted);
  if (account !== undefined) return account;
  const iban = /^[A-Z]{2}\d{2}/.test(wanted) ? parseIban(wanted) : null;
  const why = typeof iban === 'string' ? ` As an IBAN: ${iban}.` : '';
  const text =
    `The bank has no account ${clip(number, 40)}.${why} GET /sandbox/accounts lists them; the number is the BBAN of 11 digits or ` +
    'the IBAN. One that was deleted is gone.';
  throw new Refusal({ code: 'NOT_FOUND', text });
}

/** An account to open. Amounts in minor units of its currency. */
export interface NewAccount {
  readonly customerId: number;
  readonly name: string;
  readonly bban: string | null;
  readonly iban: string | null;
  readonly currency: Currency;
  readonly product: string | null;
  readonly cashAccountType: CashAccountType | null;
  readonly creditLine: bigint;
  readonly openingBalance: bigint;
  readonly kidAgreement: Row<'account'>['kid_agreement'];
  readonly signaturesRequired: number;
  readonly paymentsAllowed: boolean;
}

/** Inserts an account and posts its opening balance, dated `openedOn`, against clearing (rules.md D3). */
export async function openAccount(ids: Ids, tx: Writer, wanted: NewAccount, openedOn: LocalDate): Promise<Account> {
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
  await postDirectly(ids, tx, account, {
    kind: 'opening',
    details: '{}',
    amount: wanted.openingBalance,
    bookingDate: openedOn,
    valueDate: openedOn,
  });
  return accountByKey(tx, account.id);
}

/**
 * Posts the balance of an account to clearing, releases its reservations, and closes it (rules.md D2, S5, S8b). Its
 * entries stay; its number is free. `account` must be the current row in this transaction.
 */
export async function closeAccount(ids: Ids, tx: Writer, account: Account, at: Instant): Promise<void> {
  await releaseAll(tx, account.id);
  if (account.balance_minor !== 0n) {
    const today = osloDate(at);
    const closing = { kind: 'closing', details: '{}', amount: -account.balance_minor } as const;
    await postDirectly(ids, tx, account, { ...closing, bookingDate: today, valueDate: today });
  }
  await markAccountClosed(tx, account.id, at);
}

/**
 * Takes over the accounts of another bank's seeded ledger: gives them new ids, and dates their opening balances, unless
 * they have a past.
 */
export async function adoptAccounts(ids: Ids, tx: Writer, openingDay: LocalDate | null): Promise<void> {
  await renewResourceIds(tx, 'account', ids.resourceId);
  await renewResourceIds(tx, 'reservation', ids.resourceId);
  if (openingDay !== null) await redateEntries(tx, openingDay);
}
