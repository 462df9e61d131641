import type { BankContext } from '../bank/bank-context.ts';
import type { Reader } from '../ledger/database.ts';
import { runId } from '../time/rules/settlement-run.ts';
import type { Warning } from '../values/fault.ts';
import { lateRunOf, type LateExecution, type ReadAt } from './late-run-of.ts';
import type { Payment } from './rows/payments.ts';

/** A TPP message about a payment that was accepted (interface: TPP message). */
export interface PaymentMessage extends Warning {
  readonly category: 'WARNING';
  /** Words for the PSU; null: it concerns the TPP alone. */
  readonly psuText: string | null;
}

/**
 * All that an answer has to say about a payment, beside its members; `payment` as it reads at that time. Every answer that shows a
 * payment takes its messages from here.
 */
export async function messagesOf(
  bank: BankContext,
  reader: Reader,
  payment: Payment,
  time: ReadAt,
): Promise<PaymentMessage[]> {
  const late = await lateRunOf(bank, reader, payment, time);
  return late === null ? [] : [lateMessage(payment, late)];
}

/** A warning about what was sent; the PSU reads of a moved date (rules.md P3). */
export function messageOf(warning: Warning): PaymentMessage {
  return { category: 'WARNING', ...warning, psuText: warning.code === 'EXECUTION_DATE_INVALID' ? warning.text : null };
}

/** rules.md P3b. */
function lateMessage({ service }: Payment, { dueOn, run, time }: LateExecution): PaymentMessage {
  const path = service === 'periodic-payments' ? 'startDate' : 'requestedExecutionDate';
  const what = service === 'periodic-payments' ? 'The first payment' : 'The payment';
  const text =
    `No settlement run of ${dueOn} is left. ${what} stays due on that day, and run ${runId(run)} carries it out, ` +
    `on ${run.date} at ${time}.`;
  return messageOf({ code: 'EXECUTION_DATE_INVALID', path, text });
}
