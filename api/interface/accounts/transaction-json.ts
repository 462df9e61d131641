import type { Told } from '../../bodies/written.ts';
import type { batchPart, bookedTransaction, pendingTransaction } from './transaction-answers.ts';
import { accountNumbers as bothNumbers } from '../../../engine/values/account-number.ts';
import { formatAmount } from '../../../engine/values/money.ts';
import type { EntryDetails, NamedAccount } from '../../../engine/accounts/rules/transaction-details.ts';
import { transactionIdOf } from '../../../engine/accounts/rules/transaction-list.ts';
import type { TransactionReport } from '../../../engine/consents/list-transactions.ts';
import type { Transaction } from '../../../engine/accounts/transaction.ts';
import { accountAddress, accountNumbers } from '../account-reference.ts';
import { transactionPage } from '../transaction-page.ts';

/** real-api-facts.md 9.3: GET /v1/accounts/{id}/transactions. */
export function transactionReport(report: TransactionReport) {
  const { account } = report;
  return {
    account: accountNumbers(account),
    transactions: transactionPage(`${accountAddress(account)}/transactions`, report, transaction),
  };
}

/** A pending one lacks members of a booked one. */
type Shown = Told<typeof pendingTransaction> & Partial<Told<typeof bookedTransaction>>;

/**
 * One transaction of an account; a debit is negative. A pending one has no transactionId, as it may still change, no
 * bookingDate, as no run has booked it (rules.md S6), and no valueDate, as in the recorded answers.
 */
export function transaction({ transactionNumber, amount, bookingDate, valueDate, details }: Transaction): Shown {
  const { remittanceInformationUnstructured: text, creditorAccount, debtorAccount } = details;
  return {
    ...(bookingDate !== null && { transactionId: transactionIdOf(transactionNumber), bookingDate, valueDate }),
    transactionAmount: { amount: formatAmount(amount), currency: amount.currency },
    ...details,
    ...(creditorAccount !== undefined && { creditorAccount: namedAccount(creditorAccount) }),
    ...(debtorAccount !== undefined && { debtorAccount: namedAccount(debtorAccount) }),
    ...(text !== undefined && { remittanceInformationUnstructuredArray: [text] }),
    ...(details.entryDetails !== undefined && { entryDetails: details.entryDetails.map(entry) }),
  };
}

function entry({ creditorAccount, ...details }: EntryDetails): Told<typeof batchPart> {
  return { ...details, ...(creditorAccount !== undefined && { creditorAccount: namedAccount(creditorAccount) }) };
}

/** A payment names its creditor by BBAN or IBAN; adds the other where it can be derived. */
function namedAccount(account: NamedAccount): NamedAccount {
  return accountNumbers(bothNumbers(account));
}
