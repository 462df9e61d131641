import {
  type ForcedStatus,
  forcedStatuses,
  forceStatus,
  isForcedStatus,
} from '../../../engine/payments/force-status.ts';
import { cancelInAnotherChannel } from '../../../engine/payments/cancel-in-another-channel.ts';
import { changeInAnotherChannel } from '../../../engine/payments/change-in-another-channel.ts';
import { forcedStatusBody } from './forced-status-body.ts';
import { paymentChangeBody } from './payment-change-body.ts';
import type { Static } from '../../bodies/schema.ts';
import { controlEndpoint, type ControlCall, type ControlEndpoint } from '../control-endpoint.ts';
import { getPayment } from './get-payment.ts';
import { Problem } from '../../pipeline/problem.ts';

const path = '/payments/:paymentId';

/** Changes of a payment in the bank's own channels (rules.md P14, S9b). Each answers like GET /sandbox/payments/{id}. */
export const bankSidePayments: readonly ControlEndpoint[] = [
  controlEndpoint({ method: 'PATCH', path, body: paymentChangeBody, handle: thenRead(change) }),
  { method: 'POST', path: `${path}/cancel`, handle: thenRead(cancel) },
  controlEndpoint({ method: 'POST', path: `${path}/status`, body: forcedStatusBody, handle: thenRead(force) }),
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

function statusOf(text: string): ForcedStatus {
  if (isForcedStatus(text)) return text;
  const detail = `${text} cannot be forced: that is for statuses that the bank never gives by itself. Let another come about: sign, cancel, move the clock.`;
  throw new Problem({ status: 400, detail, errors: [{ path: 'status', detail }], allowed: forcedStatuses });
}
