import { followAccount } from '../payments/plan-payments.ts';
import { Refusal, type Fault, refuseAny } from '../values/fault.ts';
import { type Customer, customerByNumber, customers, findCustomer, customerByKey } from '../parties/rows/customers.ts';
import {
  type CreateCustomer,
  openCustomer,
  removeCustomer,
  holderUnknown,
} from '../parties/customers-and-agreements.ts';
import { type BankContext, bankNow, writeBank, type Writing } from '../bank/bank-context.ts';
import { accountsHeldBy, type Account, accountByNumber, customerAccounts } from '../accounts/rows/accounts.ts';
import { cardAccountsHeldBy, allCardAccounts, type CardAccount } from '../cards/rows/cards.ts';
import { endConsents } from '../consents/consents.ts';
import { removeBasketsOf } from '../approval/signing-baskets.ts';
import { withdrawPayments } from '../payments/change-status.ts';
import type { Reader } from '../ledger/database.ts';
import { tellingRefusal } from '../values/numbers-with-a-meaning.ts';
import { clip } from '../values/text.ts';
import { accountNumbers, type AccountNumbers } from '../values/account-number.ts';
import { assert } from '../values/assert.ts';
import { osloDate } from '../values/instant.ts';
import { addDays } from '../values/local-date.ts';
import { requireAccount, type NewAccount, openAccount } from '../accounts/customer-accounts.ts';
import { closeOutAccount } from '../life/close-account.ts';
import { closeCardAccount, type NewCardAccount, openCardAccount, requireCardAccount } from '../cards/cards.ts';

/** Creates a customer; a private one gets its own agreement. Number in use: CONFLICT (rules.md D3b). */
export function createCustomer(bank: BankContext, wanted: CreateCustomer): Promise<Customer> {
  return bank.ledger.write(async (tx) => {
    const other = await customerByNumber(tx, wanted.customerNumber);
    if (other === undefined) return openCustomer(bank.ids, tx, wanted);
    const text =
      `Customer ${wanted.customerNumber} exists already: ${other.name}, customerId ${other.resource_id}. ` +
      'Use it, DELETE it first, or send another number.';
    throw new Refusal({ code: 'CONFLICT', path: 'customerNumber', text });
  });
}

/** Reads one customer. Unknown: RESOURCE_UNKNOWN. */
export function readCustomer(bank: BankContext, customerId: string): Promise<Customer> {
  return bank.ledger.read((reader) => requireCustomer(reader, customerId));
}

/** Lists the customers, in the order of their creation. */
export function listCustomers(bank: BankContext): Promise<Customer[]> {
  return bank.ledger.read(customers);
}

/**
 * Deletes a customer with its accounts, card accounts and agreements (interface: Rules, 6; rules.md D2). Its
 * engagements, consents, sessions and signing baskets end. Open payments that it initiated or signed from accounts of
 * others become CANC, so that nobody signs one twice as a customer created again under the same number.
 */
export async function deleteCustomer(bank: BankContext, customerId: string): Promise<void> {
  await writeBank(bank, async (writing) => {
    const { tx, now: at } = writing;
    const customer = await requireCustomer(tx, customerId);
    const change = { at, cause: 'customer deleted' };
    for (const account of await accountsHeldBy(tx, [customer.id])) await closeOutAccount(bank, tx, account, change);
    for (const card of await cardAccountsHeldBy(tx, [customer.id])) await closeOutCard(writing, card);
    await withdrawPayments(writing, { customerId: customer.id }, change.cause);
    await endConsents(writing, { customerId: customer.id });
    await removeBasketsOf(writing, customer);
    await removeCustomer(tx, customer.id, at);
  });
}

/** Finds the customer of a sandbox-data path. Unknown or deleted: RESOURCE_UNKNOWN. */
async function requireCustomer(reader: Reader, customerId: string): Promise<Customer> {
  const customer = await findCustomer(reader, customerId);
  if (customer !== undefined) return customer;
  const text = `There is no customer ${clip(customerId)}. GET /v1/sandbox/customers lists them, with their customerId.`;
  throw new Refusal({ code: 'RESOURCE_UNKNOWN', place: 'path', text });
}

