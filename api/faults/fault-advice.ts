/** The text of docs/errors.md on one code. */
export interface FaultAdvice {
  readonly when: string;
  readonly remedy: string;
  /** A request that gets the code without an armed fault; null if no request does (rules.md E6). */
  readonly provoke: string | null;
}

/** PSU, consent and SCA (rules.md A1-A10). */
export const accessFaults = {
  ACCESS_EXCEEDED: {
    when: 'The TPP read an account without the PSU (without `PSU-IP-Address`) more than four times in 24 hours of the bank clock.',
    remedy:
      'Keep what you have read. Read again when the PSU is there, or wait for the seconds in `Retry-After`, which are bank time. ' +
      'Each page of a list is one read.',
    provoke: 'Read the balances of an account five times without `PSU-IP-Address`.',
  },
  CONSENT_EXPIRED: {
    when: "The PSU's last SCA with this TPP is more than 180 days ago, by the bank clock; the quirks `consent-days` and `details-days` change the number.",
    remedy: 'Send the PSU to `_links.scaRedirect` of the answer.',
    provoke: 'Get a consent, `POST /sandbox/clock/advance {"by": "P181D"}`, then `GET /v1/accounts`.',
  },
  CONSENT_INVALID: {
    when: 'The PSU gave no consent, or revoked it. Or the consent has no account left, or the call needs an SCA within the last hour.',
    remedy: 'Send the PSU to `_links.scaRedirect` of the answer, then repeat the call with the same TPP-Session-ID.',
    provoke: '`GET /v1/accounts` without PSU-ID.',
  },
  CONSENT_UNKNOWN: {
    when: 'The consent that the request names does not exist for this TPP. With the quirk `revoked-403`: the PSU has revoked the consent.',
    remedy: 'Consents here have no id: let the PSU grant one with `POST /v1/bank-offered-consents`.',
    provoke: 'With the quirk `revoked-403`: get a consent, `DELETE /sandbox/consents/{id}`, then `GET /v1/accounts`.',
  },
  CORPORATE_ID_INVALID: {
    when: 'The PSU-Corporate-ID is unknown for this TPP and PSU, or the context chosen in SCA does not exist.',
    remedy: 'Take it from the redirect after SCA or from `GET /v1/agreements`.',
    provoke: 'Send a PSU-Corporate-ID that the bank has not given.',
  },
  FORBIDDEN: {
    when: 'The PSU has no right to the debtor account; the redirect after the SCA has this code. Or a call under `/v1/sandbox` that changes something lacks the control token of the bank.',
    remedy:
      'Choose a PSU who holds the account or has an engagement with REGISTER on it. Send the token in `Sandbank-Control-Token`.',
    provoke: 'Pay from the account of another PSU, and sign.',
  },
  PSU_CREDENTIALS_INVALID: {
    when: 'The PSU-ID or the identity number is unknown, or it names the wrong PSU.',
    remedy: 'Use the PSU-ID of the last redirect. A reset removes every PSU-ID.',
    provoke: 'Send a PSU-ID that the bank has not given.',
  },
  SCA_EXPIRED: {
    when: 'The SCA link is older than 15 minutes of the wall clock; with `--follow-clock`, of the bank clock.',
    remedy: 'Start a new authorisation.',
    provoke: '`POST /sandbox/sca/{id} {"outcome": "expire"}`, or open a `scaRedirect` after a quarter of an hour.',
  },
  SCA_INVALID: {
    when: 'The SCA link has been used, or the PSU cancelled.',
    remedy: 'Start a new authorisation if the PSU wants to sign.',
    provoke: '`POST /sandbox/sca/{id} {"outcome": "cancel"}`.',
  },
  SCA_METHOD_UNKNOWN: {
    when: 'Only an armed fault gives this code: a bank may refuse an unknown SCA method, but this bank ignores it.',
    remedy: 'Leave the choice to the PSU.',
    provoke: null,
  },
  SCA_NOT_FOUND: {
    when: 'The bank has no such SCA.',
    remedy: 'Follow `scaRedirect` unchanged. A reset removes open SCAs.',
    provoke: '`POST /sandbox/sca/nothing {"outcome": "cancel"}`, or the page `/sca/nothing`.',
  },
  SERVICE_BLOCKED: {
    when: 'The bank has blocked the service for this PSU or account, for instance by removing the payment permission.',
    remedy: 'Let the PSU choose another account, or ask the bank.',
    provoke: 'Pay from the known account without payment permission; `GET /sandbox/info` names it.',
  },
} as const satisfies Readonly<Record<string, FaultAdvice>>;

