import { calls } from './hearing.ts';
import type { QuirkFile } from './quirk-file.ts';

export const quirk: QuirkFile = {
  group: 'consents',
  does: "A consent lapses the given number of days after the PSU's last SCA, instead of 180 days",
  banks: ['Sparebanken Øst'],
  lines: {
    H39: {
      what: "A consent lapses 90 days after the PSU's last SCA.",
      value: '90',
      seen: { register: [40], facts: ['consentDays'] },
      mistake: 'The client plans to renew the consent after 180 days. From day 91 on the bank refuses its reads.',
    },
  },
  shape: 'values',
  heard: calls('reads an account', /^GET \/v1\/accounts/),
};
