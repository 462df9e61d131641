import { customerAccounts } from '../accounts/rows/accounts.ts';
import { customers } from '../parties/rows/customers.ts';
import type { BankContext } from '../bank/bank-context.ts';
import type { SandboxAccount } from './sandbox-account.ts';

/** Every open customer account of the sandbox, in the order of their creation. */
export function listSandboxAccounts(bank: BankContext): Promise<SandboxAccount[]> {
  return bank.ledger.read(async (reader) => {
    const numbers = new Map((await customers(reader)).map((customer) => [customer.id, customer.customer_number]));
    return (await customerAccounts(reader)).flatMap((account) => {
      const customerNumber = numbers.get(account.customer_id ?? 0);
      return customerNumber === undefined ? [] : [{ account, customerNumber }];
    });
  });
}
