import type { ShownAnswer } from '../pipeline/shaping.ts';
import { isObject, type JsonObject } from '../quirks/json.ts';
import { eachTransaction } from '../quirks/transactions.ts';
import { addDays } from '../../engine/values/local-date.ts';
import type { Change } from './trial.ts';

/* Answers that a client of the Berlin Group's framework must take though the document does not have them. */

/** The longest text of each member (docs/spec/interface.md). */
const longest: Readonly<Record<string, number>> = {
  remittanceInformationUnstructured: 140,
  remittanceInformationUnstructuredArray: 140,
  additionalInformation: 140,
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
const unknownMember = inEachObject((object) => ({ ...object, bankNote: 'new in this release' }));

const otherOrder = inEachObject((object) => Object.fromEntries(Object.entries(object).toReversed()));

const withLongTexts = inEachObject((object) => {
  const members = Object.entries(object).map(([name, value]) => [name, padded(value, longest[name] ?? 0)]);
  return Object.fromEntries(members) as JsonObject;
});

/** Texts of account information at their limits: what a TPP has sent comes back as it was. */
function longTexts(answer: ShownAnswer): ShownAnswer {
  return /^GET \/v1\/(?:card-)?accounts/.test(answer.operation ?? '') ? withLongTexts(answer) : answer;
}

/** A text, or each text of a list, at its limit. */
function padded(value: unknown, length: number): unknown {
  if (Array.isArray(value)) return value.map((each) => padded(each, length));
  return typeof value === 'string' ? value.padEnd(length, ' og videre') : value;
}

/** A code of ISO 20022 that came with a later release. */
const unknownCode = inEachObject((object) =>
  'bankTransactionCode' in object ? { ...object, bankTransactionCode: 'PMNT-ZZZZ-OTHR' } : object,
);

const inLinks =
  (change: (links: JsonObject) => JsonObject) =>
  (answer: ShownAnswer): ShownAnswer => {
    const { body } = answer;
    if (!isObject(body) || !isObject(body['_links'])) return answer;
    return { ...answer, body: { ...body, _links: change(body['_links']) } };
  };

/** One more link beside those of the document. */
const oneMoreLink = inLinks((links) => ({ ...links, help: { href: 'https://bank.example/help', verbs: ['GET'] } }));

/** The link to begin an authorisation, in the other spelling of the document. */
const otherSpelling = inLinks(({ startAuthorisation: link, ...links }) =>
  link === undefined ? links : { ...links, startAuthorization: link },
);

/** The same character set, spelt as other servers do. */
function otherCharset(answer: ShownAnswer): ShownAnswer {
  if (answer.headers['content-type'] !== 'application/json; charset=utf-8') return answer;
  return { ...answer, headers: { ...answer.headers, 'content-type': 'application/json;charset=UTF-8' } };
}

/** Booked transactions with the day before their booking date as value date. */
function otherValueDate(answer: ShownAnswer): ShownAnswer {
  return eachTransaction(answer, (item, { bookingDate }) =>
    bookingDate === null || !('valueDate' in item) ? item : { ...item, valueDate: addDays(bookingDate, -1) },
  );
}

type Tolerated = readonly [name: string, sentence: string, mistake: string, show: NonNullable<Change['show']>];

/** The trials that change each answer alone, in the order of docs/gauntlet.md. */
export const tolerated: readonly Tolerated[] = [
  ['unknown-member', 'Each object has one unknown member.', 'The client refuses them.', unknownMember],
  ['member-order', 'Members come in the opposite order.', 'The client reads by places.', otherOrder],
  ['long-texts', 'Names and texts are as long as they may be.', 'A column is too short.', longTexts],
  ['unknown-code', 'A `bankTransactionCode` is new.', 'The client has a closed list.', unknownCode],
  ['one-more-link', '`_links` has one link more.', 'The client takes the last one.', oneMoreLink],
  ['other-spelling', 'The link is `startAuthorization`.', 'The client knows the other.', otherSpelling],
  ['other-value-date', 'The value date is a day earlier.', 'The client sorts by value date.', otherValueDate],
  ['charset', 'The charset is spelt in another way.', 'The client compares the type.', otherCharset],
];

/** The status of a payment as it was before, for one poll. `shown`: the statuses last shown, by their paths. */
export function onePollLate(answer: ShownAnswer, path: string, shown: Map<string, unknown>): ShownAnswer {
  return polled(answer, path, (status, payment) => {
    const before = shown.get(payment) ?? 'RCVD';
    shown.set(payment, status);
    return before;
  });
}

/**
 * Shows another status of the document to one poll of each payment: while it waits for its run or, for ACCC, after it
 * has settled.
 */
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
