import * as Type from 'typebox';
import { formatValue } from '../../bodies/format-value.ts';
import { sandboxMoney } from '../../bodies/amount.ts';
import { memberOf, type Members, type RuleFault } from '../../bodies/rule.ts';
import { choice, closed, meaning, type Static } from '../../bodies/schema.ts';
import { currency, customerNumber, maskedPan, name, sandboxText } from '../../bodies/values.ts';

const text = Type.Optional(sandboxText);

/** interface: /v1/sandbox/card-accounts; real-api-facts.md 10. Amounts are parsed by parseSandboxAmount. */
export const cardAccountBody = closed(
  {
    customerNumber: meaning('Whose card it is.', customerNumber),
    maskedPan,
    currency,
    creditLimit: Type.Optional(sandboxMoney),
    balances: Type.Optional(
      Type.Array(
        closed({
          balanceType: choice('the kind of balance', ['EXPECTED']),
          balanceAmount: sandboxMoney,
          referenceDate: text,
          lastChangeDateTime: text,
          lastCommittedTransaction: text,
        }),
        { description: 'a list with the opening balance', maxItems: 1 },
      ),
    ),
    cardId: text,
    cardIdVNo: text,
    accountNumber: text,
    expiry: text,
    name: Type.Optional(name),
    product: Type.Optional(name),
    status: text,
  },
  {
    title: 'SandboxCardAccount',
    description: 'A card account that the bank opens.',
    examples: [
      {
        customerNumber: '01078900497',
        maskedPan: '123456******1234',
        currency: 'NOK',
        creditLimit: { amount: '30000.00', currency: 'NOK' },
      },
    ],
    rules: [cardAmounts],
  },
);

export type CardAccountBody = Static<typeof cardAccountBody>;

/** Credit limit and opening balance are in the card's currency; the limit is not below zero. */
function cardAmounts({ currency: own, creditLimit, balances }: Members): readonly RuleFault[] {
  const first: unknown = Array.isArray(balances) ? balances[0] : undefined;
  const limit = memberOf(creditLimit, 'amount');
  const isBelowZero = typeof limit === 'number' ? limit < 0 : typeof limit === 'string' && limit.startsWith('-');
  return [
    ...inCurrency('creditLimit.currency', memberOf(creditLimit, 'currency'), own),
    ...inCurrency('balances[0].balanceAmount.currency', memberOf(memberOf(first, 'balanceAmount'), 'currency'), own),
    ...(isBelowZero
      ? [{ member: 'creditLimit.amount', text: `${formatValue(limit)} is below zero. Send 0 or more.` }]
      : []),
  ];
}

function inCurrency(member: string, held: unknown, own: unknown): readonly RuleFault[] {
  if (typeof held !== 'string' || typeof own !== 'string' || held === own) return [];
  return [
    { member, text: `It is in ${formatValue(held)}, the card in ${formatValue(own)}. Send the card's currency.` },
  ];
}
