import { type FaultCode, faultCodes } from '../../engine/values/fault.ts';
import type { PaymentStatus, BankError as PublicError } from './types.ts';

export interface BankErrorFacts {
  readonly paymentId?: string;
  readonly status?: number;
  readonly code?: FaultCode;
  readonly paymentStatus?: PaymentStatus;
}

/** What the harness throws when the bank refuses. A fact that is not known is left out. */
export class BankError extends Error implements PublicError {
  declare readonly paymentId?: string;
  declare readonly status?: number;
  declare readonly code?: FaultCode;
  declare readonly paymentStatus?: PaymentStatus;

  constructor(message: string, facts: BankErrorFacts = {}, options: ErrorOptions = {}) {
    super(message, options);
    this.name = 'BankError';
    Object.assign(this, facts);
  }
}

/** `code` of an answer, if it is one of the interface's. */
export function codeOf(text: string | null | undefined): { readonly code?: FaultCode } {
  const code = faultCodes.find((known) => known === text);
  return code === undefined ? {} : { code };
}
