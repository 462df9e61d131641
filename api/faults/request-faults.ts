import type { FaultAdvice } from './fault-advice.ts';

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
