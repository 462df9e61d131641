import type { AnswerValue } from '../../bodies/written.ts';
import { createCustomer, deleteCustomer, listCustomers, readCustomer } from '../../../engine/sandbox-data/customers.ts';
import type { CreateCustomer } from '../../../engine/parties/customers-and-agreements.ts';
import type { Customer } from '../../../engine/parties/rows/customers.ts';
import { privateCustomer } from '../../bodies/known-state.ts';
import { choice, closed, customerNumber, requiredName, type Static } from '../../bodies/schema.ts';
import { endpoint, link } from '../../pipeline/endpoint.ts';
import { resource } from './resource.ts';
import { customerAnswer, initializedAnswer } from './sandbox-answers.ts';
import { initializeSandbox } from '../../../engine/sandbox-data/create-known-state.ts';

/** In either case, as the vendor's scripts and the banks' pages write it; it comes back as it was posted (rules.md D6). */
const type = choice('the kind of customer', ['private', 'corporate', 'PRIVATE', 'CORPORATE']);

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

/** interface: /v1/sandbox/customers; real-api-facts.md 10. */
export const customers = resource({
  path: '/sandbox/customers',
  id: 'customerId',
  names: 'path',
  summaries: {
    create: 'Create a customer',
    list: 'List all customers',
    read: 'Read a customer',
    remove: 'Delete a customer with its agreements and accounts',
  },
  all: 'customers',
  answer: customerAnswer,
  body: customerBody,
  faultPaths: { CONFLICT: 'customerNumber' },
  create: (bank, { type, ...customer }) => createCustomer(bank, { ...customer, ...typeOf(type) }),
  list: listCustomers,
  read: readCustomer,
  remove: deleteCustomer,
  show: sandboxCustomer,
});

/** The type of a customer, and the case that it comes back in (rules.md D6). */
function typeOf(posted: Static<typeof type>): Pick<CreateCustomer, 'type' | 'isTypeInCapitals'> {
  const isTypeInCapitals = posted === 'PRIVATE' || posted === 'CORPORATE';
  return { type: posted === 'private' || posted === 'PRIVATE' ? 'private' : 'corporate', isTypeInCapitals };
}

const inCapitals = { private: 'PRIVATE', corporate: 'CORPORATE' } as const;

/** real-api-facts.md 10: POST and GET /v1/sandbox/customers. */
export function sandboxCustomer(customer: Customer): AnswerValue<typeof customerAnswer> {
  return {
    customerId: customer.resource_id,
    customerNumber: customer.customer_number,
    customerType: customer.is_type_in_capitals === 1 ? inCapitals[customer.type] : customer.type,
    customerName: customer.name,
    _links: { self: link(`/v1/sandbox/customers/${customer.resource_id}`, 'GET', 'DELETE') },
  };
}

/** interface: sandbox initialisation; rules.md D1, T7. Answers with counts and links to the lists; CONFLICT while the clock is being moved. */
export const initialize = endpoint('POST /sandbox/initialize', {
  summary: 'Create the known state again, and keep the clock',
  answers: { 200: initializedAnswer },
  role: null,
  handle: async ({ bank, runExclusive: alone }) => {
    const counts = await alone(() => initializeSandbox(bank));
    const _links = {
      customers: link('/v1/sandbox/customers', 'GET', 'POST'),
      agreements: link('/v1/sandbox/agreements', 'GET', 'POST'),
      accounts: link('/v1/sandbox/accounts', 'GET', 'POST'),
      cardAccounts: link('/v1/sandbox/card-accounts', 'GET', 'POST'),
    };
    return { status: 200, body: { ...counts, _links } };
  },
});
