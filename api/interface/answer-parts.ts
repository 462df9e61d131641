import * as Type from 'typebox';
import { type FaultCode, faultCodes } from '../../engine/values/fault.ts';
import { type TransactionStatus, transactionStatuses } from '../../engine/settlement/rules/transaction-status.ts';
import { bban, iban } from '../bodies/account.ts';
import { choice, closed, meaning } from '../bodies/schema.ts';
import { currency } from '../bodies/values.ts';

/* Parts of several answers, for the API document. */

export const id = Type.String({ title: 'Id', description: 'an id that the bank gave, to use in a path', minLength: 1 });

export const text = Type.String({ description: 'a text' });

export const amount = closed(
  {
    amount: Type.String({
      title: 'DecimalAmount',
      description: 'a decimal string with the fraction digits of its currency',
      pattern: '^-?\\d+(\\.\\d+)?$',
      examples: ['100.00'],
    }),
    currency,
  },
  { title: 'Amount', description: 'An amount of money.' },
);

export const link = closed(
  {
    href: Type.String({ description: 'a path below the address of the bank, or an absolute address' }),
    verbs: Type.Array(Type.Unsafe<string>({ type: 'string', enum: ['GET', 'PUT', 'POST', 'DELETE'] }), {
      description: 'the methods that the address takes',
      minItems: 1,
    }),
  },
  { title: 'Link', description: 'Where to go on from here.' },
);

const linkHere = {
  self: meaning('Where this is read.', link),
  status: meaning('Where the status of the payment is read.', link),
  startAuthorisation: meaning('Where an SCA is started.', link),
  scaRedirect: meaning('The page on which the PSU signs: send the PSU there.', link),
  balances: meaning('Where the balances are read.', link),
  transactions: meaning('Where the transactions are read.', link),
  engagements: meaning('Where engagements are added.', link),
  next: meaning('The next page; left out: this is the last one.', link),
  previous: meaning('The page before; left out: this is the first one.', link),
  customers: meaning('The customers of the test data.', link),
  agreements: meaning('The agreements of the test data.', link),
  accounts: meaning('The accounts of the test data.', link),
  cardAccounts: meaning('The card accounts of the test data.', link),
};
type LinkName = keyof typeof linkHere;

/** `_links` of an answer: those that it always has, and those that it may have. */
export function links(always: readonly LinkName[], sometimes: readonly LinkName[] = []): Type.TObject {
  const required = always.map((name) => [name, linkHere[name]]);
  const optional = sometimes.map((name) => [name, Type.Optional(linkHere[name])]);
  return closed(Object.fromEntries([...required, ...optional]) as Type.TProperties, {
    description: 'Where to go on from here, by what for.',
  });
}

/** BBAN and IBAN of an account: those that it has. */
export const accountNumbers = { bban: Type.Optional(bban), iban: Type.Optional(iban) };

export const namedAccount = closed(accountNumbers, {
  title: 'AccountNumbers',
  description: 'An account by its numbers.',
});

export const transactionStatus = Type.Unsafe<TransactionStatus>({
  title: 'TransactionStatus',
  description: `the status of a payment: ${Object.entries(transactionStatuses)
    .map(([code, words]) => `${code} ${words}`)
    .join(', ')}`,
  type: 'string',
  enum: Object.keys(transactionStatuses),
});

/** interface: TPP message. `codes` are those that it may have. */
export function tppMessage(title: string, categories: readonly string[], codes: readonly FaultCode[]): Type.TObject {
  return closed(
    {
      category: choice('how bad it is', categories),
      code: choice('what it is', codes),
      path: Type.Optional(Type.String({ description: 'the member, the header or the parameter that it is about' })),
      text: Type.String({ description: 'what is wrong, and what to do', maxLength: 512 }),
    },
    { title, description: 'What the bank tells the TPP.' },
  );
}

/** `tppMessages` and `psuMessage` of an answer that shows a payment. */
export const paymentMessages = {
  tppMessages: Type.Optional(
    Type.Array(tppMessage('PaymentMessage', ['ERROR', 'WARNING'], faultCodes), {
      description: 'What the TPP should know of the payment.',
      minItems: 1,
    }),
  ),
  psuMessage: Type.Optional(Type.String({ description: 'a text to show to the PSU', minLength: 1, maxLength: 512 })),
};

/** Only the link to the SCA page. */
export const offeredScaAnswer = closed(
  { _links: links(['scaRedirect']) },
  { title: 'OfferedSca', description: 'An SCA that waits for the PSU.' },
);

export const startedScaAnswer = closed(
  { scaStatus: choice('the state of the SCA', ['started']), _links: links(['scaRedirect']) },
  { title: 'StartedSca', description: 'An SCA that was started.' },
);
