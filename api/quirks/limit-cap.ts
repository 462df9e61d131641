import { defaultLimit, maxLimit } from '../interface/accounts/account-request.ts';
import type { QuirkFile } from './quirk-file.ts';

const lists = /^GET \/v1\/(?:card-)?accounts\/[^/]*\/transactions$/;

export const quirk: QuirkFile = {
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
  // It is the request that changes.
  show: (answer) => answer,
  read: (asked, { quirks }) => {
    const cap = quirks.get('limit-cap') ?? maxLimit;
    const limit = Number(asked.query.get('limit') ?? defaultLimit);
    if (!lists.test(asked.operation) || !(limit > cap)) return asked;
    const query = new URLSearchParams(asked.query);
    query.set('limit', String(cap));
    return { ...asked, query };
  },
};
