import { isCurrency } from '../../../engine/core/currency.ts';
import { parseLocalDate } from '../../../engine/core/local-date.ts';
import { parseSandboxAmount } from '../../../engine/core/parse-amount.ts';
import { memberOf, type Members, type RuleFault } from '../../bodies/rule.ts';
import { shown } from './shown.ts';

/** rules.md P4, D3: a number or a decimal string that the currency can hold. */
export function sandboxAmount({ amount, currency }: Members): readonly RuleFault[] {
  return amountFaults('amount', amount, currency);
}

/** The credit line in the account's currency and not below zero; the opening balance in the account's currency. */
export function accountAmounts({ creditLine, currency, balances }: Members): readonly RuleFault[] {
  const faults = [...amountFaults('creditLine', creditLine, currency)];
  if (typeof creditLine === 'number' ? creditLine < 0 : typeof creditLine === 'string' && creditLine.startsWith('-')) {
    faults.push({ member: 'creditLine', text: `${shown(creditLine)} is below zero. Send 0 or more.` });
  }
  const items: readonly unknown[] = Array.isArray(balances) ? balances : [];
  items.forEach((item, index) => {
    const held = memberOf(memberOf(item, 'balanceAmount'), 'currency');
    if (typeof held !== 'string' || !isCurrency(held) || typeof currency !== 'string' || held === currency) return;
    const text = `The balance is in ${held}, the account in ${shown(currency)}. Send the account's currency.`;
    faults.push({ member: `balances[${index}].balanceAmount.currency`, text });
  });
  return faults;
}

/** rules.md D3: the booking date is not after the value date. */
export function bookingBeforeValue({ bookingDate, valueDate }: Members): readonly RuleFault[] {
  if (typeof bookingDate !== 'string' || typeof valueDate !== 'string') return [];
  const [booked, value] = [parseLocalDate(bookingDate), parseLocalDate(valueDate)];
  if (booked === null || value === null || booked <= value) return [];
  const text = `bookingDate ${booked} is after valueDate ${value}. Send the same date or an earlier one.`;
  return [{ member: 'bookingDate', text }];
}

/** rules.md D2: a private customer is known by a national number; a corporation's may have another length. */
export function privateCustomer({ type, customerNumber }: Members): readonly RuleFault[] {
  if (type !== 'private' || typeof customerNumber !== 'string' || !/^\d{1,35}$/.test(customerNumber)) return [];
  if (customerNumber.length === 11) return [];
  const text = `A private customer has a number of 11 digits, this one has ${customerNumber.length}. Correct it.`;
  return [{ member: 'customerNumber', text }];
}

/** The control plane's advance takes exactly one of its four targets. */
export function oneTarget(members: Members): readonly RuleFault[] {
  const given = ['to', 'by', 'runs', 'until'].filter((name) => members[name] !== undefined);
  if (given.length === 1) return [];
  const received = given.length === 0 ? 'none of them' : given.join(' and ');
  return [{ member: '', text: `Expected exactly one of to, by, runs, until; received ${received}.` }];
}

/** rules.md A3: who approves, and in which context, is said; an agreement goes with CORPORATE, a code with a failure. */
export function scaOutcome(members: Members): readonly RuleFault[] {
  const { outcome, context, agreement, failure } = members;
  const named = ['psu', 'context'].filter((name) => outcome === 'approve' && members[name] === undefined);
  const faults = named.map((member) => ({
    member,
    text: `${member} is missing: an approval says who approves and as what.`,
  }));
  if (agreement !== undefined && context !== 'CORPORATE') {
    faults.push({ member: 'agreement', text: 'agreement goes with the context CORPORATE. Leave it out.' });
  }
  if (failure === undefined || outcome === 'fail') return faults;
  return [...faults, { member: 'failure', text: 'failure goes with the outcome fail. Leave it out.' }];
}

/** An amount, a number or a decimal string, that its currency cannot hold. */
export function amountFaults(member: string, value: unknown, currency: unknown): readonly RuleFault[] {
  if (typeof value !== 'number' && typeof value !== 'string') return [];
  if (typeof currency !== 'string' || !isCurrency(currency)) return [];
  const read = parseSandboxAmount(value, currency);
  return typeof read === 'string' ? [{ member, text: `${shown(value)} is refused: ${read}.` }] : [];
}
