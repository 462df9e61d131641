import type { Schedule } from '../time/rules/occurrences.ts';
import type { OrderPosition } from '../time/rules/standing-order.ts';
import type { StandingOrder } from './rows/payments.ts';

/** The schedule that a standing order was recorded with. */
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

/** How far a standing order has been laid out for the runs. */
export function positionOfOrder(order: StandingOrder): OrderPosition {
  return { paymentId: order.payment_id, schedule: scheduleOfOrder(order), nextIndex: order.next_index };
}
