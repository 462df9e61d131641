/** The text of docs/errors.md on one code. */
export interface FaultAdvice {
  readonly when: string;
  readonly remedy: string;
  /** A request that gets the code without an armed fault; null: no request does (rules.md E6). */
  readonly provoke: string | null;
}

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

/** Payments, baskets and other resources (rules.md P1-P14, R1-R10). */
export const paymentFaults = {
  CANCELLATION_INVALID: {
    when: 'The payment can no longer be cancelled.',
    remedy: 'Look for DELETE among the verbs of its self link before you try.',
    provoke: 'DELETE a signed payment that is due today (PDNG).',
  },
  CARD_INVALID: {
    when: 'The card number is unknown, or not tied to the PSU.',
    remedy: 'Check it with the PSU. No call of this bank takes a card number.',
    provoke: null,
  },
  CONFLICT: {
    when: 'A payment like one that exists already: same date, amount, debtor and creditor. Under `/v1/sandbox`: what is to be created exists, or another call is moving the clock or resetting the ledger.',
    remedy: 'If it is meant, repeat the initiation with `allowLogicalDuplicate=true`.',
    provoke: 'Initiate the same payment twice, with different X-Request-IDs.',
  },
  EXECUTION_DATE_INVALID: {
    when: 'The date has passed, is beyond 2099, or leaves a periodic payment without any day of execution.',
    remedy:
      'Ask for the bank date of today or a later one; `GET /sandbox/clock` has it. As a WARNING it names the day it was moved to.',
    provoke: 'Initiate a payment with yesterday as `requestedExecutionDate`.',
  },
  KID_INVALID: {
    when: 'The check digit of the KID does not suit the agreement of the creditor account.',
    remedy: 'Let the PSU type it again.',
    provoke: 'Pay to the known account with a KID agreement with the KID `11`.',
  },
  KID_MISSING: {
    when: 'The creditor account takes payments with a KID only, or an electronic invoice comes without one.',
    remedy:
      'Add a reference of type SCOR. A standing order cannot carry a KID: send single payments, or name another creditorAccount.',
    provoke: 'Pay to the known account with a KID agreement without a reference.',
  },
  NO_PIIS_ACTIVATION: {
    when: 'The PSU has not opened the account to the funds confirmation of this TPP.',
    remedy: 'Let the PSU do so with the bank. This bank offers no funds confirmation.',
    provoke: null,
  },
  PAYMENT_FAILED: {
    when: 'The payment cannot be made for what it is: the wrong currency, debtor and creditor the same account, ...',
    remedy: 'Correct the member that `path` names.',
    provoke: 'Initiate a domestic credit transfer in EUR.',
  },
  PRODUCT_INVALID: {
    when: 'The product exists, and this PSU may not use it.',
    remedy: 'Use another product.',
    provoke: null,
  },
  PRODUCT_UNKNOWN: {
    when: 'The service has no such product.',
    remedy: 'Use one that the text lists.',
    provoke: '`POST /v1/payments/cash-by-pigeon`.',
  },
  REFERENCE_MIX_INVALID: {
    when: "The payments do not go into one signing basket: they are made from accounts of different owners, or belong to different PSUs. Payments of two PSUs get this code only if the call has neither `PSU-ID` nor `X-PSU-IDENTITY`. With one of these headers, the other PSU's payment is RESOURCE_UNKNOWN.",
    remedy: 'Make a basket for each PSU and context.',
    provoke: '`POST /v1/signing-baskets` with payments of two PSUs, without `PSU-ID` and `X-PSU-IDENTITY`.',
  },
  REFERENCE_STATUS_INVALID: {
    when: 'A payment of the signing basket takes no further signature.',
    remedy: 'Leave out what `path` names.',
    provoke: '`POST /v1/signing-baskets` with a payment that is signed.',
  },
  RESOURCE_BLOCKED: {
    when: 'The payment waits in a signing basket and is signed with it.',
    remedy: 'Authorise the basket, or wait until it is removed.',
    provoke: 'Start the authorisation of a payment that is in a signing basket.',
  },
  RESOURCE_EXPIRED: {
    when: 'The resource is gone by the bank clock: a signing basket after its 24 hours.',
    remedy: 'Make a new one.',
    provoke: 'Make a signing basket, `POST /sandbox/clock/advance {"by": "P1D"}`, then read it.',
  },
  RESOURCE_UNKNOWN: {
    when: "This TPP and PSU have no such resource. It may be another's, booked and gone, or removed by a reset.",
    remedy: 'Check id, service, product and PSU-ID. A booked payment is read as a transaction.',
    provoke: '`GET /v1/payments/norwegian-domestic-credit-transfers/nothing`.',
  },
  STATUS_INVALID: {
    when: 'The resource takes no further authorisation.',
    remedy: 'Read its status instead.',
    provoke: 'Start the authorisation of a payment that is signed.',
  },
} as const satisfies Readonly<Record<string, FaultAdvice>>;

