import {
  forceStatus,
  cancelInAnotherChannel,
  changeInAnotherChannel,
  rejectPayment,
} from '../../../engine/payments/bank-side-payments.ts';
import { type ForcedStatus, forcedStatuses, isForcedStatus } from '../../../engine/payments/rules/payment-status.ts';
import { returnPayment } from '../../../engine/payments/order-return.ts';
import { returnReasonCodes } from '../../../engine/values/return-reasons.ts';
import { withExample } from '../../bodies/examples.ts';
import { choice, integer, meaning, optional, text, titled } from '../../bodies/schema.ts';
import { date } from '../../bodies/values.ts';
import { controlEndpoint } from '../control-endpoint.ts';
import { paymentAnswer as answer, readPayment } from './get-payment.ts';
import { refusedAt } from '../../pipeline/problem.ts';
import { instructedAmount } from '../../bodies/amount.ts';
import { paymentStatus } from '../answers/names.ts';

/** `POST /sandbox/payments/{id}/status` (rules.md S9b). */
export const forcedStatusBody = titled('ForcedStatus', 'A status that the bank never gives by itself, for a payment.', {
  examples: [{ status: 'ACWC' }],
}).closed({ status: paymentStatus('ACWC') });

const itemPath = text('the path of an item of a bulk payment, from payments[0]', {
  pattern: '^payments\\[(0|[1-9]\\d{0,6})\\]$',
  examples: ['payments[1]'],
});

/** `POST /sandbox/payments/{id}/reject` (rules.md P14b). */
export const rejectionBody = titled(
  'Rejection',
  'What to reject, and why: the payment, an item of a bulk payment, or an occurrence of a periodic one.',
  {
    expected: 'an object with reason, and item or occurrence',
    examples: [{ reason: 'the creditor account is closed' }, { item: 'payments[1]', reason: 'the account is closed' }],
  },
).closed({
  item: optional(itemPath),
  occurrence: optional(date),
  reason: text('why, in words of your own for the TPP and the PSU, at most 140 characters', {
    maxLength: 140,
    minLength: 1,
    format: 'clearing-text',
    examples: ['the creditor account is closed'],
  }),
});

/** `POST /sandbox/payments/{id}/return` (rules.md S12). */
export const returnBody = titled('Return', 'What comes back from the bank of the creditor, why, and when.', {
  expected: 'an object with reason, and bankingDays or on',
  examples: [{ reason: 'AC04' }, { reason: 'MS02', bankingDays: 2 }],
}).closed({
  reason: choice('why, by ISO 20022', returnReasonCodes),
  bankingDays: optional(
    integer('banking days after the booking date; left out: 1, abroad 3', { minimum: 0, maximum: 250, examples: [2] }),
  ),
  on: optional(meaning('The day, or the next banking day after it.', date)),
  item: optional(itemPath),
  occurrence: optional(date),
});

/** `PATCH /sandbox/payments/{id}` (rules.md P14). */
export const paymentChangeBody = titled(
  'PaymentChange',
  "What the PSU changes of a payment in the bank's own channels.",
  {
    expected: 'an object with amount, requestedExecutionDate or both',
    examples: [{ requestedExecutionDate: '2027-04-01' }],
    minProperties: 1,
  },
).closed({ amount: optional(instructedAmount), requestedExecutionDate: optional(date) });

const refusals = { 409: 'The payment is past the point where this can be done.' };

/**
 * Changes of a payment in the bank's own channels, and forced ones (rules.md P14, P14b, S9b). Each answers like GET
 * /sandbox/payments/{id}.
 */
export const bankSidePayments = [
  controlEndpoint('PATCH /payments/:paymentId', {
    summary: "Change a payment in the bank's own channel",
    answer,
    refusals,
    body: paymentChangeBody,
    handle: async (call) => {
      const { amount = null, requestedExecutionDate = null } = call.readBody();
      await changeInAnotherChannel(call.bank, call.params.paymentId, { amount, requestedExecutionDate });
      return readPayment(call);
    },
  }),
  controlEndpoint('POST /payments/:paymentId/cancel', {
    summary: "Cancel a payment in the bank's own channel",
    answer: withExample(answer, { status: 'CANC', nextAttempt: null }),
    refusals,
    handle: async (call) => {
      await cancelInAnotherChannel(call.bank, call.params.paymentId);
      return readPayment(call);
    },
  }),
  controlEndpoint('POST /payments/:paymentId/status', {
    summary: 'Give a payment a status that the bank never gives by itself',
    answer: withExample(answer, { forcedStatus: 'ACWC' }),
    refusals,
    body: forcedStatusBody,
    handle: async (call) => {
      await forceStatus(call.bank, call.params.paymentId, statusOf(call.readBody().status));
      return readPayment(call);
    },
  }),
  controlEndpoint('POST /payments/:paymentId/reject', {
    summary: 'Reject a payment, an item of it or an occurrence',
    answer: withExample(answer, { status: 'RJCT', nextAttempt: null }),
    refusals,
    body: rejectionBody,
    handle: async (call) => {
      const { item, occurrence = null, reason } = call.readBody();
      const wanted = { item: itemIndex(item), occurrence, reason: reason.trim() };
      await rejectPayment(call.bank, call.params.paymentId, wanted);
      return readPayment(call);
    },
  }),
  controlEndpoint('POST /payments/:paymentId/return', {
    summary: 'Have the money of a settled payment, an item or an occurrence come back',
    answer: withExample(answer, { status: 'ACSC', nextAttempt: null }),
    refusals: { 409: 'It has not settled, stayed inside this bank, or comes back already.' },
    body: returnBody,
    handle: async (call) => {
      const { reason, item, occurrence = null, bankingDays = null, on = null } = call.readBody();
      const wanted = { reason, item: itemIndex(item), occurrence, bankingDays, on };
      await returnPayment(call.bank, call.params.paymentId, wanted);
      return readPayment(call);
    },
  }),
] as const;

/** 3 for `payments[3]`, which the schema has checked. */
function itemIndex(item: string | undefined): number | null {
  return item === undefined ? null : Number(item.slice('payments['.length, -1));
}

function statusOf(text: string): ForcedStatus {
  if (isForcedStatus(text)) return text;
  const detail = `${text} cannot be forced: that is for statuses that the bank never gives by itself. Let another come about: sign, cancel, move the clock.`;
  throw refusedAt('status', detail, forcedStatuses);
}
