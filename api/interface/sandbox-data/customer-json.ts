import type { Customer } from '../../../engine/parties/rows/customers.ts';
import { link } from '../../pipeline/links.ts';

/** real-api-facts.md 10: POST and GET /v1/sandbox/customers. The type is in capitals, as the banks' pages print it. */
export function sandboxCustomer(customer: Customer) {
  return {
    customerId: customer.resource_id,
    customerNumber: customer.customer_number,
    customerType: customer.type.toUpperCase(),
    customerName: customer.name,
    _links: { self: link(`/v1/sandbox/customers/${customer.resource_id}`, 'GET', 'DELETE') },
  };
}
