import { bankNow, type BankContext } from '../bank/bank-context.ts';
import { closeOutAccount } from './close-out-account.ts';
import { requireAccount } from './find-sandbox-resource.ts';

/** Deletes an account: it is closed, with all that follows (rules.md D2, S5). Unknown: RESOURCE_UNKNOWN. */
export async function deleteAccount(bank: BankContext, accountId: string): Promise<void> {
  await bank.ledger.write(async (tx) => {
    const account = await requireAccount(tx, accountId);
    await closeOutAccount(bank, tx, account, await bankNow(bank, tx));
  });
}
