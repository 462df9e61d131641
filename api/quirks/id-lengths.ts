import { createHash } from 'node:crypto';
import { idPeriod } from '../../engine/parties/session.ts';
import { idLengths, longestId } from '../../engine/bank/rules/quirk.ts';
import { clip } from '../../engine/values/text.ts';
import { psuOf } from '../pipeline/request-headers.ts';
import type { AskedRequest } from '../pipeline/shaping.ts';
import { also, inSchemas } from './contract.ts';
import type { QuirkFile, ReadingContext } from './quirk-file.ts';
import { isObject } from './json.ts';
import { type IdKind, type WireIds, wireIdsOf } from './encrypted-ids.ts';

/**
 * Members with ids in paths and answers. The ids of customers, agreements and card transactions never change: a test
 * may choose the last.
 */
const kinds: ReadonlyMap<string, IdKind> = new Map([
  ['transactionId', 'transaction'],
  ['paymentId', 'payment'],
  ['paymentIds', 'payment'],
  ['resourceId', 'resource'],
  // The id of an account in the test data.
  ['id', 'resource'],
  ['accountId', 'resource'],
  ['cardId', 'resource'],
  ['basketId', 'resource'],
]);

const accountTransactions = /^GET \/v1\/accounts\/\{accountId\}\/transactions/;
const paymentLink = /^(\/v1\/[\w-]*payments\/[\w-]+\/)(enc!![\w-]{42}==)/;
const resourceLink = /^(\/v1\/(?:sandbox\/)?(?:accounts|card-accounts|signing-baskets)\/)(enc!![\w-]{42}==)/;
const reservationForm = /^enc!![\w-]{42}==$/;
/** In the text of a refusal: an id as the engine has it, and what the text says it is of. */
const idInText = /(\b(payment|signing basket|resourceId) )?(enc!!(?:[\w-]{42}|[\w-]{22})==)/g;

/** Notes on a request for its answer, by its headers: a refusal must not ask a ledger that may be in trouble. */
const readRequests = new WeakMap<object, ReadRequest>();

interface ReadRequest {
  readonly wire: WireIds;
  /** The period of the account transactions in account information. Null elsewhere. */
  readonly period: number | null;
  /** Ids as the engine was asked for them, with those that were sent in their place. */
  readonly sent: ReadonlyMap<string, string>;
}

/**
 * Shows ids in another form, and reads them back (rules.md Q3). In place of a text that is no id of the bank, the
 * engine gets an id that no ledger has.
 */
export const idsOfWire: Pick<QuirkFile, 'show' | 'read'> = {
  show: (answer, { call }) => {
    const request = call === null ? undefined : readRequests.get(call.headers);
    if (request === undefined || answer.body === undefined) return answer;
    const isRefused = answer.status >= 400;
    const body = isRefused ? refusalShown(answer.body, request) : shownIn(answer.body, showerOf(request));
    return { ...answer, body };
  },
  read: async (asked, from) => {
    const wire = await wireIdsOf(from.bank, from.quirks);
    const period = accountTransactions.test(asked.operation) ? await periodOf(wire, from) : null;
    const sent = new Map<string, string>();
    const readOne = (kind: IdKind | undefined, text: string): string => {
      const read = kind === undefined ? text : readId(wire, kind, text, period);
      if (read !== text) sent.set(read, text);
      return read;
    };
    const params = Object.entries(asked.params).map(([name, text]) => [name, readOne(kinds.get(name), text)]);
    const body = bodyRead(asked, (text) => readOne('payment', text));
    readRequests.set(from.headers, { wire, period, sent });
    return { ...asked, params: Object.fromEntries(params) as AskedRequest['params'], body };
  },
};

