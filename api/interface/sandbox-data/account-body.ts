import * as Type from 'typebox';
import { isCurrency } from '../../../engine/values/currency.ts';
import { formatValue, memberOf, type Members, type RuleFault } from '../../bodies/rule.ts';
import { accountNamed, bban, iban, norwegianBban, sameAccount } from '../../bodies/account.ts';
import { amountFaults, belowZero, sandboxAmount, sandboxMoney } from '../../bodies/amount.ts';
import { choice, closed, meaning, type Static } from '../../bodies/schema.ts';
import { story } from '../../bodies/story.ts';
import { cashAccountType, currency, customerNumber, name, productName } from '../../bodies/values.ts';

/** interface: /v1/sandbox/accounts; real-api-facts.md 10. Amounts are parsed by parseSandboxAmount. */
export const accountBody = closed(
  {
    customerNumber: meaning('Whose account it is.', customerNumber),
    accountName: Type.Optional(name),
    bban: Type.Optional(bban),
    iban: Type.Optional(iban),
    currency,
    product: Type.Optional(productName),
    cashAccountType: Type.Optional(cashAccountType),
    creditLine: Type.Optional(meaning('How far the balance may go below zero; left out: 0.', sandboxAmount)),
    balances: Type.Optional(
      Type.Array(closed({ balanceType: choice('the kind of balance', ['EXPECTED']), balanceAmount: sandboxMoney }), {
        description: 'a list with the opening balance',
        maxItems: 1,
      }),
    ),
  },
  {
    title: 'SandboxAccount',
    description: 'An account that the bank opens.',
    expected: 'an object with customerNumber, currency and bban or iban',
    examples: [
      {
        customerNumber: story.psu,
        accountName: 'Brukskonto',
        bban: '90412263056',
        currency: 'NOK',
        cashAccountType: 'CACC',
        balances: [{ balanceType: 'EXPECTED', balanceAmount: { amount: '10000.00', currency: 'NOK' } }],
      },
    ],
    rules: [accountNamed, sameAccount, norwegianBban, accountAmounts],
  },
);

export type AccountBody = Static<typeof accountBody>;

/** The credit line is not below zero; the opening balance is in the account's currency. */
function accountAmounts({ creditLine, currency: own, balances }: Members): readonly RuleFault[] {
  const faults = [...amountFaults('creditLine', creditLine, own), ...belowZero('creditLine', creditLine)];
  const items: readonly unknown[] = Array.isArray(balances) ? balances : [];
  items.forEach((item, index) => {
    const held = memberOf(memberOf(item, 'balanceAmount'), 'currency');
    if (typeof held !== 'string' || !isCurrency(held) || typeof own !== 'string' || held === own) return;
    const text = `The balance is in ${held}, the account in ${formatValue(own)}. Send the account's currency.`;
    faults.push({ member: `balances[${index}].balanceAmount.currency`, text });
  });
  return faults;
}
