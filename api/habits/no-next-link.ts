import type { Habit } from './habit.ts';
import { isObject, without } from './json.ts';

/** The operations that list transactions, each with the member that holds the page. */
const pages = new Map([
  ['GET /v1/accounts/{accountId}/transactions', 'transactions'],
  ['GET /v1/card-accounts/{cardId}/transactions', 'cardTransactions'],
]);

/** The quirk `no-next-link` (rules.md Q10; register 35): a list of transactions has no link to its next page. */
export const noNextLink: Habit = {
  show: (answer) => {
    const { operation, status, body } = answer;
    const member = operation === null ? undefined : pages.get(operation);
    if (member === undefined || status !== 200 || !isObject(body)) return answer;
    const page = body[member];
    if (!isObject(page) || !isObject(page['_links'])) return answer;
    return { ...answer, body: { ...body, [member]: { ...page, _links: without(page['_links'], 'next') } } };
  },
};
