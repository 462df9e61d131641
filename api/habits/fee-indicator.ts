import type { Habit } from './habit.ts';
import { isObject } from './json.ts';

/** The quirk `fee-indicator` (rules.md Q6; register 47): a fee of 0.00 is told as a fee. */
export const feeIndicator: Habit = {
  show: (answer) => {
    const { body } = answer;
    if (!isObject(body) || !('transactionFeeIndicator' in body)) return answer;
    return { ...answer, body: { ...body, transactionFeeIndicator: true } };
  },
};
