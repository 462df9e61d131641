import type { Reader } from '../ledger/database.ts';
import { bankState } from '../bank/rows/bank-state.ts';
import type { BankContext } from '../bank/bank-context.ts';
import { rejectionsOf } from '../settlement/rows/provoked-rejections.ts';
import { firstRunAfter, runId } from '../time/rules/settlement-run.ts';
import { failureMessages, noMessages, unsignedRejection, type PaymentMessages } from './rules/failure-messages.ts';
import { failedExecutions } from './rows/failed-executions.ts';
import { bulkSum } from './rows/credit-transfers.ts';
import type { Payment } from './rows/payments.ts';

/**
 * Everything that an answer tells about a payment beside its status: why it, an item or an occurrence of it failed
 * (rules.md S7b). Nothing while the control plane forces another status.
 */
export async function messagesAbout(bank: BankContext, reader: Reader, payment: Payment): Promise<PaymentMessages> {
  const { id, service, status, forced_status: forced, authorised_at: authorisedAt } = payment;
  if (forced !== null) return noMessages;
  if (authorisedAt === null) return status === 'RJCT' ? whyUnsigned(reader, id) : noMessages;
  const mayHaveFailed = service !== 'payments' || status === 'RJCT' || status === 'ACCP';
  const failures = mayHaveFailed ? await failedExecutions(reader, id) : [];
  if (failures.length === 0) return noMessages;
  const total = service === 'bulk-payments' ? (await bulkSum(reader, id)).count : failures.length;
  const { last_run_at: lastRunAt } = await bankState(reader);
  return failureMessages({ service, total, nextRun: runId(firstRunAfter(lastRunAt, bank.runs)) }, failures);
}

async function whyUnsigned(reader: Reader, paymentId: number): Promise<PaymentMessages> {
  const reason = (await rejectionsOf(reader, [paymentId])).get(paymentId)?.get(0);
  return reason === undefined ? noMessages : unsignedRejection(reason);
}
