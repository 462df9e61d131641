import { createHash, timingSafeEqual } from 'node:crypto';
import type { Request } from 'express';
import { Refusal } from '../../engine/values/fault.ts';

/** Header with the control token under `/v1/sandbox`, where `Authorization` is the TPP's. */
const header = 'Sandbank-Control-Token';
/** The same as a path in a refusal. */
export const tokenHeader = header.toLowerCase();

/** Compares a value with the control token in constant time. */
export function isControlToken(given: string, token: string): boolean {
  return timingSafeEqual(digest(given), digest(token));
}

/** Throws FORBIDDEN when a changing call under `/v1/sandbox` lacks the control token (rules.md G1). */
export function requireControlToken(request: Request, token: string): void {
  const given = request.get(header);
  if (given !== undefined && isControlToken(given, token)) return;
  const text =
    `The header ${header} ${given === undefined ? 'is missing' : 'has another value'}. This bank has a control token: ` +
    'a call under /v1/sandbox that changes something carries it too. It is the value of SANDBANK_CONTROL_TOKEN.';
  throw new Refusal({ code: 'FORBIDDEN', path: tokenHeader, text });
}

/** The comparison needs values of equal length. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
