import type { FaultAdvice } from './fault-advice.ts';

/** PSU, consent and SCA (rules.md A1-A10). */
export const accessFaults = {
  ACCESS_EXCEEDED: {
    when: 'Without the PSU, that is without `PSU-IP-Address`, an account was read more than four times in 24 hours of the bank clock.',
    remedy:
      'Keep what you have read. Read again when the PSU is there, or after the seconds of `Retry-After`, which are bank time. ' +
      'Each page of a list is one read.',
    provoke: 'Read the balances of an account five times without `PSU-IP-Address`.',
  },
  CONSENT_EXPIRED: {
    when: "The PSU's last SCA with this TPP is more than 180 days ago, by the bank clock.",
    remedy: 'Send the PSU to `_links.scaRedirect` of the answer.',
    provoke: 'Get a consent, `POST /sandbox/clock/advance {"by": "P181D"}`, then `GET /v1/accounts`.',
  },
  CONSENT_INVALID: {
    when: 'There is no consent, it was taken back, no account is left in it, or what was asked for needs an SCA within the last hour.',
    remedy: 'Send the PSU to `_links.scaRedirect` of the answer, then repeat the call with the same TPP-Session-ID.',
    provoke: '`GET /v1/accounts` without PSU-ID.',
  },
  CONSENT_UNKNOWN: {
    when: 'The consent that the request names does not exist for this TPP.',
    remedy: 'Consents here have no id: let the PSU grant one with `POST /v1/bank-offered-consents`.',
    provoke: null,
  },
  CORPORATE_ID_INVALID: {
    when: 'The PSU-Corporate-ID is unknown for this TPP and PSU, or the context chosen in SCA does not exist.',
    remedy: 'Take it from the redirect after SCA or from `GET /v1/agreements`.',
    provoke: 'Send a PSU-Corporate-ID that the bank has not given.',
  },
  FORBIDDEN: {
    when: 'The PSU has no right to the debtor account; it comes with the redirect after SCA. Or, where the bank has a control token, a call under `/v1/sandbox` that changes something came without it.',
    remedy:
      'Let a PSU sign who holds the account, or has an engagement with REGISTER on it. Send the token in `Sandbank-Control-Token`.',
    provoke: 'Pay from the account of another, and sign.',
  },
  PSU_CREDENTIALS_INVALID: {
    when: 'The PSU-ID or the identity number is unknown, or names another PSU than the one expected.',
    remedy: 'Use the PSU-ID of the last redirect; a reset removes them all.',
    provoke: 'Send a PSU-ID that the bank has not given.',
  },
  SCA_EXPIRED: {
    when: 'The SCA link is older than 15 minutes of the wall clock.',
    remedy: 'Start a new authorisation.',
    provoke: '`POST /sandbox/sca/{id} {"outcome": "expire"}`, or open a `scaRedirect` after a quarter of an hour.',
  },
  SCA_INVALID: {
    when: 'The SCA link has been used, or the PSU cancelled.',
    remedy: 'Start a new authorisation, when the PSU wants one.',
    provoke: '`POST /sandbox/sca/{id} {"outcome": "cancel"}`.',
  },
  SCA_METHOD_UNKNOWN: {
    when: 'The SCA method that the TPP chose is unknown. This bank ignores a preference that it does not know.',
    remedy: 'Leave the choice to the PSU.',
    provoke: null,
  },
  SCA_NOT_FOUND: {
    when: 'There is no such SCA.',
    remedy: 'Follow `scaRedirect` as it is; a reset removes open SCAs.',
    provoke: '`POST /sandbox/sca/nothing {"outcome": "cancel"}`, or the page `/sca/nothing`.',
  },
  SERVICE_BLOCKED: {
    when: 'The bank has blocked the service for this PSU or account, for instance removed its payment permission.',
    remedy: 'Let the PSU choose another account, or ask the bank.',
    provoke: 'Pay from the known account without payment permission; `GET /sandbox/info` names it.',
  },
} as const satisfies Readonly<Record<string, FaultAdvice>>;
