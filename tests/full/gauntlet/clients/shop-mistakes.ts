const list = 'GET/accounts/accountId/transactions';
const pay = 'POST/payments/product';
const status = 'GET/payments/product/paymentId/status';
const authorise = `${pay}/paymentId/authorisations`;

/** The tests of the shop, by short names. */
export type ShopTest = 'own' | 'signed' | 'outcome' | 'today' | 'holidays' | 'books' | 'cards' | 'connect';

/** A mistake, the test in which it is planted, and the two trials under which that test breaks. */
export type Row = readonly [mistake: string, test: ShopTest, one: string, other: string];

/** Mistakes of the shop, each green under every single trial. */
export const rows: readonly Row[] = [
  ['has a strict table of statuses', 'own', 'own-accounts-at-once', 'status-lag'],
  ['polls once after a lost answer', 'signed', `closed@${pay}`, 'status-lag'],
  ['begins an authorisation once', 'signed', 'sca-cancelled', `gateway@${authorise}`],
  ['has a request id for each day', 'today', 'before-midnight', `closed@${pay}`],
  ['knows what is on page one by its content', 'books', 'reissued-ids', 'limit-cap=2'],
  ['reads on by the length without a link', 'books', 'no-next-link', 'limit-cap=2'],
  ['counts five weekdays', 'holidays', 'before-easter', 'status-lag'],
  ['counts whole pages after a failure', 'books', 'limit-cap=2', `gateway-page@${list}`],
  ['knows what has no id by its place', 'books', 'no-transaction-ids', 'late-entry'],
  ['doubts after a second SCA', 'outcome', 'sca-cancelled', 'short-at-first'],
  ['doubts after a late status', 'outcome', 'status-lag', 'short-at-first'],
  ['reads once after a second SCA', 'connect', 'sca-cancelled', 'gateway@GET/accounts'],
  ['asks for a consent once after a lost answer', 'connect', 'closed@POST/bank-offered-consents', 'sca-cancelled'],
  ['keeps short ids of lost payments', 'signed', 'id-lengths', `closed@${pay}`],
  ['reads strictly when it asks again', 'books', 'unknown-member', 'gateway@GET/accounts'],
  ['takes the day of UTC when it pays again', 'today', 'after-midnight', `gateway@${pay}`],
  ['trusts the poll after a failed one', 'signed', 'status-lag', `gateway@${status}`],
  ['rebuilds the second address', 'signed', 'sca-query', 'sca-cancelled'],
  ['takes what has a date for booked on further pages', 'books', 'pending-dates', 'limit-cap=2'],
  ['knows an entry by its id or its text', 'cards', 'reissued-ids', 'rewritten-texts'],
  ['waits after 429 with the day of before', 'today', 'before-midnight', `too-many-requests@${pay}`],
  ['takes an unsigned page for a forgery', 'connect', 'signed-answers', 'gateway@GET/accounts'],
];
