import type { FaultCode } from '../../engine/values/fault.ts';
import { accessFaults } from './access-faults.ts';
import type { FaultAdvice } from './fault-advice.ts';
import { paymentFaults } from './payment-faults.ts';
import { requestFaults } from './request-faults.ts';
import { signingFaults } from './signing-faults.ts';

/** Every code with when it comes, what to do, and how to provoke it. Total: a code that is missing does not compile. */
export const faultGuide: Readonly<Record<FaultCode, FaultAdvice>> = {
  ...signingFaults,
  ...requestFaults,
  ...accessFaults,
  ...paymentFaults,
};
