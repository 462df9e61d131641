import { createCustomer, deleteCustomer, listCustomers, readCustomer } from '../../../engine/sandbox-data/customers.ts';
import type { CreateCustomer } from '../../../engine/parties/customers-and-agreements.ts';
import { customerBody, type SandboxCustomerType } from './customer-body.ts';
import { type Call, endpoint, type Endpoint } from '../../pipeline/endpoint.ts';
import type { Customer } from '../../../engine/parties/rows/customers.ts';
import { customerAnswer, listOf } from './sandbox-answers.ts';
import { link } from '../../pipeline/links.ts';

const common = { role: null, requires: [], body: null } as const;
const path = '/sandbox/customers';

/** interface: /v1/sandbox/customers; real-api-facts.md 10. The list is a plain array. */
export const customers: readonly Endpoint[] = [
  endpoint({
    ...common,
    method: 'POST',
    path,
    summary: 'Create a customer',
    answers: { 201: customerAnswer },
    body: customerBody,
    faultPaths: { CONFLICT: 'customerNumber' },
    handle: async ({ bank, body }) => {
      const { customerNumber, name, type } = body;
      const created = await createCustomer(bank, { customerNumber, name, ...typeOf(type) });
      return { status: 201, body: sandboxCustomer(created) };
    },
  }),
  {
    ...common,
    method: 'GET',
    path,
    summary: 'List all customers',
    answers: { 200: listOf(customerAnswer, 'customers') },
    handle: async ({ bank }) => ({ status: 200, body: (await listCustomers(bank)).map(sandboxCustomer) }),
  },
  {
    ...common,
    method: 'GET',
    path: `${path}/:customerId`,
    summary: 'Read a customer',
    answers: { 200: customerAnswer },
    names: 'path',
    handle: async (call) => ({ status: 200, body: sandboxCustomer(await readCustomer(call.bank, customerIn(call))) }),
  },
  {
    ...common,
    method: 'DELETE',
    path: `${path}/:customerId`,
    summary: 'Delete a customer with its agreements and accounts',
    answers: { 204: null },
    names: 'path',
    handle: async (call) => {
      await deleteCustomer(call.bank, customerIn(call));
      return { status: 204 };
    },
  },
];

function customerIn({ params }: Call): string {
  return params['customerId'] ?? '';
}

/** The type of a customer, and the case that it comes back in (rules.md D6). */
function typeOf(posted: SandboxCustomerType): Pick<CreateCustomer, 'type' | 'isTypeInCapitals'> {
  const isTypeInCapitals = posted === 'PRIVATE' || posted === 'CORPORATE';
  return { type: posted === 'private' || posted === 'PRIVATE' ? 'private' : 'corporate', isTypeInCapitals };
}

/** real-api-facts.md 10: POST and GET /v1/sandbox/customers. */
export function sandboxCustomer(customer: Customer) {
  return {
    customerId: customer.resource_id,
    customerNumber: customer.customer_number,
    customerType: customer.is_type_in_capitals === 1 ? customer.type.toUpperCase() : customer.type,
    customerName: customer.name,
    _links: { self: link(`/v1/sandbox/customers/${customer.resource_id}`, 'GET', 'DELETE') },
  };
}
