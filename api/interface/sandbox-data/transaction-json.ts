import { formatAmount } from '../../../engine/values/money.ts';
import { transactionIdOf } from '../../../engine/accounts/rules/transaction-id.ts';
import type { SandboxTransaction } from '../../../engine/accounts/sandbox-transaction.ts';

/**
 * The members of a transaction as they were sent (real-api-facts.md 10), with the transactionId that account
 * information shows and whether it is booked. The amount is a signed decimal string, as in every answer (rules.md E5).
 */
export function sandboxTransaction({ entryId, amount, bookingDate, valueDate, isBooked, details }: SandboxTransaction) {
  return {
    transactionId: transactionIdOf(entryId),
    bookingStatus: isBooked ? 'booked' : 'pending',
    amount: formatAmount(amount),
    currency: amount.currency,
    valueDate,
    bookingDate,
    ...details,
  };
}
