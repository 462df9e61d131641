import * as Type from 'typebox';
import { idLengths } from '../../engine/bank/rules/quirk.ts';
import { type FaultCode, faultCodes } from '../../engine/values/fault.ts';
import { type TransactionStatus, transactionStatuses } from '../../engine/values/transaction-status.ts';
import { digitsByCurrency } from '../bodies/amount.ts';
import { bban, iban, norwegianNumber } from '../bodies/account.ts';
import { withExample, story } from '../bodies/examples.ts';
import { choice, closed, listOf, meaning, optional, shortText, text, titled } from '../bodies/schema.ts';
import { currency } from '../bodies/values.ts';

/* Parts of several answers, for the API document. */

const toUse = 'an id that the bank gave, to use in a path';
const id = Type.String({ title: 'Id', description: toUse, minLength: 1 });

/** An id that the bank gave, with an example of one. */
export function idLike(example: string, description = toUse, kind = id): Type.TString {
  return withExample(meaning(description, kind), example);
}

/** An id whose length quirks can change (rules.md Q3). */
function lengthyId(title: string, length: number): Type.TString {
  const pattern = '^enc!![A-Za-z0-9_-]+={1,2}$';
  return Type.String({ title, description: toUse, minLength: length, maxLength: length, pattern });
}

export const paymentId = idLike(story.paymentId, toUse, lengthyId('PaymentId', idLengths.payment));
export const transactionId = idLike(story.transactionId, toUse, lengthyId('TransactionId', idLengths.transaction));
const resource = lengthyId('ResourceId', idLengths.resource);

/** An id of an account, a card account or a signing basket, with an example of one. */
export function resourceId(example: string, description = toUse): Type.TString {
  return idLike(example, description, resource);
}

export const anyText = text('a text');

/** A text that may be left out. */
export const some = optional(anyText);

/** An amount whose currency stands beside it. */
export const decimal = text('a decimal string', { pattern: '^-?\\d+(\\.\\d+)?$' });

export const amount = titled('Amount', 'An amount of money.', { documented: digitsByCurrency('-?') }).closed({
  amount: Type.String({
    title: 'DecimalAmount',
    description: 'a decimal string with the fraction digits of its currency',
    pattern: '^-?\\d+(\\.\\d+)?$',
    examples: ['100.00'],
  }),
  currency,
});

/** A URI reference (RFC 3986) with a path from the root of a host, or an absolute one for the web. */
const linkPattern = "^(https?://[^/?#]|/(?!/))([\\w.~:/?#@!$&'()*+,;=\\[\\]-]|%[\\dA-Fa-f]{2})*$";

export const link = titled('Link', 'Where to go on from here.').closed({
  href: text('a path below the address of the bank, or an absolute address', { pattern: linkPattern }),
  verbs: listOf(
    Type.Unsafe<'GET' | 'PUT' | 'POST' | 'DELETE'>({ type: 'string', enum: ['GET', 'PUT', 'POST', 'DELETE'] }),
    'the methods that the address takes',
    {
      minItems: 1,
    },
  ),
});

/**
 * The purpose of each link, and its address in examples: the part after that of the resource. If it is left out,
 * examples do not have it.
 */
const linkHere = {
  self: ['Where this is read.', ''],
  status: ['Where the status of the payment is read.', '/status'],
  startAuthorisation: ['Where an SCA is started.', '/authorisations'],
  scaRedirect: ['The page on which the PSU signs: send the PSU there.', `${story.address}/sca/${story.scaId}`],
  balances: ['Where the balances are read.', '/balances'],
  transactions: ['Where the transactions are read.', '/transactions'],
  engagements: ['Where engagements are added.', '/engagements'],
  next: ['The next page. The last page has none.'],
  previous: ['The page before. The first page has none.'],
  customers: ['The customers of the test data.', '/customers'],
  agreements: ['The agreements of the test data.', '/agreements'],
  accounts: ['The accounts of the test data.', '/accounts'],
  cardAccounts: ['The card accounts of the test data.', '/card-accounts'],
} as const;
type LinkName = keyof typeof linkHere;

