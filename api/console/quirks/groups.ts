import type { Quirk } from '../../../engine/bank/rules/quirk.ts';

/** The groups of quirks, in the order of their page. */
export const groups = ['ids', 'texts', 'dates', 'money', 'consents', 'failures', 'requests'] as const;

/** What each quirk is about. A new quirk without a group does not compile. */
export const groupOf: Readonly<Record<Quirk, (typeof groups)[number]>> = {
  'status-before-approval': 'requests',
  'december-month': 'dates',
  'bban-mod11': 'requests',
  'pending-filtered': 'dates',
  'signature-401': 'failures',
  'strict-signing': 'failures',
  'lenient-headers': 'requests',
  'id-lengths': 'ids',
  'reissued-ids': 'ids',
  'pending-dates': 'dates',
  'pending-members': 'texts',
  'rewritten-texts': 'texts',
  'text-forms': 'texts',
  'structured-references': 'texts',
  'bank-codes': 'texts',
  counterparty: 'texts',
  order: 'dates',
  'no-next-link': 'requests',
  'full-history': 'consents',
  'consent-days': 'consents',
  'details-days': 'consents',
  'revoked-403': 'consents',
  'no-cards-404': 'consents',
  'fee-indicator': 'money',
  'no-status-in-details': 'requests',
  'plain-json': 'requests',
  'accept-fix-dates': 'dates',
  'status-lag': 'failures',
  'own-accounts-at-once': 'money',
  'same-bank-at-once': 'money',
  'card-value-dates': 'dates',
  'weekend-values': 'dates',
  'value-date': 'dates',
  'month-end-bookings': 'dates',
  maintenance: 'failures',
};