export const quirk: QuirkFile<'id-lengths'> = {
  group: 'ids',
  does: 'Ids have the given lengths; with unpadded no id ends in =',
  banks: ['SpareBank 1 Sør-Norge', 'Bien Sparebank'],
  lines: {
    H3: {
      what: 'The id of a transaction has 241 characters.',
      value: 'transaction:241',
      seen: { register: [4], facts: ['transactionIdLength'], profiles: ['sparebank1-sor-norge-sr'] },
      mistake: 'A column of 64 or 128 characters cuts the ids, and two cut ids can be equal.',
    },
    H4: {
      what: 'The id of a transaction has 69 characters.',
      value: 'transaction:69',
      seen: { register: [5], facts: ['transactionIdLength'], profiles: ['bien-sparebank'] },
      mistake: 'A column of 64 characters is five too short. Tests with short ids do not show this.',
    },
    H5: {
      what: 'Ids end in `=` at one bank and not at another. Both contain `-` and `_`.',
      value: 'transaction:241/unpadded',
      seen: { register: [6], facts: ['transactionIdPadded'] },
      mistake: 'The client strips or escapes the `=`, and gets 404 or 403 for the details.',
    },
  },
  shape: (document, { isPadded, ...lengths }) => {
    const kinds = Object.entries(isPadded ? lengths : { ...idLengths, ...lengths });
    const pattern = `^enc!![A-Za-z0-9_-]+${isPadded ? '=' : ''}$`;
    return kinds.reduce((shaped, [kind, length]) => {
      const title = `${kind.charAt(0).toUpperCase()}${kind.slice(1)}Id`;
      return inSchemas(shaped, [title], also({ minLength: length, maxLength: length, pattern }));
    }, document);
  },
  step: 'ids',
  ...idsOfWire,
  heard: { by: 'reads an id of the bank', in: ({ answer }) => answer.includes('enc!!') },
};

async function periodOf({ every }: WireIds, { bank, tpp, headers }: ReadingContext): Promise<number> {
  if (every === null) return 0;
  return idPeriod(bank, every, { tppId: tpp.id, psu: psuOf(headers), sessionId: headers.sessionId });
}

/** In `period` a transaction must have been shown. It is null if the test data take the ids of every period. */
function readId(wire: WireIds, kind: IdKind, text: string, period: number | null): string {
  const isReissued = kind === 'transaction' && wire.every !== null;
  if (text === '' || text.length > longestId || !(isReissued || wire.changes(kind))) return text;
  const read = wire.read(kind, text);
  if (read !== null && (kind !== 'transaction' || period === null || read.period === period)) return read.id;
  // Without lengths the test data show the ids of the ledger, and those of reservations always.
  const isOfLedger = !wire.changes(kind) || (kind === 'transaction' && reservationForm.test(text));
  return read === null && period === null && isOfLedger ? text : unknownId(text);
}

/**
 * In place of an id that is none: an id in the form of the ledger, which no row has. Different texts have different
 * ones.
 */
function unknownId(text: string): string {
  return `enc!!${createHash('sha256').update(text).digest().subarray(0, 31).toString('base64url')}==`;
}

/** The body of a new signing basket, with its payments as the ledger knows them. */
function bodyRead({ operation, body }: AskedRequest, read: (text: string) => string): unknown {
  if (operation !== 'POST /v1/signing-baskets' || !isObject(body) || !Array.isArray(body['paymentIds'])) return body;
  const paymentIds = body['paymentIds'].map((id: unknown) => (typeof id === 'string' ? read(id) : id));
  return { ...body, paymentIds };
}

type Shower = (kind: IdKind, id: string) => string;

function showerOf({ wire, period }: ReadRequest): Shower {
  return (kind, id) => (kind === 'transaction' && period !== null ? wire.showIn(period, id) : wire.show(kind, id));
}

/**
 * A value of an answer with its ids as they are shown. `kind`: of an id in it, or undefined if it holds none itself.
 */
function shownIn(value: unknown, show: Shower, kind?: IdKind): unknown {
  if (typeof value === 'string') return kind === undefined ? value : show(kind, value);
  if (Array.isArray(value)) return value.map((each) => shownIn(each, show, kind));
  if (!isObject(value)) return value;
  let shown = value;
  for (const [name, held] of Object.entries(value)) {
    const isLink = name === 'href' && typeof held === 'string';
    const own = isLink ? linkShown(held, show) : shownIn(held, show, kinds.get(name));
    if (own !== held) shown = { ...shown, [name]: own };
  }
  return shown;
}

function linkShown(href: string, show: Shower): string {
  return href
    .replace(paymentLink, (_, path: string, id: string) => path + show('payment', id))
    .replace(resourceLink, (_, path: string, id: string) => path + show('resource', id));
}

/** A refusal that names ids as they were sent. Its texts cut long ones, as any other value. */
function refusalShown(body: unknown, { wire, sent }: ReadRequest): unknown {
  const messages = isObject(body) ? body['tppMessages'] : undefined;
  if (!isObject(body) || !Array.isArray(messages)) return body;
  const tppMessages = messages.map((message: unknown) => {
    if (!isObject(message) || typeof message['text'] !== 'string') return message;
    const text = message['text'].replace(idInText, (whole, before = '', what: string | undefined, id: string) => {
      const own = sent.get(id) ?? (what === undefined ? null : wire.show(what === 'payment' ? what : 'resource', id));
      return own === null ? whole : before + clip(own);
    });
    return { ...message, text };
  });
  return { ...body, tppMessages };
}
