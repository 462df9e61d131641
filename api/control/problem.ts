import { STATUS_CODES } from 'node:http';
import { Refusal, type FaultCode } from '../../engine/core/fault.ts';
import { NotAllowed } from '../../engine/operations/shared/not-allowed.ts';
import { faultResponse } from '../fault-response.ts';

/** One thing wrong with a request; `path` names a member, a parameter or a header. */
export interface ProblemError {
  readonly path: string;
  readonly detail: string;
}

export interface ProblemFacts {
  readonly status: number;
  readonly detail: string;
  /** The interface's code, of a refusal by the engine. */
  readonly code?: FaultCode;
  /** What would have been allowed. */
  readonly allowed?: unknown;
  readonly errors?: readonly ProblemError[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** A refusal of the control plane: application/problem+json (RFC 9457). */
export class Problem extends Error {
  readonly facts: ProblemFacts;

  constructor(facts: ProblemFacts) {
    super(`${facts.status}: ${facts.detail}`);
    this.name = 'Problem';
    this.facts = facts;
  }

  /** The body on the wire. */
  json(): object {
    const { status, detail, code, allowed, errors } = this.facts;
    return {
      type: 'about:blank',
      title: STATUS_CODES[status] ?? 'Refused',
      status,
      detail,
      ...(code !== undefined && { code }),
      ...(allowed !== undefined && { allowed }),
      ...(errors !== undefined && { errors }),
    };
  }
}

/** An expected refusal as a problem; null for what nobody expected, which is a 500. */
export function problemOf(error: unknown): Problem | null {
  if (error instanceof Problem) return error;
  if (error instanceof Refusal) return ofRefusal(error);
  return error instanceof Error ? ofHttpError(error) : null;
}

function ofRefusal(refusal: Refusal): Problem {
  const { faults } = refusal;
  const [first, ...others] = faults;
  const errors = faults.map(({ path = '', text }) => ({ path, detail: text }));
  return new Problem({
    status: faultResponse(faults, { signature401: false }).status,
    detail: others.length === 0 ? first.text : `There are ${faults.length} faults; the first: ${first.text}`,
    code: first.code,
    ...(refusal instanceof NotAllowed && { allowed: refusal.allowed }),
    ...((others.length > 0 || first.path !== undefined) && { errors }),
  });
}

/** What express and its body reader refuse by themselves. */
function ofHttpError(error: Error): Problem | null {
  const { type, status } = error as Error & { readonly type?: string; readonly status?: number };
  if (type === 'entity.too.large')
    return new Problem({ status: 413, detail: 'The body is too large.', allowed: '256 KB' });
  if (type === 'encoding.unsupported') {
    const detail = 'The body is sent with a Content-Encoding. Send it as it is.';
    return new Problem({ status: 415, detail, allowed: ['identity'] });
  }
  if (status === undefined || status < 400 || status > 499) return null;
  return new Problem({ status, detail: `The request cannot be read: ${error.message.slice(0, 200)}.` });
}
