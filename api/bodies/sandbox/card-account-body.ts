import { memberOf, type Members, type RuleFault } from '../rule.ts';
import { shown } from '../../middleware/body/shown.ts';

/** Credit limit and opening balance of a card are in its currency, and the limit is not below zero. */
export function cardAmounts({ currency, creditLimit, balances }: Members): readonly RuleFault[] {
  const first: unknown = Array.isArray(balances) ? balances[0] : undefined;
  const limit = memberOf(creditLimit, 'amount');
  const isBelowZero = typeof limit === 'number' ? limit < 0 : typeof limit === 'string' && limit.startsWith('-');
  return [
    ...inCurrency('creditLimit.currency', memberOf(creditLimit, 'currency'), currency),
    ...inCurrency(
      'balances[0].balanceAmount.currency',
      memberOf(memberOf(first, 'balanceAmount'), 'currency'),
      currency,
    ),
    ...(isBelowZero ? [{ member: 'creditLimit.amount', text: `${shown(limit)} is below zero. Send 0 or more.` }] : []),
  ];
}

function inCurrency(member: string, held: unknown, currency: unknown): readonly RuleFault[] {
  if (typeof held !== 'string' || typeof currency !== 'string' || held === currency) return [];
  return [{ member, text: `It is in ${shown(held)}, the card in ${shown(currency)}. Send the card's currency.` }];
}
