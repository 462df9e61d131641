import { lists } from './hearing.ts';
import type { QuirkFile } from './quirk-file.ts';

export const quirk: QuirkFile = {
  group: 'consents',
  does: 'Transactions older than 90 days can be read only for the given time after the consent',
  banks: ['SpareBank 1 Sør-Norge'],
  lines: {
    H38: {
      what: 'Transactions older than 90 days can be read for an hour after the consent. After that hour the bank refuses them with PERIOD_INVALID.',
      value: 'PT60M',
      seen: { register: [38], facts: ['fullHistoryWindowMinutes'] },
      mistake:
        'A job at night asks for all years, and the bank refuses. Read the history as soon as the PSU has consented.',
    },
  },
  shape: 'values',
  heard: lists,
};