/**
 * `_links` of an answer: those that it always has, and those that it may have. `resource`: its address in the example.
 */
export function links<Always extends LinkName, Sometimes extends LinkName = never>(
  resource: string,
  always: readonly Always[],
  sometimes: readonly Sometimes[] = [],
): Type.TObject<Record<Always, typeof link> & Record<Sometimes, Type.TOptional<typeof link>>> {
  const names: readonly LinkName[] = [...always, ...sometimes];
  const required = always.map((name) => [name, meaning(linkHere[name][0], link)]);
  const possible = sometimes.map((name) => [name, optional(meaning(linkHere[name][0], link))]);
  const shown = names.flatMap((name) => {
    const [, place] = linkHere[name];
    if (place === undefined) return [];
    const href = place.startsWith('/') || place === '' ? resource + place : place;
    return [[name, { href, verbs: [/Authorisation|engagements/.test(name) ? 'POST' : 'GET'] }]];
  });
  return closed(Object.fromEntries([...required, ...possible]), {
    description: 'Where to go on from here, by what for.',
    examples: [Object.fromEntries(shown)],
  });
}

/** BBAN and IBAN of an account of this bank: those that it has. */
export const numberMembers = { bban: optional(norwegianNumber), iban: optional(iban) };

/** Numbers in the example of an account. */
export const ownNumbers = { bban: story.debtorBban, iban: story.debtorIban };

export const ownAccount = titled('OwnAccountNumbers', 'An account of this bank by its numbers.', {
  examples: [ownNumbers],
}).closed(numberMembers);

export const namedAccount = titled('AccountNumbers', 'An account of any bank by its numbers.', {
  examples: [ownNumbers],
}).closed({ bban: optional(bban), iban: optional(iban) });

export const transactionStatus = Type.Unsafe<TransactionStatus>({
  title: 'TransactionStatus',
  description: `the status of a payment: ${Object.entries(transactionStatuses)
    .map(([code, words]) => `${code} ${words}`)
    .join(', ')}`,
  type: 'string',
  enum: Object.keys(transactionStatuses),
});

/** interface: TPP message. `codes` are those that it may have. */
function tppMessage<const Category extends string>(
  title: string,
  categories: readonly Category[],
  codes: readonly FaultCode[],
) {
  return titled(title, 'What the bank tells the TPP.').closed({
    category: choice('how bad it is', categories),
    code: choice('what it is', codes),
    path: optional(text('the member, the header or the parameter that it is about')),
    text: text('what is wrong, and what to do', { maxLength: 512 }),
  });
}

export const paymentMessage = tppMessage('PaymentMessage', ['ERROR', 'WARNING'], faultCodes);

/** `tppMessages` and `psuMessage` of an answer that shows a payment. */
export const paymentMessages = {
  tppMessages: optional(
    listOf(paymentMessage, 'What the TPP should know of the payment.', {
      minItems: 1,
    }),
  ),
  psuMessage: optional(shortText('a text to show to the PSU', 512)),
};

/** Only the link to the SCA page. */
export const offeredScaAnswer = titled('OfferedSca', 'An SCA that waits for the PSU.').closed({
  _links: links('', ['scaRedirect']),
});

export const startedScaAnswer = titled('StartedSca', 'An SCA that was started.').closed({
  scaStatus: choice('the state of the SCA', ['started']),
  _links: links('', ['scaRedirect']),
});

/** Schema of a refusal whose messages have these codes. `name` tells it apart from refusals of other statuses. */
export function refusalAnswer(name: string, codes: readonly FaultCode[], offersSca: boolean) {
  return titled(name, 'Why the bank refused the request.').closed({
    tppMessages: listOf(
      tppMessage(`${name}Message`, ['ERROR'], codes),
      'What is wrong; the first message gives the status.',
      {
        minItems: 1,
        maxItems: 20,
      },
    ),
    ...(offersSca && { _links: optional(links('', ['scaRedirect'])) }),
  });
}
