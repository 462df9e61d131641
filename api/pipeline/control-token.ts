import { createHash, timingSafeEqual } from 'node:crypto';
import type { Request } from 'express';
import { Refusal } from '../../engine/values/fault.ts';

/** What carries the control token where `Authorization` is the TPP's: under `/v1/sandbox`. */
const header = 'Sandbank-Control-Token';

/** Whether this is the control token, found out in a time that does not tell how much of it is right. */
export function isControlToken(given: string, token: string): boolean {
  return timingSafeEqual(digest(given), digest(token));
}

/** FORBIDDEN for a call under `/v1/sandbox` that changes something and does not carry the control token (rules.md G1). */
export function requireControlToken(request: Request, token: string): void {
  const given = request.get(header);
  if (given !== undefined && isControlToken(given, token)) return;
  const text =
    `The header ${header} ${given === undefined ? 'is missing' : 'has another value'}. This bank has a control token: ` +
    'a call under /v1/sandbox that changes something carries it too. It is the value of SANDBANK_CONTROL_TOKEN.';
  throw new Refusal({ code: 'FORBIDDEN', path: header.toLowerCase(), text });
}

/** Equal lengths, as the comparison needs them. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
