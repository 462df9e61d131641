import { tellingRefusal } from '../../engine/values/numbers-with-a-meaning.ts';
import type * as Type from 'typebox';
import { bban, norwegianBban } from './account.ts';
import { choice, closed, flag, integer, listOf, meaning, optional, text, titled } from './schema.ts';
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
import { personaChoice } from './persona.ts';
import { isBban, norwegianIban } from '../../engine/values/account-number.ts';
import { isCurrency } from '../../engine/values/money.ts';
import { belowZero, decimalFaults, minorIn } from './amount.ts';
import { type BodyRule, faultAt, formatValue, listed, type Members, type RuleFault } from './rule.ts';

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

const knownTransaction = titled('KnownTransaction', 'A transaction of before the first bank date.').closed({
  amount: text(
    'a credit above zero, a debit below: a decimal string with the fraction digits of its currency',
    '-49.00',
  ),
  daysAgo: integer('calendar days before the first bank date, a whole number from 1 to 300', {
    minimum: 1,
    maximum: 300,
  }),
  remittanceInformationUnstructured: meaning('What the transaction is for.', sandboxText),
});

export const knownAccount = closed(
  {
    accountName: name,
    bban: meaning('the account number, 11 digits without blanks or dots', bban),
    iban: text('the IBAN of its bban, without blanks', { pattern: '^\\S*$', examples: ['NO9386011117947'] }),
    currency,
    product: productName,
    cashAccountType,
    balance: openingBalance('18000.00'),
    creditLine: optional(limit('5000.00')),
    kidAgreement: optional(choice('the check digit that a KID to this account must have', ['MOD10', 'MOD11'])),
    signaturesRequired: optional(
      integer('how many must sign a payment, a whole number from 1 to 10', { minimum: 1, maximum: 10 }),
    ),
    paymentsAllowed: optional(flag('true or false')),
    persona: optional(meaning('Who lives on the account, with a year of past (docs/life.md).', personaChoice)),
    transactions: optional(listOf(knownTransaction, 'a list of transactions after the opening balance')),
  },
  { rules: [norwegianBban, knownIban, balanceAnd('creditLine'), transactionAmounts] },
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
  { rules: [balanceAnd('creditLimit')] },
);

export const knownCustomer = closed(
  {
    customerNumber,
    name: requiredName,
    type: customerType,
    note: optional(text('a note on this customer for people, at most 140 characters', { maxLength: 140 })),
    noteNb: optional(text('note in Norwegian bokmål, at most 140 characters', { maxLength: 140 })),
    accounts: listOf(knownAccount, 'a list of accounts, empty for a customer without any'),
    cards: optional(listOf(knownCard, 'a list of card accounts')),
  },
  { rules: [privateCustomer] },
);

export const knownAgreement = closed({
  owner: meaning("The corporation's customerNumber.", customerNumber),
  name: requiredName,
  engagements: listOf(closed({ customer: customerNumber, iban, roles }), 'a list of engagements'),
});

/** A known state, such as fixtures/known-state.json (rules.md D1, D3b, D4). */
export const knownStateFile = titled('KnownState', 'The state that a bank starts from and a reset goes back to.', {
  rules: [knownNumbers, knownEngagements, knownSignatures],
}).closed({
  $schema: optional(text('where known-state.schema.json is, for an editor: the bank does not read it')),
  customers: listOf(knownCustomer, 'a list of customers'),
  agreements: listOf(
    knownAgreement,
    'a list of corporate agreements, which may be empty; the bank makes the agreements of private customers',
  ),
});

/** rules.md D2: a private customer is known by a national number; a corporation's may have another length. */
export function privateCustomer({ type, customerNumber }: Members): readonly RuleFault[] {
  if (
    (type !== 'private' && type !== 'PRIVATE') ||
    typeof customerNumber !== 'string' ||
    !/^\d{1,35}$/.test(customerNumber)
  )
    return [];
  if (customerNumber.length === 11) return [];
  const text = `A private customer has a number of 11 digits, this one has ${customerNumber.length}. Correct it.`;
  return faultAt('customerNumber', text);
}

/** Amounts of transactions, none of them zero (rules.md D3). */
function transactionAmounts({ currency, transactions }: Members): readonly RuleFault[] {
  return listed(transactions).flatMap(({ amount }, index) => {
    const member = `transactions[${index}].amount`;
    if (typeof amount !== 'string' || minorIn(amount, currency) !== 0n) return decimalFaults(member, amount, currency);
    return faultAt(member, 'The amount is zero. Write a credit above zero or a debit below it.');
  });
}

/**
 * The rule that balance and limit are amounts in the currency of the account or card, the limit not below zero
 * (rules.md P4).
 */
function balanceAnd(limit: string): BodyRule {
  return (members) => {
    const { currency, [limit]: wanted } = members;
    const faults = ['balance', limit].flatMap((member) => decimalFaults(member, members[member], currency));
    // The schema refuses a limit that is no text, and a currency that does not exist.
    if (typeof wanted !== 'string' || typeof currency !== 'string' || !isCurrency(currency)) return faults;
    return [...faults, ...belowZero(limit, wanted)];
  };
}

