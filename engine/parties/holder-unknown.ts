import type { Fault } from '../values/fault.ts';

/** Fault for a body whose customerNumber, the holder of what it creates, belongs to no customer. */
export function holderUnknown(customerNumber: string): Fault {
  const text = `No customer has the number ${customerNumber}. POST /v1/sandbox/customers creates one.`;
  return { code: 'RESOURCE_UNKNOWN', place: 'payload', path: 'customerNumber', text };
}
