import * as Type from 'typebox';
import { transactionStatuses } from '../../../engine/values/transaction-status.ts';
import { choice, closed, integer, optional, text } from '../../bodies/schema.ts';
import { answeredInstant, orNull } from '../answers/forms.ts';
import { paymentId, paymentIds, wireId } from '../answers/names.ts';
import { runReport } from '../answers/clock-and-runs.ts';
import { struckFault } from '../faults.ts';

const at = answeredInstant('bank time');
const atOrNull = orNull(at, 'bank time; null when the ledger could not be read');
const statuses = Object.keys(transactionStatuses);

/** The data of each event by its name. */
export const eventData = {
  payment: closed(
    {
      ...paymentIds,
      status: choice('the status that the payment has now', statuses),
      at,
      cause: text('why, as in the history of the payment', 'run 2027-03-30/1, attempt 1'),
    },
    { description: 'A line of the history of a payment.', examples: [{ status: 'ACSC' }] },
  ),
  run: runReport,
  clock: closed(
    {
      at,
      change: choice('set: another mode or rate; advanced: moved forward to `at`', ['set', 'advanced']),
      mode: choice('whether it runs by itself', ['running', 'frozen']),
      rate: integer('how many times as fast as the wall clock', { minimum: 1 }),
    },
    { description: 'The clock was set or moved. That time passes is not told.' },
  ),
  sca: closed(
    {
      at,
      purpose: choice('what it is for', ['payment', 'cancellation', 'basket', 'consent', 'identification']),
      outcome: choice('that it was opened, or how it ended', ['begun', 'approved', 'cancelled', 'failed', 'expired']),
      paymentId: orNull(paymentId, 'of a payment or its cancellation'),
      wirePaymentId: wireId,
    },
    { description: 'An SCA was opened or has ended. A link that runs out by itself is not told.' },
  ),
  request: closed(
    {
      requestId: text('key of its journal entry', { minLength: 1 }),
      at: atOrNull,
      method: orNull(Type.String(), 'null when it could not be read'),
      target: orNull(Type.String(), 'null when it could not be read'),
      verdict: choice('of the signature check', ['accepted', 'refused']),
      status: orNull(Type.Integer(), 'null when its client was gone before'),
      code: orNull(Type.String(), 'the first code of a refusal'),
      fault: optional(struckFault),
    },
    { description: 'A request under /v1 that was answered.' },
  ),
  reset: closed(
    {
      at: atOrNull,
      cause: choice('why what was told before no longer holds', [
        'reset',
        'initialized',
        'clock set back',
        'snapshot restored',
        'move undone',
        'events missed',
      ]),
    },
    { description: 'Read again what you keep of the bank.' },
  ),
};

/** One event of `GET /sandbox/events`: its `id`, `event` and `data`. */
export const anEvent = Type.Union(
  Object.entries(eventData).map(([event, data]) =>
    closed({
      id: text('for Last-Event-ID', '5d1c09a3b7f2-17'),
      event: Type.Literal(event),
      data,
    }),
  ),
  { title: 'Event', description: 'What happened in the bank.' },
);
