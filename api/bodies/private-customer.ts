import type { Members, RuleFault } from './rule.ts';

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
  return [{ member: 'customerNumber', text }];
}
