import { all, at, inSchemas, lacking, pages as reports } from './contract.ts';
import type { QuirkFile } from './quirk-file.ts';
import { isObject, without } from './json.ts';

/** The operations that list transactions, each with the member that holds the page. */
const pages = new Map([
  ['GET /v1/accounts/{accountId}/transactions', 'transactions'],
  ['GET /v1/card-accounts/{cardId}/transactions', 'cardTransactions'],
]);

export const quirk: QuirkFile<'no-next-link'> = {
  group: 'requests',
  does: 'A list of transactions has no link to its next page',
  banks: ['SpareBank 1 Sør-Norge'],
  lines: {
    H37: {
      what: 'A list of transactions has no link to its next page, even if there is a next page.',
      seen: { register: [35], facts: ['nextLinkMissing'] },
      mistake: 'The client reads one page and believes that it has all transactions. Read the next page with `offset`.',
    },
  },
  shape: (document) =>
    inSchemas(document, reports, all(...[...pages.values()].map((member) => at(`${member}._links`, lacking('next'))))),
  show: (answer) => {
    const { operation, body } = answer;
    const member = operation === null ? undefined : pages.get(operation);
    if (member === undefined || !isObject(body)) return answer;
    const page = body[member];
    if (!isObject(page) || !isObject(page['_links'])) return answer;
    return { ...answer, body: { ...body, [member]: { ...page, _links: without(page['_links'], 'next') } } };
  },
};
