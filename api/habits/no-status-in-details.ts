import type { Habit } from './habit.ts';
import { isObject, without } from './json.ts';

const details = /^GET \/v1\/((bulk-|periodic-)?payments\/\{product\}|payment)\/\{paymentId\}$/;

/** The quirk `no-status-in-details` (rules.md Q6; register 51): the details of a payment have no status. */
export const noStatusInDetails: Habit = {
  show: (answer) => {
    const { operation, status, body } = answer;
    if (status !== 200 || operation === null || !details.test(operation) || !isObject(body)) return answer;
    return { ...answer, body: without(body, 'transactionStatus') };
  },
};