export interface CreateAccount extends Pick<
  NewAccount,
  'name' | 'currency' | 'product' | 'cashAccountType' | 'creditLine' | 'openingBalance'
> {
  readonly customerNumber: string;
  /** At least one of the two; the other is derived if possible. Spaces in the IBAN are allowed. */
  readonly bban?: string | undefined;
  readonly iban?: string | undefined;
}

/**
 * Creates an account with its opening balance, posted against clearing (rules.md D3). Refuses with all faults at once:
 * an unknown customerNumber (RESOURCE_UNKNOWN), an account number in use (CONFLICT, D3b) or with a meaning (D1c).
 */
export function createAccount(bank: BankContext, wanted: CreateAccount): Promise<SandboxAccount> {
  return bank.ledger.write(async (tx) => {
    const holder = await customerByNumber(tx, wanted.customerNumber);
    const numbers = accountNumbers(wanted);
    const faults = await conflicts(tx, wanted, numbers);
    if (holder === undefined) throw new Refusal(holderUnknown(wanted.customerNumber), ...faults);
    refuseAny(faults);
    const defaults = { kidAgreement: null, signaturesRequired: 1, paymentsAllowed: true } as const;
    // The opening balance is dated the day before, so that it is today's opening balance.
    const openedOn = addDays(osloDate(await bankNow(bank, tx)), -1);
    const opened = { ...wanted, ...numbers, ...defaults, customerId: holder.id };
    const account = await openAccount(bank.ids, tx, opened, openedOn);
    await followAccount(tx, account);
    return { account, customerNumber: holder.customer_number };
  });
}

/**
 * CONFLICT for each member of the body that names an account in use, or a number with a meaning; a derived number has
 * the path of the given one.
 */
async function conflicts(reader: Reader, wanted: CreateAccount, { bban, iban }: AccountNumbers): Promise<Fault[]> {
  const numbers = [
    { path: wanted.bban === undefined ? 'iban' : 'bban', number: bban },
    { path: wanted.iban === undefined ? 'bban' : 'iban', number: iban },
  ];
  const faults: Fault[] = [];
  for (const { path, number } of numbers) {
    if (number === null || faults.some((fault) => fault.path === path)) continue;
    const refusal = tellingRefusal(number);
    if (refusal !== null) faults.push({ code: 'CONFLICT', path, text: `Account ${number} ${refusal}` });
    const other = await accountByNumber(reader, number);
    if (other === undefined) continue;
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

export type CreateCardAccount = Omit<NewCardAccount, 'customerId'> & { readonly customerNumber: string };

/**
 * Creates a card account (rules.md D1). Two cards may have the same masked PAN. Unknown customerNumber:
 * RESOURCE_UNKNOWN.
 */
export function createCardAccount(bank: BankContext, wanted: CreateCardAccount): Promise<CardAccount> {
  return bank.ledger.write(async (tx) => {
    const holder = await customerByNumber(tx, wanted.customerNumber);
    if (holder === undefined) throw new Refusal(holderUnknown(wanted.customerNumber));
    return openCardAccount(bank.ids, tx, { ...wanted, customerId: holder.id });
  });
}

/** Reads one card account. Unknown: RESOURCE_UNKNOWN. */
export function readSandboxCardAccount(bank: BankContext, cardAccountId: string): Promise<CardAccount> {
  return bank.ledger.read((reader) => requireCardAccount(reader, cardAccountId));
}

/** Lists the open card accounts, in the order in which they were opened. */
export function listSandboxCardAccounts(bank: BankContext): Promise<CardAccount[]> {
  return bank.ledger.read(allCardAccounts);
}

/** Deletes a card account; consents to it alone end (rules.md D2). Unknown: RESOURCE_UNKNOWN. */
export async function deleteCardAccount(bank: BankContext, cardAccountId: string): Promise<void> {
  await writeBank(bank, async (writing) => {
    await closeOutCard(writing, await requireCardAccount(writing.tx, cardAccountId));
  });
}

/** Closes a card account; consents to it alone end (rules.md D2). */
async function closeOutCard(writing: Writing, card: CardAccount): Promise<void> {
  await closeCardAccount(writing.tx, card, writing.now);
  await endConsents(writing, { cardAccountId: card.id });
}