/** The form of a request, and the bank itself (rules.md E1-E6). */
export const requestFaults = {
  BAD_REQUEST: {
    when: 'The request cannot be read at all, it is larger than the bank takes, or it takes too long to come.',
    remedy: 'Send HTTP/1.1. At most 16 KB of headers, a body of at most 256 KB, for a bulk payment 8 MB.',
    provoke: 'Send a body of 300 KB.',
  },
  FORMAT_ERROR: {
    when: 'A member, a header or a parameter has the wrong form. Every one is named, with its path; 20 at most.',
    remedy: 'Correct what each `path` names; each text says what was expected and gives an example.',
    provoke: 'Send `"amount": 100` instead of `"100.00"`.',
  },
  HTTP_HEADER_REQUIRED: {
    when: 'A header that this call needs is missing.',
    remedy: 'Send the header that `path` names.',
    provoke: 'Initiate a payment without `PSU-IP-Address`.',
  },
  NOT_FOUND: {
    when: 'The bank has no such path.',
    remedy: 'Compare the path with docs/spec/interface.md; payments are plural and carry their product.',
    provoke: '`GET /v1/nothing`.',
  },
  PARAMETER_NOT_CONSISTENT: {
    when: 'Query parameters contradict each other: `dateFrom` is after `dateTo`; or `cursor` continues no list of this account and TPP, or ended with a reset, an initialize or a restore.',
    remedy:
      'Send the earlier date as `dateFrom`. Follow `_links.next` as it is, and begin the list again where its `cursor` has ended.',
    provoke: 'Read transactions with `dateFrom` after `dateTo`.',
  },
  PARAMETER_NOT_SUPPORTED: {
    when: 'There is no such query parameter on this path.',
    remedy: 'Leave it out; the text lists those there are.',
    provoke: '`GET /v1/accounts?colour=red`.',
  },
  PERIOD_INVALID: {
    when: 'The period asked for lies outside what may be read: it begins after today, or, without the PSU, more than 90 days ago.',
    remedy: 'Move `dateFrom` or `dateTo`.',
    provoke: 'Read transactions with `dateFrom` after today.',
  },
  QUERY_PARAMETER_REQUIRED: {
    when: 'A query parameter that the call needs is missing.',
    remedy: 'Send it.',
    provoke: null,
  },
  REQUESTED_FORMATS_INVALID: {
    when: 'The Accept header takes nothing that the bank gives.',
    remedy: 'Accept `application/json`.',
    provoke: 'Send `Accept: text/xml`.',
  },
  SERVICE_INVALID: {
    when: 'The service does not suit the resource or the body; most often the method is not offered on the path.',
    remedy: 'Use one of the methods in the header `Allow`.',
    provoke: '`DELETE /v1/signing-baskets/{basketId}`: a signing basket cannot be deleted.',
  },
  SESSIONS_NOT_SUPPORTED: {
    when: 'A combined service was asked for, and the bank offers none.',
    remedy: 'Initiate payments and read accounts with separate SCAs.',
    provoke: null,
  },
  SYSTEM_ERROR: {
    when:
      'The bank failed, and the answer never says how (500); or it is starting, or cannot use its ledger: a full disk, a file ' +
      'that was taken away, books that may be wrong (503, and the text says which).',
    remedy:
      'A 503 means perhaps: send the same call again with the same X-Request-ID, which carries it out once; `GET /ready` says ' +
      'when the bank can be used again. After a 500 read before you repeat. The log has the reason under the X-Request-ID.',
    provoke: null,
  },
} as const satisfies Readonly<Record<string, FaultAdvice>>;

