import { calls } from './hearing.ts';
import type { QuirkFile } from './quirk-file.ts';

export const quirk: QuirkFile = {
  group: 'consents',
  does: "Without the PSU, transaction details can be read for the given number of days after the PSU's last SCA",
  banks: ['OBOS-banken', 'Skue Sparebank', 'Spareskillingsbanken'],
  lines: {
    H45: {
      what: 'Without the PSU, lists of transactions can be read for 180 days after the last SCA, and details of a transaction for 90 days.',
      value: '90',
      seen: {
        register: [39],
        facts: ['unattendedReads'],
        profiles: ['obos-banken', 'skue-sparebank'],
        others: ['Spareskillingsbanken, undated: published by the bank'],
      },
      mistake:
        'The client stores one end date for the whole consent. From day 91 on, the bank refuses details of transactions, but still answers with lists.',
    },
  },
  shape: 'values',
  heard: calls('reads the details of a transaction', /\/transactions\/\{transactionId\}$/),
};