/** A Norwegian bban has exactly one iban (rules.md P5), which the refusal of any other names. */
function knownIban({ bban, iban }: Members): readonly RuleFault[] {
  if (typeof bban !== 'string' || !isBban(bban) || typeof iban !== 'string') return [];
  const right = norwegianIban(bban);
  if (iban === right || /\s/.test(iban)) return [];
  return faultAt('iban', `${formatValue(iban)} is wrong. The IBAN of ${bban} is ${right}.`);
}

/** No customerNumber, bban or iban is twice in the file. */
function knownNumbers({ customers }: Members): readonly RuleFault[] {
  const seen = new Map<string, string>();
  const refuseRepeated = (value: unknown, member: string): readonly RuleFault[] => {
    if (typeof value !== 'string') return [];
    const refusal = tellingRefusal(value);
    if (refusal !== null) return faultAt(member, `${formatValue(value)} ${refusal}`);
    const key = `${member.split('.').at(-1)} ${value}`;
    const earlier = seen.get(key);
    seen.set(key, earlier ?? member);
    if (earlier === undefined) return [];
    const text = `${formatValue(value)} is at ${earlier} already. Write another number, or take one of them out.`;
    return faultAt(member, text);
  };
  return listed(customers).flatMap((customer, index) => {
    const path = `customers[${index}]`;
    const accounts = listed(customer['accounts']).flatMap(({ bban, iban }, place) => [
      ...refuseRepeated(bban, `${path}.accounts[${place}].bban`),
      ...refuseRepeated(iban, `${path}.accounts[${place}].iban`),
    ]);
    return [...refuseRepeated(customer['customerNumber'], `${path}.customerNumber`), ...accounts];
  });
}

/**
 * Agreements name corporate customers of the file; engagements name its private customers and the corporation's
 * accounts, each pair once.
 */
function knownEngagements({ customers, agreements }: Members): readonly RuleFault[] {
  const byNumber = new Map(listed(customers).map((customer) => [customer['customerNumber'], customer]));
  return listed(agreements).flatMap(({ owner, engagements }, index) => {
    const path = `agreements[${index}]`;
    const corporation = byNumber.get(owner);
    const accounts = listed(corporation?.['accounts']).map(({ iban }) => iban);
    const faults: RuleFault[] = [];
    const refuse = (member: string, text: string) => faults.push({ member: `${path}.${member}`, text });
    if (typeof owner === 'string' && corporation?.['type'] !== 'corporate') {
      refuse('owner', `${formatValue(owner)} is no corporate customer of this file. Write the customerNumber of one.`);
    }
    const seen = new Set<string>();
    listed(engagements).forEach(({ customer, iban }, place) => {
      if (typeof customer === 'string' && byNumber.get(customer)?.['type'] !== 'private') {
        const text = `${formatValue(customer)} is no private customer of this file. Write the customerNumber of one.`;
        refuse(`engagements[${place}].customer`, text);
      }
      if (corporation !== undefined && typeof iban === 'string' && !accounts.includes(iban)) {
        const text = `${formatValue(iban)} is no account of ${formatValue(owner)} in this file. Write the iban of one, spelled alike.`;
        refuse(`engagements[${place}].iban`, text);
      }
      const pair = `${String(customer)} ${String(iban)}`;
      if (seen.has(pair)) {
        refuse(
          `engagements[${place}]`,
          'This customer has an engagement on this account already. Put all roles into one.',
        );
      }
      seen.add(pair);
    });
    return faults;
  });
}

/**
 * No account requires more signatures than PSUs can give: its payments would stay PATC for ever (interface: Multiple
 * signatures). PSUs with REGISTER on the account can sign; for a private account the holder alone.
 */
function knownSignatures({ customers, agreements }: Members): readonly RuleFault[] {
  const engagements = listed(agreements).flatMap((agreement) => listed(agreement['engagements']));
  return listed(customers).flatMap(({ type, accounts }, index) =>
    listed(accounts).flatMap(({ iban, signaturesRequired: required }, place) => {
      const registering = engagements.filter(({ iban: on, roles }) => on === iban && isRegistering(roles));
      const signers = type === 'private' ? 1 : new Set(registering.map(({ customer }) => customer)).size;
      if (typeof required !== 'number' || required === 1 || required <= signers) return [];
      const who = type === 'private' ? 'its holder alone signs' : `${signers} with REGISTER on it can sign`;
      const text = `The account asks for ${required} signatures, and ${who}. Ask for fewer, or engage more PSUs with REGISTER.`;
      return faultAt(`customers[${index}].accounts[${place}].signaturesRequired`, text);
    }),
  );
}

function isRegistering(roles: unknown): boolean {
  return Array.isArray(roles) && roles.includes('REGISTER');
}
