import type { QuirkFile } from './quirk-file.ts';
import { idsOfWire } from './id-lengths.ts';

export const quirk: QuirkFile = {
  group: 'ids',
  does: 'An account transaction gets a new id after the given time, or in each session',
  banks: ['SpareBank 1 Sør-Norge', 'SpareBank 1 Østlandet'],
  register: [1, 2],
  lines: {
    H6: {
      what: 'A booked transaction gets a new id later. The bank then does not know the old id.',
      value: 'P60D',
      seen: { register: [1, 2], facts: ['transactionIdStable'] },
      mistake: 'A program that knows transactions by their ids imports each of them again.',
    },
    H7: {
      what: 'An id is valid in one session: the next session shows another id.',
      value: 'session',
      seen: { register: [3], others: ['the SpareBank 1 alliance in another API, 2026-06-24: published by the bank'] },
      mistake: 'The client stores a link to details, and the link is dead in the next session.',
    },
  },
  shape: 'values',
  step: 'ids',
  ...idsOfWire,
  // A test seldom lets two months pass.
  tried: 'P7D',
  heard: { by: 'reads the id of a transaction', in: ({ answer }) => answer.includes('"transactionId"') },
};
