import { calls } from './hearing.ts';
import type { QuirkFile } from './quirk-file.ts';

export const quirk: QuirkFile = {
  group: 'consents',
  does: 'The list of card accounts is refused with 404 if the consent has no cards',
  banks: ['SpareBank 1 Sør-Norge'],
  lines: {
    H41: {
      what: 'If a consent has no cards, the list of card accounts is refused with 404.',
      seen: { register: [43], facts: ['cardsMissing'] },
      mistake: 'The client ends its refresh at the 404, and does not read the accounts either.',
    },
  },
  shape: 'values',
  heard: calls('reads a card', /^GET \/v1\/card-accounts/),
};
