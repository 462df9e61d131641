/* The form of a persona: bodies and files are checked by it, and what a ledger keeps of them. */

/** How money moves. */
export const kinds = [
  'transfer',
  'card',
  'trip',
  'standing order',
  'bulk',
  'interest',
  'overdraft interest',
  'fee for failed orders',
  'left over',
] as const;

export type Kind = (typeof kinds)[number];

const kids = ['hasKid', 'isKidWrong', 'againAfterDays', 'drawnWith'];
/** The members that each occasion must have beside on and what, and the kinds of its event. */
export const membersOfOccasion = {
  late: { must: ['event', 'days'], kinds: ['transfer'] },
  'charged twice': { must: ['event'], kinds: ['card'] },
  'new price': { must: ['event', 'amount'], kinds: ['transfer', 'card'] },
  stopped: { must: ['event'], kinds: ['transfer', 'card'] },
  'card replaced': { must: ['days'], kinds: [] },
  'account moved': { must: ['party'], kinds: [] },
} as const;

const ranges = ['upTo', 'roundTo', 'byMonth', 'byWeekday', 'foreign'];

/** The members that each kind must have, and may have, beside event, kind and when. */
export const membersOf: Readonly<Record<Kind, { readonly must: readonly string[]; readonly may: readonly string[] }>> =
  {
    transfer: {
      must: ['amount'],
      may: [...ranges, 'text', 'texts', 'parties', 'circle', 'to', ...kids, 'mandateId', 'code'],
    },
    card: {
      must: ['card', 'amount', 'shops'],
      may: [...ranges, 'reserved', 'lapsesAfterDays', 'refundsPerYear', 'code'],
    },
    trip: { must: ['places'], may: [] },
    'standing order': { must: ['amount', 'text', 'party'], may: ['to'] },
    bulk: { must: ['text', 'payees'], may: [] },
    interest: { must: ['text', 'rate'], may: ['code'] },
    'overdraft interest': { must: ['text', 'rate'], may: ['code'] },
    'fee for failed orders': { must: ['text', 'rate'], may: ['code'] },
    'left over': { must: ['text', 'party'], may: ['keeps', 'to', 'code'] },
  };
