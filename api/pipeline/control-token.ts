import { createHash, timingSafeEqual } from 'node:crypto';
import type { Request } from 'express';
import { Refusal } from '../../engine/values/fault.ts';

/** The header with the control token under `/v1/sandbox`, where `Authorization` belongs to the TPP. */
const header = 'Sandbank-Control-Token';
/** The header as a path in a refusal. */
export const tokenHeader = header.toLowerCase();

/** The control token of a server. It opens the control plane, the console and changes of sandbox data of every bank. */
export class ControlToken {
  readonly #digest: Buffer;

  constructor(value: string) {
    this.#digest = digestOf(value);
  }

  /** Compares digests, which are equally long, in constant time. */
  opens(given: string): boolean {
    return timingSafeEqual(digestOf(given), this.#digest);
  }
}

/** The control token with this value. */
export function controlTokenOf(value: string | null): ControlToken | null {
  return value === null ? null : new ControlToken(value);
}

function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** Requires the control token for a change under `/v1/sandbox` (rules.md G1). Throws FORBIDDEN. */
export function requireControlToken(request: Request, token: ControlToken): void {
  const given = request.get(header);
  if (given !== undefined && token.opens(given)) return;
  const text =
    `The header ${header} ${given === undefined ? 'is missing' : 'has another value'}. This bank has a control token: ` +
    'a call under /v1/sandbox that changes something carries it too. It is the value of SANDBANK_CONTROL_TOKEN.';
  throw new Refusal({ code: 'FORBIDDEN', path: tokenHeader, text });
}
