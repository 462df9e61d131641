import { createCustomer } from '../../../engine/sandbox-data/create-customer.ts';
import { deleteCustomer } from '../../../engine/sandbox-data/delete-customer.ts';
import { listCustomers } from '../../../engine/sandbox-data/list-customers.ts';
import { readCustomer } from '../../../engine/sandbox-data/read-customer.ts';
import { customerBody } from './customer-body.ts';
import { endpoint, type Call, type Endpoint } from '../../pipeline/endpoint.ts';
import { sandboxCustomer } from './customer-json.ts';

const common = { role: null, requires: [], body: null } as const;
const path = '/sandbox/customers';

/** interface: /v1/sandbox/customers; real-api-facts.md 10. The list is a plain array. */
export const customers: readonly Endpoint[] = [
  endpoint({
    ...common,
    method: 'POST',
    path,
    body: customerBody,
    handle: async ({ bank, body }) => {
      const { customerNumber, name, type } = body;
      return { status: 201, body: sandboxCustomer(await createCustomer(bank, { customerNumber, name, type })) };
    },
  }),
  {
    ...common,
    method: 'GET',
    path,
    handle: async ({ bank }) => ({ status: 200, body: (await listCustomers(bank)).map(sandboxCustomer) }),
  },
  {
    ...common,
    method: 'GET',
    path: `${path}/:customerId`,
    names: 'path',
    handle: async (call) => ({ status: 200, body: sandboxCustomer(await readCustomer(call.bank, customerIn(call))) }),
  },
  {
    ...common,
    method: 'DELETE',
    path: `${path}/:customerId`,
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
