import { Refusal } from '../values/fault.ts';
import { type Customer, customerByNumber, customers, findCustomer } from '../parties/rows/customers.ts';
import { type CreateCustomer, openCustomer, removeCustomer } from '../parties/customers-and-agreements.ts';
import { type BankContext, bankNow } from '../bank/bank-context.ts';
import { closeOutAccount } from './accounts.ts';
import { accountsOfCustomer } from '../accounts/rows/accounts.ts';
import { closeOutCard } from './card-accounts.ts';
import { cardAccountsOfCustomer } from '../cards/rows/card-accounts.ts';
import { endConsents } from '../consents/end-consents.ts';
import { removeBasketsOf } from '../approval/read-signing-basket.ts';
import { withdrawPayments } from '../payments/cancel-payments.ts';
import type { Reader } from '../ledger/database.ts';
import { clip } from '../values/text.ts';

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
 * Deletes a customer with its accounts, card accounts and agreements (interface: Rules, 6; rules.md D2). Its engagements,
 * consents, sessions and signing baskets end. Open payments that it initiated or signed from accounts of others become
 * CANC, so that nobody signs one twice as a customer created again under the same number.
 */
export async function deleteCustomer(bank: BankContext, customerId: string): Promise<void> {
  await bank.ledger.write(async (tx) => {
    const at = await bankNow(bank, tx);
    const customer = await requireCustomer(tx, customerId);
    const change = { at, cause: 'customer deleted' };
    for (const account of await accountsOfCustomer(tx, customer.id)) await closeOutAccount(bank, tx, account, change);
    for (const card of await cardAccountsOfCustomer(tx, customer.id)) await closeOutCard(bank, tx, card, at);
    await withdrawPayments(bank, tx, { customerId: customer.id }, change);
    await endConsents(bank, tx, { customerId: customer.id }, at);
    await removeBasketsOf(tx, customer, at);
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
