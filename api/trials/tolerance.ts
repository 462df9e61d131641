import type { ShownAnswer } from '../pipeline/shaping.ts';
import { isObject, type JsonObject } from '../quirks/json.ts';
import { eachTransaction } from '../quirks/transactions.ts';
import { addDays } from '../../engine/values/local-date.ts';
import type { Change } from './trial.ts';

/* Answers that a client of the Berlin Group's framework must take though the document does not have them. */

/** The longest text of each member (docs/spec/interface.md). */
const longest: Readonly<Record<string, number>> = {
  ...{
    remittanceInformationUnstructured: 140,
    remittanceInformationUnstructuredArray: 140,
    additionalInformation: 140,
  },
  ...{ creditorName: 70, debtorName: 70, ultimateDebtor: 70, name: 70, psuMessage: 512 },
};

/** The body with each object in it changed, the innermost first. Links stay as they are. */
function eachObject(value: unknown, change: (object: JsonObject) => JsonObject): unknown {
  if (Array.isArray(value)) return value.map((item) => eachObject(item, change));
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([name, held]) => {
    return [name, name === '_links' ? held : eachObject(held, change)];
  });
  return change(Object.fromEntries(members) as JsonObject);
}

const inEachObject =
  (change: (object: JsonObject) => JsonObject) =>
  (answer: ShownAnswer): ShownAnswer => ({ ...answer, body: eachObject(answer.body, change) });

/** A member that the document does not have. */
export const unknownMember = inEachObject((object) => ({ ...object, bankNote: 'new in this release' }));

export const otherOrder = inEachObject((object) => Object.fromEntries(Object.entries(object).toReversed()));

const withLongTexts = inEachObject((object) => {
  const members = Object.entries(object).map(([name, value]) => {
    const length = longest[name];
    return [name, length === undefined ? value : padded(value, length)];
  });
  return Object.fromEntries(members) as JsonObject;
});

/** Texts of account information at their limits: what a TPP has sent comes back as it was. */
export function longTexts(answer: ShownAnswer): ShownAnswer {
  return /^GET \/v1\/(?:card-)?accounts/.test(answer.operation ?? '') ? withLongTexts(answer) : answer;
}

/** A text, or each text of a list, at its limit. */
function padded(value: unknown, length: number): unknown {
  if (Array.isArray(value)) return value.map((each) => padded(each, length));
  return typeof value === 'string' ? value.padEnd(length, ' og videre') : value;
}

/** A code of ISO 20022 that came with a later release. */
export function unknownCode(answer: ShownAnswer): ShownAnswer {
  return eachTransaction(answer, (item) =>
    'bankTransactionCode' in item ? { ...item, bankTransactionCode: 'PMNT-ZZZZ-OTHR' } : item,
  );
}

/** One more link beside those of the document. */
export function oneMoreLink(answer: ShownAnswer): ShownAnswer {
  const { body } = answer;
  if (!isObject(body) || !isObject(body['_links'])) return answer;
  const help = { href: 'https://bank.example/help', verbs: ['GET'] };
  return { ...answer, body: { ...body, _links: { ...body['_links'], help } } };
}

/** The same character set, spelt as other servers do. */
export function otherCharset(answer: ShownAnswer): ShownAnswer {
  if (answer.headers['content-type'] !== 'application/json; charset=utf-8') return answer;
  return { ...answer, headers: { ...answer.headers, 'content-type': 'application/json;charset=UTF-8' } };
}

/** The link to begin an authorisation, in the other spelling of the document. */
export function otherSpelling(answer: ShownAnswer): ShownAnswer {
  const { body } = answer;
  if (!isObject(body) || !isObject(body['_links'])) return answer;
  const { startAuthorisation, ...links } = body['_links'];
  if (startAuthorisation === undefined) return answer;
  return { ...answer, body: { ...body, _links: { ...links, startAuthorization: startAuthorisation } } };
}

/** Booked transactions with the day before their booking date as value date. */
export function otherValueDate(answer: ShownAnswer): ShownAnswer {
  return eachTransaction(answer, (item, { bookingDate }) =>
    bookingDate === null || !('valueDate' in item) ? item : { ...item, valueDate: addDays(bookingDate, -1) },
  );
}

/** The status of a payment as it was before, for one poll. `shown`: the statuses last shown, by their paths. */
export function onePollLate(answer: ShownAnswer, path: string, shown: Map<string, unknown>): ShownAnswer {
  return polled(answer, path, (status, payment) => {
    const before = shown.get(payment) ?? 'RCVD';
    shown.set(payment, status);
    return before;
  });
}

/** Shows another status of the document to one poll of each payment: while it waits for its run or, for ACCC, after it has settled. */
export function otherStatus(wanted: string): NonNullable<Change['show']> {
  const instead = wanted === 'ACCC' ? ['ACSC'] : ['ACSP', 'PDNG', 'ACCP'];
  return (answer, path, shown) =>
    polled(answer, path, (status, payment) => {
      if (shown.has(payment) || !instead.includes(String(status))) return status;
      shown.set(payment, wanted);
      return wanted;
    });
}

/** An answer to a poll of a payment with another status. */
function polled(answer: ShownAnswer, path: string, other: (status: unknown, payment: string) => unknown): ShownAnswer {
  const { operation, body, status } = answer;
  const isRead = status === 200 && /^GET .*\/\{paymentId\}(?:\/status)?$/.test(operation ?? '');
  if (!isRead || !isObject(body) || !('transactionStatus' in body)) return answer;
  const transactionStatus = other(body['transactionStatus'], path.replace(/\/status$/, ''));
  return { ...answer, body: { ...body, transactionStatus } };
}
