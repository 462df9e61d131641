import { pays } from './hearing.ts';
import type { QuirkFile } from './quirk-file.ts';

export const quirk: QuirkFile = {
  group: 'dates',
  does: 'A payment that is signed after the last run or the cut-off of its day is due, and valued, on the day of its run',
  banks: ['Landkreditt Bank', 'Handelsbanken Norge', 'Sparebanken Øst'],
  lines: {
    H70: {
      what: 'A payment that is signed after the last run of a day gets the date and value date of its own run.',
      value: 'run-day',
      seen: {
        register: [56, 57],
        facts: ['weekendRule', 'valueDateRule'],
        profiles: ['landkreditt-bank', 'handelsbanken-norge', 'sparebanken-ost'],
      },
      mistake: 'The client expects the value date that it asked for, and does not find its payment.',
    },
    H71: {
      what: 'What the last run of the day settles is booked on that day, and not on the next banking day.',
      value: 'run-day-booked',
      seen: { register: [57], facts: ['valueDateRule'], profiles: ['handelsbanken-norge'] },
      mistake: 'The client reads a day once, before its last run, and never finds what was booked after that.',
    },
    H72: {
      what: 'A transfer between accounts of the bank is valued on the day on which it is made, though a later run books it.',
      value: 'transfer-day',
      seen: { register: [57], facts: ['valueDateRule'], profiles: ['sparebanken-ost'] },
      mistake: 'The client takes the value date for the booking date, and files the transfer under the wrong day.',
    },
  },
  shape: 'values',
  heard: pays,
};
