import { assert } from '../values/assert.ts';
import { customerByKey } from '../parties/rows/customers.ts';
import type { BankContext } from '../bank/bank-context.ts';
import { requireAccount } from './find-sandbox-resource.ts';
import type { SandboxAccount } from './sandbox-account.ts';

/** One open customer account of the sandbox. Unknown: RESOURCE_UNKNOWN. */
export function readSandboxAccount(bank: BankContext, accountId: string): Promise<SandboxAccount> {
  return bank.ledger.read(async (reader) => {
    const account = await requireAccount(reader, accountId);
    assert(account.customer_id !== null, 'a customer account has a holder');
    const holder = await customerByKey(reader, account.customer_id);
    return { account, customerNumber: holder.customer_number };
  });
}
