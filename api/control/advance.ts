import { assert } from '../../engine/core/assert.ts';
import { parseDuration } from '../../engine/core/duration.ts';
import { parseInstant } from '../../engine/core/instant.ts';
import { transactionStatuses, type TransactionStatus } from '../../engine/core/transaction-status.ts';
import { advanceUntil, type AdvanceTarget } from '../../engine/operations/advance-until.ts';
import type { Bodies } from '../middleware/body/bodies.ts';
import { readBody, type ControlEndpoint } from './control-endpoint.ts';
import { Problem } from './problem.ts';
import { shownAdvance } from './shown-advance.ts';

/** `POST /sandbox/clock/advance`: every run in between, in order. `reached` only when a status was awaited. */
export const advance: ControlEndpoint = {
  method: 'POST',
  path: '/clock/advance',
  handle: (call) => {
    const target = targetOf(readBody(call, 'advance'));
    return call.alone(async () => {
      const { reached, ...report } = await advanceUntil(call.bank, target);
      return { ...shownAdvance(report), ...(reached !== null && { reached }) };
    });
  },
};

/** The schema has seen to it that exactly one member is there, and that texts are instants and durations. */
function targetOf({ to, by, runs, until }: Bodies['advance']): AdvanceTarget {
  if (runs !== undefined) return { runs };
  if (until !== undefined) return { until: { paymentId: until.paymentId, status: statusOf(until.status) } };
  const instant = parseInstant(to ?? '');
  if (instant !== null) return { to: instant };
  const duration = parseDuration(by ?? '');
  assert(duration !== null, 'an advance has one of its targets');
  return { by: duration };
}

function statusOf(text: string): TransactionStatus {
  if (isStatus(text)) return text;
  const detail = `There is no payment status ${text}.`;
  const errors = [{ path: 'until.status', detail }];
  throw new Problem({ status: 400, detail, errors, allowed: Object.keys(transactionStatuses) });
}

function isStatus(text: string): text is TransactionStatus {
  return Object.hasOwn(transactionStatuses, text);
}
