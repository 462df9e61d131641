import { privateCustomer } from '../../bodies/private-customer.ts';
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
