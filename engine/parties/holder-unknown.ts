import type { Fault } from '../values/fault.ts';

/** Nobody has the customerNumber that a body names as the holder of what it creates. */
export function holderUnknown(customerNumber: string): Fault {
  const text = `No customer has the number ${customerNumber}. POST /v1/sandbox/customers creates one.`;
  return { code: 'RESOURCE_UNKNOWN', place: 'payload', path: 'customerNumber', text };
}
