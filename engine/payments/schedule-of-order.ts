import type { Schedule } from '../time/rules/occurrences.ts';
import type { OrderPosition } from '../time/rules/standing-order.ts';
import type { StandingOrder } from './rows/payments.ts';

/** The schedule in the row of a standing order. */
export function scheduleOfOrder(order: StandingOrder): Schedule {
  return {
    startDate: order.start_date,
    endDate: order.end_date,
    frequency: order.frequency,
    executionRule: order.execution_rule,
    dayOfExecution: order.day_of_execution,
    monthsOfExecution: order.months_of_execution?.split(',').map(Number) ?? null,
  };
}

/** The schedule of a standing order and its first occurrence without an execution. */
export function positionOfOrder(order: StandingOrder): OrderPosition {
  return { paymentId: order.payment_id, schedule: scheduleOfOrder(order), nextIndex: order.next_index };
}
