import { assert } from '../core/assert.ts';
import { customerByKey } from '../ledger/customers.ts';
import type { BankContext } from './shared/bank-context.ts';
import { requireAccount } from './shared/find-sandbox-resource.ts';
import type { SandboxAccount } from './shared/sandbox-account.ts';

/** One open customer account of the sandbox. Unknown: RESOURCE_UNKNOWN. */
export function readSandboxAccount(bank: BankContext, accountId: string): Promise<SandboxAccount> {
  return bank.ledger.read(async (reader) => {
    const account = await requireAccount(reader, accountId);
    assert(account.customer_id !== null, 'a customer account has a holder');
    const holder = await customerByKey(reader, account.customer_id);
    return { account, customerNumber: holder.customer_number };
  });
}
