import { all, also, at, inOperations, inParameter, inSchemas, pages } from './contract.ts';
import type { JsonObject } from './json.ts';
import { defaultLimit, maxLimit } from '../interface/accounts/account-request.ts';
import type { QuirkFile } from './quirk-file.ts';
import { listedIn } from './transactions.ts';

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
    const anyLimit = inParameter(document, 'limit', ({ schema, ...parameter }) => {
      const { maximum: _, ...open } = schema as JsonObject;
      return { ...parameter, schema: open };
    });
    return inOperations(inSchemas(document, pages, change), /^GET .*accounts\/[^/]*\/transactions$/, anyLimit);
  },
  read: (asked, { quirks }) => {
    const cap = quirks.get('limit-cap') ?? maxLimit;
    const limit = asked.query.get('limit') ?? String(defaultLimit);
    if (!lists.test(asked.operation) || !/^\d+$/.test(limit) || Number(limit) <= cap) return asked;
    const query = new URLSearchParams(asked.query);
    query.set('limit', String(cap));
    return { ...asked, query };
  },
  triedToo: ['2'],
  met: (answer, { quirks }) => listedIn(answer).length > (quirks.get('limit-cap') ?? maxLimit),
};
