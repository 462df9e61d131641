import { all, also, at, inSchemas, pages } from './contract.ts';
import { defaultLimit, maxLimit } from '../interface/accounts/account-request.ts';
import type { QuirkFile } from './quirk-file.ts';

const lists = /^GET \/v1\/(?:card-)?accounts\/[^/]*\/transactions$/;

export const quirk: QuirkFile<'limit-cap'> = {
  group: 'requests',
  does: 'A page of transactions has at most the given number, whatever `limit` asks for',
  lines: {
    H62: {
      what: 'A bank advises a `limit` of 100 to 200. One that caps it answers with fewer transactions than were asked for.',
      value: '100',
      seen: { register: [36], facts: ['pageLimitRecommended'] },
      mistake: 'The client takes a page with fewer transactions than its `limit` for the last page.',
    },
  },
  shape: (document, cap) => {
    const booked = also({ maxItems: cap });
    const change = all(at('transactions.booked', booked), at('cardTransactions.booked', booked));
    return inSchemas(document, pages, change);
  },
  read: (asked, { quirks }) => {
    const cap = quirks.get('limit-cap') ?? maxLimit;
    const limit = Number(asked.query.get('limit') ?? defaultLimit);
    if (!lists.test(asked.operation) || !(limit > cap)) return asked;
    const query = new URLSearchParams(asked.query);
    query.set('limit', String(cap));
    return { ...asked, query };
  },
  heard: {
    by: 'asks for more than 100 transactions',
    in: ({ call }) => /[?&]limit=\d*[1-9]\d\d(?!\d)/.test(call),
  },
};
