import type { Situation } from '../../engine/bank/rules/situation.ts';

/** Which clients meet a behaviour: those that pay, those that read accounts; null: both. */
export type Area = 'pisp' | 'aisp' | null;

interface Provoked {
  readonly area: Area;
  /** The one line that provokes it. */
  readonly how: string;
}

/** Situations that the bank tells (engine/bank/rules/situation.ts), and the statuses on the way that a client easily forgets. */
const told: Readonly<Record<Situation | 'PART' | 'PATC', Provoked>> = {
  'moved by a holiday': {
    area: 'pisp',
    how: 'Pay with requestedExecutionDate on a holiday: GET /sandbox/calendar/2027 lists them.',
  },
  'moved by a weekend': { area: 'pisp', how: 'Pay with requestedExecutionDate on a Saturday.' },
  'clamped month end': {
    area: 'pisp',
    how: 'sandbank pay --every Monthly --on 31, then sandbank advance over the end of a month of 30 days.',
  },
  'ACCP then ACSC': {
    area: 'pisp',
    how: 'Pay more than the account has, sandbank advance --runs 1, pay the account enough, sandbank advance --runs 2.',
  },
  'fifth attempt': { area: 'pisp', how: 'Pay more than the account has, then sandbank advance P7D.' },
  'straks refused': {
    area: 'pisp',
    how: 'Sign an instant payment (straks) of more than the account has: RJCT at once.',
  },
  'changed in another channel': {
    area: 'pisp',
    how: 'PATCH /sandbox/payments/{paymentId} {"requestedExecutionDate": "2027-03-30"} of a payment in ACSP.',
  },
  'cancelled in another channel': {
    area: 'pisp',
    how: 'POST /sandbox/payments/{paymentId}/cancel of a payment in ACSP.',
  },
  'cancelled by SCA': {
    area: 'pisp',
    how: 'DELETE a payment in ACSP, start its cancellation authorisation, and let the PSU approve it.',
  },
  'SCA cancelled by the PSU': { area: null, how: 'POST /sandbox/sca/{scaId} {"outcome": "cancel"}.' },
  'expired SCA': { area: null, how: 'POST /sandbox/sca/{scaId} {"outcome": "expire"}.' },
  PART: {
    area: 'pisp',
    how: 'Pay a bulk payment of which the account can pay only some items, then sandbank advance --runs 1.',
  },
  PATC: { area: 'pisp', how: 'Sign, as one of two, a payment from an account that needs two signatures.' },
};

/** Situations that an answer shows. */
const answered = {
  'consent lapsed after 180 days': {
    area: 'aisp',
    how: 'Read accounts, sandbank advance P181D, and read them again: CONSENT_EXPIRED with a link to an SCA.',
  },
  'unattended limit': {
    area: 'aisp',
    how: 'Read the balances of an account five times in 24 hours without PSU-IP-Address: ACCESS_EXCEEDED.',
  },
  'pending became booked': {
    area: 'aisp',
    how: 'List the transactions of an account (bookingStatus=both) after a settlement run, and again after the next.',
  },
  paging: { area: 'aisp', how: 'Follow the link `next` of a list of transactions: limit=1 has one soon.' },
  'duplicate refused': { area: 'pisp', how: 'Initiate the same payment twice, with different X-Request-IDs.' },
  'repeat answered': { area: null, how: 'Send a POST again with the same X-Request-ID: it gets the first answer.' },
} as const satisfies Readonly<Record<string, Provoked>>;

/** A situation that {@link situationsIn} finds in an answer. */
export type AnsweredSituation = keyof typeof answered;

/** Every situation by its name. */
export const situationTable: ReadonlyMap<string, Provoked> = new Map(Object.entries({ ...told, ...answered }));
