import { privateCustomer } from '../../bodies/private-customer.ts';
import { choice, closed, type Static } from '../../bodies/schema.ts';
import { customerNumber, requiredName } from '../../bodies/values.ts';

/** In either case, as the vendor's scripts and the banks' pages write it; it comes back as it was posted (rules.md D6). */
const type = choice('the kind of customer', ['private', 'corporate', 'PRIVATE', 'CORPORATE']);

export type SandboxCustomerType = Static<typeof type>;

/** interface: /v1/sandbox/customers; real-api-facts.md 10. */
export const customerBody = closed(
  { customerNumber, name: requiredName, type },
  {
    title: 'SandboxCustomer',
    description: 'A person or a corporation that becomes a customer of the bank.',
    examples: [{ customerNumber: '01078900497', name: 'Test Testperson 1', type: 'private' }],
    rules: [privateCustomer],
  },
);
