import { pays } from './hearing.ts';
import type { QuirkFile } from './quirk-file.ts';

export const quirk: QuirkFile = {
  group: 'money',
  does: 'A transfer inside the bank settles when it is authorised: all of them, those without a KID, or all of them, booked a banking day later',
  banks: ['Ørskog Sparebank', 'Skagerrak Sparebank', 'Sparebanken DIN', 'Kvinesdal Sparebank'],
  lines: {
    H52: {
      what: 'A transfer to another customer of the bank settles when it is authorised. With a KID it settles in a run.',
      value: 'without-kid',
      seen: {
        register: [59],
        facts: ['sameBankTransfers'],
        profiles: ['orskog-sparebank', 'skagerrak-sparebank', 'sparebanken-din'],
      },
      mistake: 'The client does not find the payment with a KID at once, and sends it again.',
    },
    H53: {
      what: 'Money inside the bank is available at once, and booked on the next banking day.',
      value: 'next-day',
      seen: { register: [60], facts: ['sameBankTransfers'], profiles: ['kvinesdal-sparebank'] },
      mistake: 'The client adds up booked transactions, and its sum lacks money that is in the balance.',
    },
  },
  shape: 'values',
  heard: pays,
};
