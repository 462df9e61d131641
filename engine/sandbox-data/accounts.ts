import { accountNumbers, type AccountNumbers } from '../values/account-number.ts';
import type { Currency } from '../values/currency.ts';
import { type Fault, Refusal, refuseAny } from '../values/fault.ts';
import { type Account, accountByNumber, customerAccounts } from '../accounts/rows/accounts.ts';
import { customerByKey, customerByNumber, customers } from '../parties/rows/customers.ts';
import type { Reader, Writer } from '../ledger/database.ts';
import { type BankContext, bankNow } from '../bank/bank-context.ts';
import { holderUnknown, endEngagementsOn } from '../parties/customers-and-agreements.ts';
import { assert } from '../values/assert.ts';
import { type Instant, osloDate } from '../values/instant.ts';
import { addDays } from '../values/local-date.ts';
import { requireAccount, openAccount, closeAccount } from '../accounts/customer-accounts.ts';
import { endConsents } from '../consents/end-consents.ts';
import { endLifeOn } from '../life/begin-life.ts';
import { withdrawPayments } from '../payments/cancel-payments.ts';

/** An account to create. Amounts in minor units of its currency. */
export interface CreateAccount {
  readonly customerNumber: string;
  readonly name: string;
  /** At least one of the two; the other is derived if possible. Spaces in the IBAN are allowed. */
  readonly bban?: string | undefined;
  readonly iban?: string | undefined;
  readonly currency: Currency;
  readonly product: string | null;
  readonly cashAccountType: string | null;
  readonly creditLine: bigint;
  readonly openingBalance: bigint;
}

/**
 * Creates an account with its opening balance, posted against clearing (rules.md D3). Refuses with all faults at once: an
 * unknown customerNumber (RESOURCE_UNKNOWN), an account number in use (CONFLICT, D3b).
 */
export function createAccount(bank: BankContext, wanted: CreateAccount): Promise<SandboxAccount> {
  return bank.ledger.write(async (tx) => {
    const holder = await customerByNumber(tx, wanted.customerNumber);
    const numbers = accountNumbers(wanted);
    const faults = await conflicts(tx, wanted, numbers);
    if (holder === undefined) throw new Refusal(holderUnknown(wanted.customerNumber), ...faults);
    refuseAny(faults);
    const defaults = { kidAgreement: null, signaturesRequired: 1, paymentsAllowed: true } as const;
    // Dated the day before, so that it is today's opening balance.
    const openedOn = addDays(osloDate(await bankNow(bank, tx)), -1);
    const opened = { ...wanted, ...numbers, ...defaults, customerId: holder.id };
    const account = await openAccount(bank.ids, tx, opened, openedOn);
    return { account, customerNumber: holder.customer_number };
  });
}

/** CONFLICT for each member of the body that names an account in use; a derived number has the path of the given one. */
async function conflicts(reader: Reader, wanted: CreateAccount, { bban, iban }: AccountNumbers): Promise<Fault[]> {
  const numbers = [
    { path: wanted.bban === undefined ? 'iban' : 'bban', number: bban },
    { path: wanted.iban === undefined ? 'bban' : 'iban', number: iban },
  ];
  const faults: Fault[] = [];
  for (const { path, number } of numbers) {
    const other = number === null ? undefined : await accountByNumber(reader, number);
    if (other === undefined || faults.some((fault) => fault.path === path)) continue;
    const text =
      `Account ${number} exists already: ${other.name}, resourceId ${other.resource_id}. ` +
      'Use it, DELETE it first, or send another number.';
    faults.push({ code: 'CONFLICT', path, text });
  }
  return faults;
}

/** Reads one open customer account. Unknown: RESOURCE_UNKNOWN. */
export function readSandboxAccount(bank: BankContext, accountId: string): Promise<SandboxAccount> {
  return bank.ledger.read(async (reader) => {
    const account = await requireAccount(reader, accountId);
    assert(account.customer_id !== null, 'a customer account has a holder');
    const holder = await customerByKey(reader, account.customer_id);
    return { account, customerNumber: holder.customer_number };
  });
}

/** Lists the open customer accounts, in the order of their creation. */
export function listSandboxAccounts(bank: BankContext): Promise<SandboxAccount[]> {
  return bank.ledger.read(async (reader) => {
    const numbers = new Map((await customers(reader)).map((customer) => [customer.id, customer.customer_number]));
    return (await customerAccounts(reader)).flatMap((account) => {
      const customerNumber = numbers.get(account.customer_id ?? 0);
      return customerNumber === undefined ? [] : [{ account, customerNumber }];
    });
  });
}

/** Deletes an account, as {@link closeOutAccount} does (rules.md D2, S5). Unknown: RESOURCE_UNKNOWN. */
export async function deleteAccount(bank: BankContext, accountId: string): Promise<void> {
  await bank.ledger.write(async (tx) => {
    const account = await requireAccount(tx, accountId);
    await closeOutAccount(bank, tx, account, { at: await bankNow(bank, tx), cause: 'debtor account deleted' });
  });
}

/** An account with its holder's number. */
export interface SandboxAccount {
  readonly account: Account;
  readonly customerNumber: string;
}

/**
 * Closes an account (rules.md D2, S5): its life ends, its open payments become CANC (PART with a settled item, S9c), its ended standing orders
 * leave the payment API (R9c), its balance is posted to clearing, its engagements end, and so do consents to it alone. Its entries
 * stay; its number is free. `account` must be the current row in this transaction; `cause` stands in the history of its payments.
 */
export async function closeOutAccount(
  bank: BankContext,
  tx: Writer,
  account: Account,
  { at, cause }: { readonly at: Instant; readonly cause: string },
): Promise<void> {
  await endLifeOn(bank, tx, account.id, at);
  await withdrawPayments(bank, tx, { accountId: account.id }, { at, cause });
  await endEngagementsOn(tx, account);
  await closeAccount(bank.ids, tx, account, at);
  await endConsents(bank, tx, { accountId: account.id }, at);
}
