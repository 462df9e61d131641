import { pays } from './hearing.ts';
import type { QuirkFile } from './quirk-file.ts';

export const quirk: QuirkFile = {
  group: 'money',
  does: 'A transfer between accounts of one customer settles when it is authorised',
  banks: ['SpareBank 1 Østfold Akershus', 'SpareBank 1 Modum', 'Den gule banken'],
  lines: {
    H51: {
      what: 'A transfer between accounts of one customer settles when it is authorised. A transfer to another customer of the bank waits for a run.',
      seen: {
        register: [58],
        facts: ['ownAccountTransfers'],
        profiles: ['sparebank1-ostfold-akershus', 'sparebank1-modum', 'den-gule-banken'],
      },
      mistake: 'The client expects every transfer inside the bank to settle at once, and promises the money too early.',
    },
  },
  shape: 'values',
  heard: pays,
};