/** Payments, baskets and other resources (rules.md P1-P14, R1-R10). */
export const paymentFaults = {
  CANCELLATION_INVALID: {
    when: 'The payment can no longer be cancelled.',
    remedy: 'First check that the verbs in the self link of the payment include DELETE.',
    provoke: 'DELETE a signed payment that is due today (PDNG).',
  },
  CARD_INVALID: {
    when: 'The card number is unknown, or not tied to the PSU.',
    remedy: 'Check it with the PSU. No call of this bank takes a card number.',
    provoke: null,
  },
  CONFLICT: {
    when: 'The same payment exists: same date, amount, debtor and creditor. Under `/v1/sandbox`: the resource exists already, or another call is moving the clock or resetting the ledger.',
    remedy:
      'Look at what exists: an earlier answer may have been lost. To pay twice on purpose, repeat the initiation with `allowLogicalDuplicate=true`.',
    provoke: 'Initiate the same payment twice, with different X-Request-IDs.',
  },
  EXECUTION_DATE_INVALID: {
    when: 'The date has passed, is beyond 2099, or leaves a standing order without any day of execution.',
    remedy:
      'Request the current bank date (`GET /sandbox/clock`) or a later date. A WARNING with this code names the new execution date.',
    provoke: 'Initiate a payment with yesterday as `requestedExecutionDate`.',
  },
  KID_INVALID: {
    when: 'The check digit of the KID is wrong under the KID agreement of the creditor account.',
    remedy: 'Let the PSU type the KID again.',
    provoke: 'Pay to 34400000028, which demands a KID, with the KID `11`.',
  },
  KID_MISSING: {
    when: 'The creditor account accepts only payments with a KID, or an electronic invoice lacks its KID.',
    remedy:
      'Add a reference of type SCOR. A standing order cannot carry a KID: send single payments, or name another creditorAccount.',
    provoke: 'Pay to 34400000028, which demands a KID, without a reference.',
  },
  NO_PIIS_ACTIVATION: {
    when: 'The PSU has not allowed this TPP to confirm funds on the account.',
    remedy: 'Ask the PSU to allow it at the bank. This bank offers no funds confirmation.',
    provoke: null,
  },
  PAYMENT_FAILED: {
    when: 'The bank cannot execute such a payment: for instance the currency is wrong, or debtor and creditor are the same account.',
    remedy: 'Correct the member that `path` names.',
    provoke: 'Initiate a domestic credit transfer in EUR.',
  },
  PRODUCT_INVALID: {
    when: 'This PSU may not use the product.',
    remedy: 'Use another product.',
    provoke: null,
  },
  PRODUCT_UNKNOWN: {
    when: 'The service has no such product.',
    remedy: 'Use a product that the text lists.',
    provoke: '`POST /v1/payments/cash-by-pigeon`.',
  },
  REFERENCE_MIX_INVALID: {
    when: "One signing basket cannot hold these payments: their accounts have different owners, or they belong to different PSUs. Payments of two PSUs get this code only if the call has neither `PSU-ID` nor `X-PSU-IDENTITY`. With one of these headers, the other PSU's payment is RESOURCE_UNKNOWN.",
    remedy: 'Make a basket for each PSU and context.',
    provoke: '`POST /v1/signing-baskets` with payments of two PSUs, without `PSU-ID` and `X-PSU-IDENTITY`.',
  },
  REFERENCE_STATUS_INVALID: {
    when: 'A payment of the signing basket can no longer be signed.',
    remedy: 'Leave out the payment that `path` names.',
    provoke: '`POST /v1/signing-baskets` with a payment that is signed.',
  },
  RESOURCE_BLOCKED: {
    when: 'The payment waits in a signing basket and is signed with it.',
    remedy: 'Authorise the basket, or wait until it is removed.',
    provoke: 'Start the authorisation of a payment that is in a signing basket.',
  },
  RESOURCE_EXPIRED: {
    when: 'The resource has expired by the bank clock: a signing basket lasts 24 hours.',
    remedy: 'Make a new basket.',
    provoke: 'Make a signing basket, `POST /sandbox/clock/advance {"by": "P1D"}`, then read it.',
  },
  RESOURCE_UNKNOWN: {
    when: 'This TPP and PSU have no such resource. It may belong to another TPP or PSU, the payment may be booked, or a reset removed it.',
    remedy: 'Check id, service, product and PSU-ID. Read a booked payment as a transaction of the account.',
    provoke: '`GET /v1/payments/norwegian-domestic-credit-transfers/nothing`.',
  },
  STATUS_INVALID: {
    when: 'The resource accepts no further authorisation.',
    remedy: 'Read its status instead.',
    provoke: 'Start the authorisation of a payment that is signed.',
  },
} as const satisfies Readonly<Record<string, FaultAdvice>>;

