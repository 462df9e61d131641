import type { Members, RuleFault } from '../../bodies/rule.ts';
import { closed } from '../../bodies/schema.ts';
import { customerNumber, customerType, requiredName } from '../../bodies/values.ts';

/** interface: /v1/sandbox/customers; real-api-facts.md 10. */
export const customerBody = closed(
  { customerNumber, name: requiredName, type: customerType },
  {
    title: 'SandboxCustomer',
    description: 'A person or a corporation that becomes a customer of the bank.',
    examples: [{ customerNumber: '01078900497', name: 'Test Testperson 1', type: 'private' }],
    rules: [privateCustomer],
  },
);

/** rules.md D2: a private customer is known by a national number; a corporation's may have another length. */
export function privateCustomer({ type, customerNumber }: Members): readonly RuleFault[] {
  if (type !== 'private' || typeof customerNumber !== 'string' || !/^\d{1,35}$/.test(customerNumber)) return [];
  if (customerNumber.length === 11) return [];
  const text = `A private customer has a number of 11 digits, this one has ${customerNumber.length}. Correct it.`;
  return [{ member: 'customerNumber', text }];
}