/** Certificate and signature (rules.md G1-G8). */
export const signingFaults = {
  CERTIFICATE_BLOCKED: {
    when: 'The bank or the authority has blocked the certificate.',
    remedy: 'Sign with another certificate, and ask the bank why.',
    provoke:
      '`sandbank sign GET /v1/accounts --fault blocked`; of your own: `POST /sandbox/certificates/{serial}/block`.',
  },
  CERTIFICATE_EXPIRED: {
    when: 'The certificate is past its last day, by the wall clock.',
    remedy: 'Sign with a renewed certificate.',
    provoke: '`sandbank sign GET /v1/accounts --fault expired`.',
  },
  CERTIFICATE_INVALID: {
    when:
      'The certificate cannot be used: it is no single DER certificate in base64, not valid yet, has no RSA key of 2048 bits or ' +
      'more, is signed with SHA-1 or MD5, is self-signed with a broken signature, or, with `SANDBANK_TPP_TRUST=ca`, comes from no trusted authority or states no PSD2 roles.',
    remedy: 'The text names what is wrong. Send the PEM body without its first and last line and without line breaks.',
    provoke: '`sandbank sign GET /v1/accounts --fault weak-key`; [signing.md](signing.md) lists more.',
  },
  CERTIFICATE_MISSING: {
    when: 'There is a Signature and no `TPP-Signature-Certificate`.',
    remedy: 'Send the certificate that belongs to the signing key.',
    provoke: '`curl -H "Signature: x" $BANK/v1/accounts`.',
  },
  CERTIFICATE_REVOKED: {
    when: 'The certificate has been revoked.',
    remedy: 'Sign with another certificate: a revoked one does not come back.',
    provoke:
      '`sandbank sign GET /v1/accounts --fault revoked`; of your own: `POST /sandbox/certificates/{serial}/revoke`.',
  },
  ROLE_INVALID: {
    when: 'The certificate states PSD2 roles, and not the one that the call needs: `PSP_PI` to initiate, `PSP_AI` to read accounts.',
    remedy: 'Use a certificate with the role, or leave the call to a TPP that has it.',
    provoke: '`sandbank sign GET /v1/accounts --fault wrong-role`.',
  },
  SIGNATURE_INVALID: {
    when: 'The signature or a part of the Signature header does not fit the request. A Digest that does not fit the body is FORMAT_ERROR.',
    remedy:
      'The text says what you did where the signature shows it, and what to do, then the signing string as the bank saw it. ' +
      '`sandbank doctor < request.txt` tells the same without sending, with both strings.',
    provoke: '`sandbank sign GET /v1/accounts --fault other-key`, or change one of the signed headers after signing.',
  },
  SIGNATURE_MISSING: {
    when: 'The request is not signed.',
    remedy:
      'Sign every call below `/v1`: [signing.md](signing.md) shows how. Without a certificate, send it to `/sandbox/as/shop/v1/...`: the bank ' +
      'signs it for you.',
    provoke: '`curl $BANK/v1/accounts`.',
  },
  TIMESTAMP_INVALID: {
    when: 'The Date header is more than 60 seconds from the wall clock.',
    remedy: 'Set the Date of each call when you sign it. The bank clock has no part in this.',
    provoke: '`sandbank sign GET /v1/accounts --date 2020-01-01T00:00:00Z`.',
  },
} as const satisfies Readonly<Record<string, FaultAdvice>>;
