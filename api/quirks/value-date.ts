import type { QuirkFile } from './quirk-file.ts';

export const quirk: QuirkFile = {
  group: 'dates',
  does: 'A payment that is signed after the last run or the cut-off of its day is due, and valued, on the day of its run',
  banks: ['Landkreditt Bank', 'Handelsbanken Norge', 'Sparebanken Øst'],
  lines: {
    H70: {
      what: 'A payment that is signed after the last run of the day has the day of its run as payment and value date.',
      value: 'run-day',
      seen: {
        register: [56, 57],
        facts: ['weekendRule', 'valueDateRule'],
        profiles: ['landkreditt-bank', 'handelsbanken-norge', 'sparebanken-ost'],
      },
      mistake: 'The client expects the value date that it asked for, and does not find its payment.',
    },
  },
  shape: 'values',
  guess: { sign: /^value .*(?:requestedExecutionDate|transactionStatus)/ },
};
