import { addDuration } from '../../values/duration.ts';
import type { Fault } from '../../values/fault.ts';
import { formatInstant, osloDate, type Instant } from '../../values/instant.ts';
import { addDays, type LocalDate } from '../../values/local-date.ts';

/** Days that access lasts after the PSU's last SCA with the TPP, without the quirk consent-days (rules.md A7). */
export const accessDays = 180;
/** Length of a session in ms of the bank clock (rules.md A7). */
const sessionLifetime = 60 * 60 * 1000;
/** Number of days that transactions can be read back without a session (rules.md A7). */
const openDays = 90;

/** Fault for a TPP to which the PSU has opened no account (rules.md A7, E1). */
export const noConsent: Fault = {
  code: 'CONSENT_INVALID',
  text: 'The PSU has not consented, or no longer does. Send the PSU to the address of scaRedirect, then come back.',
};

/** Fault for a TPP whose consent has ended, under the quirk revoked-403 (rules.md Q10d). */
export const revokedConsent: Fault = {
  code: 'CONSENT_UNKNOWN',
  place: 'account',
  text:
    'The consent of the PSU was revoked or has no account left. This refusal offers no SCA. Let the PSU grant a new consent: ' +
    'POST /v1/bank-offered-consents.',
};

/** Fault for a CORPORATE request without PSU-Corporate-ID (interface: SCA, 10). */
export const noCorporateConsent: Fault = {
  code: 'CONSENT_INVALID',
  text:
    'PSU-Context is CORPORATE and PSU-Corporate-ID is missing. Send the PSU to the address of scaRedirect to choose an ' +
    'agreement, or send the id of one that GET /v1/agreements lists.',
};

/** Fault for listing agreements without a live session (rules.md A7). */
export const noSession: Fault = {
  code: 'CONSENT_INVALID',
  text:
    'Choosing an agreement needs an SCA within the last hour, in the session that TPP-Session-ID names. Send the PSU to the ' +
    'address of scaRedirect, and repeat the request with PSU-ID and the same TPP-Session-ID.',
};

/**
 * CONSENT_EXPIRED when the PSU's last SCA with this TPP is more than this many days ago, else null (rules.md A7).
 */
export function checkLastSca(lastScaAt: Instant, now: Instant, days: number = accessDays): Fault | null {
  if (now <= addDuration(lastScaAt, { months: 0, days, seconds: 0 })) return null;
  const text =
    `The PSU's last SCA with this TPP was at ${formatInstant(lastScaAt)}, more than ${days} ${days === 1 ? 'day' : 'days'} ago. ` +
    'Send the PSU to the address of scaRedirect for a new one.';
  return { code: 'CONSENT_EXPIRED', text };
}

/** Whether a session that began at `startedAt` is still live at `now` (interface: Authentication, Session). */
export function isSessionLive(startedAt: Instant, now: Instant): boolean {
  return now - startedAt <= sessionLifetime;
}

/** The earliest booking date that can be read without a session (rules.md A7). */
export function openSince(now: Instant): LocalDate {
  return addDays(osloDate(now), -openDays);
}

/** CONSENT_INVALID when `date` is too old to be read without a live session, else null (rules.md A7). */
export function checkAge(date: LocalDate, now: Instant): Fault | null {
  if (date >= openSince(now)) return null;
  const text =
    `Transactions before ${openSince(now)}, older than ${openDays} days, need an SCA within the last hour. Send the request ` +
    'with TPP-Session-ID, send the PSU to the address of scaRedirect, and repeat it with the same TPP-Session-ID.';
  return { code: 'CONSENT_INVALID', text };
}

/** How long a consent opens the whole history, under the quirk full-history (rules.md Q10b). */
export interface FullHistory {
  readonly grantedAt: Instant;
  /** In ms of the bank clock. */
  readonly length: number;
}

/** PERIOD_INVALID when `date` is too old to be read this long after the consent, else null (rules.md Q10b). */
export function checkFullHistory(date: LocalDate, now: Instant, { grantedAt, length }: FullHistory): Fault | null {
  if (date >= openSince(now) || now - grantedAt <= length) return null;
  const text =
    `Transactions before ${openSince(now)}, older than ${openDays} days, could be read until ` +
    `${formatInstant((grantedAt + length) as Instant)}, soon after the consent; the request reaches back to ${date}. Ask for later ` +
    'ones, or let the PSU grant a new consent: POST /v1/bank-offered-consents.';
  return { code: 'PERIOD_INVALID', path: 'dateFrom', text };
}
