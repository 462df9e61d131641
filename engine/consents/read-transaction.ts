import { clip } from '../values/text.ts';
import { Refusal } from '../values/fault.ts';
import { transactionNumberIn } from '../accounts/rules/transaction-id.ts';
import { sandboxTransaction } from '../accounts/rows/transactions.ts';
import { consentedAccount, countRead, requireSessionFor, withAccess, type AccountRequest } from './account-access.ts';
import type { BankContext } from '../bank/bank-context.ts';
import { type Transaction, transactionOf, withEntryDetails } from '../accounts/transaction.ts';

/**
 * Reads one booked transaction of an account of the consent. RESOURCE_UNKNOWN for one that the account does not have, and
 * for a pending one, which has no transactionId yet. Booked more than 90 days ago it needs a live session (rules.md A7).
 */
export function readTransaction(
  bank: BankContext,
  request: AccountRequest,
  accountId: string,
  transactionId: string,
): Promise<Transaction> {
  return withAccess(bank, request, async (reader, access) => {
    const account = consentedAccount(access, accountId);
    const wanted = transactionNumberIn(transactionId);
    const row = wanted === null ? undefined : await sandboxTransaction(reader, account.id, wanted, access.now);
    const found = row === undefined ? null : transactionOf(row, account.currency);
    if (row === undefined || found === null || found.bookingDate === null) throw unknown(transactionId);
    await countRead(access, account, 'transaction-details');
    await requireSessionFor(reader, access, found.bookingDate);
    return withEntryDetails(reader, found, row);
  });
}

function unknown(transactionId: string): Refusal {
  const text =
    `The account has no booked transaction ${clip(transactionId)}. ` +
    'GET /v1/accounts/{id}/transactions lists them, with their transactionId.';
  return new Refusal({ code: 'RESOURCE_UNKNOWN', place: 'path', text });
}
