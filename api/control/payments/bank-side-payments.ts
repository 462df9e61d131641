import {
  type ForcedStatus,
  forcedStatuses,
  forceStatus,
  isForcedStatus,
} from '../../../engine/payments/force-status.ts';
import { cancelInAnotherChannel, changeInAnotherChannel } from '../../../engine/payments/change-in-another-channel.ts';
import { forcedStatusBody } from './forced-status-body.ts';
import { paymentChangeBody } from './payment-change-body.ts';
import { rejectionBody } from './rejection-body.ts';
import { rejectPayment } from '../../../engine/payments/reject-payment.ts';
import { withExample } from '../../bodies/example.ts';
import type { Static } from '../../bodies/schema.ts';
import { controlEndpoint, type ControlCall, type ControlEndpoint } from '../control-endpoint.ts';
import { paymentAnswer as answer } from './payment-answer.ts';
import { getPayment } from './get-payment.ts';
import { Problem } from '../../pipeline/problem.ts';

const path = '/payments/:paymentId';
const refusals = { 409: 'The payment is past the point where this can be done.' };

/** Changes of a payment in the bank's own channels, and what is forced on it (rules.md P14, P14b, S9b). Each answers like GET /sandbox/payments/{id}. */
export const bankSidePayments: readonly ControlEndpoint[] = [
  controlEndpoint({
    method: 'PATCH',
    path,
    summary: "Change a payment in the bank's own channel",
    answer,
    refusals,
    body: paymentChangeBody,
    handle: thenRead(change),
  }),
  {
    method: 'POST',
    path: `${path}/cancel`,
    summary: "Cancel a payment in the bank's own channel",
    answer: withExample(answer, { status: 'CANC', nextAttempt: null }),
    refusals,
    handle: thenRead(cancel),
  },
  controlEndpoint({
    method: 'POST',
    path: `${path}/status`,
    summary: 'Give a payment a status that the bank never gives by itself',
    answer: withExample(answer, { forcedStatus: 'ACWC' }),
    refusals,
    body: forcedStatusBody,
    handle: thenRead(force),
  }),
  controlEndpoint({
    method: 'POST',
    path: `${path}/reject`,
    summary: 'Reject a payment, an item of it or an occurrence',
    answer: withExample(answer, { status: 'RJCT', nextAttempt: null }),
    refusals,
    body: rejectionBody,
    handle: thenRead(reject),
  }),
];

function thenRead<Body>(
  act: (call: ControlCall<Body>, paymentId: string) => Promise<void>,
): ControlEndpoint<Body>['handle'] {
  return async (call) => {
    await act(call, call.params['paymentId'] ?? '');
    return getPayment.handle(call);
  };
}

function change(call: ControlCall<Static<typeof paymentChangeBody>>, paymentId: string): Promise<void> {
  const { amount = null, requestedExecutionDate = null } = call.readBody();
  return changeInAnotherChannel(call.bank, paymentId, { amount, requestedExecutionDate });
}

function cancel(call: ControlCall, paymentId: string): Promise<void> {
  return cancelInAnotherChannel(call.bank, paymentId);
}

function force(call: ControlCall<Static<typeof forcedStatusBody>>, paymentId: string): Promise<void> {
  return forceStatus(call.bank, paymentId, statusOf(call.readBody().status));
}

function reject(call: ControlCall<Static<typeof rejectionBody>>, paymentId: string): Promise<void> {
  const { item, occurrence = null, reason } = call.readBody();
  return rejectPayment(call.bank, paymentId, { item: itemIndex(item), occurrence, reason: reason.trim() });
}

/** 3 of `payments[3]`, which the schema has checked. */
function itemIndex(item: string | undefined): number | null {
  return item === undefined ? null : Number(item.slice('payments['.length, -1));
}

function statusOf(text: string): ForcedStatus {
  if (isForcedStatus(text)) return text;
  const detail = `${text} cannot be forced: that is for statuses that the bank never gives by itself. Let another come about: sign, cancel, move the clock.`;
  throw new Problem({ status: 400, detail, errors: [{ path: 'status', detail }], allowed: forcedStatuses });
}