/** The form of a request, and the bank itself (rules.md E1-E6). */
export const requestFaults = {
  BAD_REQUEST: {
    when: 'The bank cannot read the request, or the request is too large or arrives too slowly.',
    remedy: 'Send HTTP/1.1, with at most 16 KB of headers and 256 KB of body (8 MB for a bulk payment).',
    provoke: 'Send a body of 300 KB.',
  },
  FORMAT_ERROR: {
    when: 'A member, a header or a parameter has the wrong form. The answer names each fault with its path, at most 20.',
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
    remedy:
      'Compare the path with docs/spec/interface.md. The path says `payments`, in the plural, followed by the product.',
    provoke: '`GET /v1/nothing`.',
  },
  PARAMETER_NOT_CONSISTENT: {
    when: 'Query parameters contradict each other: `dateFrom` is after `dateTo`; or `cursor` belongs to another account or TPP, or a reset, an initialize or a restore ended it.',
    remedy:
      'Send the earlier date as `dateFrom`. Follow `_links.next` unchanged. If its `cursor` has ended, read the list from the beginning.',
    provoke: 'Read transactions with `dateFrom` after `dateTo`.',
  },
  PARAMETER_NOT_SUPPORTED: {
    when: 'The request has a query parameter that the path does not have.',
    remedy: 'Leave out the parameter. The text lists the parameters of the path.',
    provoke: '`GET /v1/accounts?colour=red`.',
  },
  PERIOD_INVALID: {
    when: 'The TPP may not read this period: it begins after today, or begins more than 90 days ago and the PSU is absent.',
    remedy: 'Move `dateFrom` or `dateTo`.',
    provoke: 'Read transactions with `dateFrom` after today.',
  },
  QUERY_PARAMETER_REQUIRED: {
    when: 'A query parameter that the call needs is missing.',
    remedy: 'Send the parameter.',
    provoke: null,
  },
  REQUESTED_FORMATS_INVALID: {
    when: 'The Accept header allows no format of the bank.',
    remedy: 'Accept `application/json`.',
    provoke: 'Send `Accept: text/xml`.',
  },
  SERVICE_INVALID: {
    when: 'The path or the resource does not offer the method (405), or this change of the payment is not allowed (400).',
    remedy: 'Use one of the methods in the header `Allow`.',
    provoke: '`DELETE /v1/signing-baskets/{basketId}`: a signing basket cannot be deleted.',
  },
  SESSIONS_NOT_SUPPORTED: {
    when: 'The TPP asked for a combined service; the bank offers none.',
    remedy: 'Initiate payments and read accounts with separate SCAs.',
    provoke: null,
  },
  SYSTEM_ERROR: {
    when:
      '500: the bank failed; the answer never says how. 503: the bank is starting, reads too many bodies at one time, or cannot use its ' +
      'ledger (a full disk, a missing file, books that may be wrong); the text says which.',
    remedy:
      'After a 503 repeat the call with the same X-Request-ID: the bank carries it out only once. `GET /ready` says when the bank is ' +
      'ready again. After a 500 read the resource before you repeat the call. The log has the reason under the X-Request-ID.',
    provoke: null,
  },
} as const satisfies Readonly<Record<string, FaultAdvice>>;

