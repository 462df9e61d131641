import * as Type from 'typebox';
import { bban, norwegianBban } from './account.ts';
import { choice, closed, meaning, text, integer } from './schema.ts';
import { personaChoice } from './persona.ts';
import { privateCustomer } from './private-customer.ts';
import {
  cashAccountType,
  currency,
  customerNumber,
  customerType,
  maskedPan,
  name,
  productName,
  requiredName,
  roles,
  sandboxText,
} from './values.ts';
import {
  knownAmounts,
  knownCardAmounts,
  knownEngagements,
  knownIban,
  knownNumbers,
  knownSignatures,
} from './known-state-rules.ts';

const iban = text('an IBAN without blanks', {
  missing: 'an IBAN of at most 34 characters, for example "NO9386011117947"',
  format: 'iban',
  pattern: '^\\S*$',
  examples: ['NO9386011117947'],
});

function openingBalance(example: string): Type.TString {
  return text('the opening balance, a decimal string with the fraction digits of its currency', example);
}

function limit(example: string): Type.TString {
  return text('a decimal string with the fraction digits of its currency', example);
}

const knownTransaction = closed(
  {
    amount: text(
      'a credit above zero, a debit below: a decimal string with the fraction digits of its currency',
      '-49.00',
    ),
    daysAgo: integer('calendar days before the first bank date, a whole number from 1 to 300', {
      minimum: 1,
      maximum: 300,
    }),
    remittanceInformationUnstructured: meaning('What the transaction is for.', sandboxText),
  },
  { title: 'KnownTransaction', description: 'A transaction of before the first bank date.' },
);

export const knownAccount = closed(
  {
    accountName: name,
    bban: meaning('the account number, 11 digits without blanks or dots', bban),
    iban: text('the IBAN of its bban, without blanks', { pattern: '^\\S*$', examples: ['NO9386011117947'] }),
    currency,
    product: productName,
    cashAccountType,
    balance: openingBalance('18000.00'),
    creditLine: Type.Optional(limit('5000.00')),
    kidAgreement: Type.Optional(choice('the check digit that a KID to this account must have', ['MOD10', 'MOD11'])),
    signaturesRequired: Type.Optional(
      integer('how many must sign a payment, a whole number from 1 to 10', { minimum: 1, maximum: 10 }),
    ),
    paymentsAllowed: Type.Optional(Type.Boolean({ description: 'true or false' })),
    persona: Type.Optional(meaning('Who lives on the account, with a year of past (docs/life.md).', personaChoice)),
    transactions: Type.Optional(
      Type.Array(knownTransaction, { description: 'a list of transactions after the opening balance' }),
    ),
  },
  { rules: [norwegianBban, knownIban, knownAmounts] },
);

export const knownCard = closed(
  {
    name,
    maskedPan,
    product: name,
    currency,
    creditLimit: limit('30000.00'),
    balance: openingBalance('0.00'),
  },
  { rules: [knownCardAmounts] },
);

export const knownCustomer = closed(
  {
    customerNumber,
    name: requiredName,
    type: customerType,
    note: Type.Optional(text('a note on this customer for people, at most 140 characters', { maxLength: 140 })),
    noteNb: Type.Optional(text('note in Norwegian bokmål, at most 140 characters', { maxLength: 140 })),
    accounts: Type.Array(knownAccount, { description: 'a list of accounts, empty for a customer without any' }),
    cards: Type.Optional(Type.Array(knownCard, { description: 'a list of card accounts' })),
  },
  { rules: [privateCustomer] },
);

export const knownAgreement = closed({
  owner: meaning("The corporation's customerNumber.", customerNumber),
  name: requiredName,
  engagements: Type.Array(closed({ customer: customerNumber, iban, roles }), { description: 'a list of engagements' }),
});

/** A known state, such as fixtures/known-state.json (rules.md D1, D3b, D4). */
export const knownStateFile = closed(
  {
    $schema: Type.Optional(text('where known-state.schema.json is, for an editor: the bank does not read it')),
    customers: Type.Array(knownCustomer, { description: 'a list of customers' }),
    agreements: Type.Array(knownAgreement, {
      description:
        'a list of corporate agreements, which may be empty; the bank makes the agreements of private customers',
    }),
  },
  {
    title: 'KnownState',
    description: 'The state that a bank starts from and a reset goes back to.',
    rules: [knownNumbers, knownEngagements, knownSignatures],
  },
);
