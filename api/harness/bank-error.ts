import { type FaultCode, faultCodes } from '../../engine/values/fault.ts';
import type { PaymentStatus, BankError as PublicError } from './types/index.ts';

type Fact = 'paymentId' | 'status' | 'code' | 'paymentStatus';
export type BankErrorFacts = { readonly [Name in Fact]?: PublicError[Name] | undefined };

/** What the harness throws when the bank refuses. A fact that is not known is left out. */
export class BankError extends Error implements PublicError {
  declare readonly paymentId?: string;
  declare readonly status?: number;
  declare readonly code?: FaultCode;
  declare readonly paymentStatus?: PaymentStatus;

  constructor(message: string, facts: BankErrorFacts = {}, options: ErrorOptions = {}) {
    super(message, options);
    this.name = 'BankError';
    for (const [name, fact] of Object.entries(facts)) if (fact !== undefined) Reflect.set(this, name, fact);
  }
}

/** Returns the text if it is a code of the interface, else undefined. */
export function codeOf(text: string | null | undefined): FaultCode | undefined {
  return faultCodes.find((known) => known === text);
}