/** Certificate and signature (rules.md G1-G8). */
export const signingFaults = {
  CERTIFICATE_BLOCKED: {
    when: 'The bank or the authority has blocked the certificate.',
    remedy: 'Sign with another certificate, and ask the bank why.',
    provoke:
      '`sandbank sign GET /v1/accounts --fault blocked`. To block your own certificate: `POST /sandbox/certificates/{serial}/block`.',
  },
  CERTIFICATE_EXPIRED: {
    when: 'The certificate has expired by the wall clock; with `--follow-clock`, by the bank clock.',
    remedy: 'Sign with a renewed certificate.',
    provoke: '`sandbank sign GET /v1/accounts --fault expired`.',
  },
  CERTIFICATE_INVALID: {
    when:
      'The bank cannot use the certificate. A certificate must be one DER certificate in base64, already valid, with an RSA key of at ' +
      'least 2048 bits, not signed with SHA-1 or MD5; a self-signature must be intact. With `SANDBANK_TPP_TRUST=ca` a trusted authority must have issued the certificate, and it must state PSD2 roles.',
    remedy: 'The text names what is wrong. Send the PEM body without its first and last line and without line breaks.',
    provoke:
      '`sandbank sign GET /v1/accounts --fault weak-key`; [faulty certificates](signing/faulty-certificates.md) lists more.',
  },
  CERTIFICATE_MISSING: {
    when: 'The request has a Signature but no `TPP-Signature-Certificate`.',
    remedy: 'Send the certificate that belongs to the signing key.',
    provoke: '`curl -H "Signature: x" $BANK/v1/accounts`.',
  },
  CERTIFICATE_REVOKED: {
    when: 'The certificate has been revoked.',
    remedy: 'Sign with another certificate: a real revocation is final.',
    provoke:
      '`sandbank sign GET /v1/accounts --fault revoked`. To revoke your own certificate: `POST /sandbox/certificates/{serial}/revoke`.',
  },
  ROLE_INVALID: {
    when: 'The PSD2 roles of the certificate lack the role that the call needs: `PSP_PI` to initiate, `PSP_AI` to read accounts.',
    remedy: 'Use a certificate with the role, or leave the call to a TPP that has it.',
    provoke: '`sandbank sign GET /v1/accounts --fault wrong-role`.',
  },
  SIGNATURE_INVALID: {
    when: 'The signature or a part of the Signature header does not fit the request. A Digest that does not fit the body is FORMAT_ERROR.',
    remedy:
      'The text names your mistake if the signature reveals it, says what to do, and ends with the signing string of the bank. ' +
      '`sandbank doctor < request.txt` checks a request without sending it, and shows both strings.',
    provoke: '`sandbank sign GET /v1/accounts --fault other-key`, or change one of the signed headers after signing.',
  },
  SIGNATURE_MISSING: {
    when: 'The request is not signed.',
    remedy:
      'Sign every call below `/v1`: [signing.md](signing.md) shows how. If you have no certificate, send the request to `/sandbox/as/shop/v1/...`: the bank ' +
      'signs the request for you.',
    provoke: '`curl $BANK/v1/accounts`.',
  },
  TIMESTAMP_INVALID: {
    when: 'The Date header is more than 60 seconds from the wall clock; with `--follow-clock`, from the bank clock.',
    remedy:
      'Set the Date of each call when you sign it. The bank clock matters only with `--follow-clock`: [one-clock.md](one-clock.md).',
    provoke: '`sandbank sign GET /v1/accounts --date 2020-01-01T00:00:00Z`.',
  },
} as const satisfies Readonly<Record<string, FaultAdvice>>;
