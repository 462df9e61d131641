import { STATUS_CODES } from 'node:http';
import type { ErrorRequestHandler } from 'express';
import type { Logger } from 'pino';
import { LedgerUnavailable } from '../../engine/open-bank.ts';
import { type FaultCode, Refusal } from '../../engine/values/fault.ts';
import { formatInstant } from '../../engine/values/instant.ts';
import { runId } from '../../engine/time/rules/settlement-run.ts';
import { RunFailed } from '../../engine/runs/run-settlement.ts';
import { faultResponse } from '../faults/fault-response.ts';
import { unreadBody } from './read-body.ts';
import { addFacts } from './request-log.ts';

/** Where a page of the console leads on from a refusal: `to` is below `/console`. */
export interface Way {
  readonly text: string;
  readonly to: string;
}

/** One thing wrong with a request; `path` names a member, a parameter or a header. */
interface ProblemError {
  readonly path: string;
  readonly detail: string;
}

export interface ProblemFacts {
  readonly status: number;
  readonly detail: string;
  /** The interface's code, of a refusal by the engine. */
  readonly code?: FaultCode;
  /** Allowed values. */
  readonly allowed?: unknown;
  readonly errors?: readonly ProblemError[];
  /** The settlement run that failed. */
  readonly run?: { readonly id: string; readonly at: string };
  readonly headers?: Readonly<Record<string, string>>;
  /** It is true if the server stops, which is no failure whatever the status. */
  readonly isStop?: boolean;
  /** Links of the console to what the refusal concerns. */
  readonly ways?: readonly Way[];
}

/** A refusal of the control plane: application/problem+json (RFC 9457). */
export class Problem extends Error {
  readonly facts: ProblemFacts;

  constructor(facts: ProblemFacts) {
    super(`${facts.status}: ${facts.detail}`);
    this.name = 'Problem';
    this.facts = facts;
  }

  /** Code for the log: the interface's, or the name of the HTTP status spelled like one. */
  get code(): string {
    const { status, code } = this.facts;
    return code ?? (STATUS_CODES[status] ?? 'Refused').toUpperCase().replaceAll(/[^A-Z]+/g, '_');
  }

  /** Whether it is logged as an error. */
  get isFailure(): boolean {
    return this.facts.status >= 500 && this.facts.isStop !== true;
  }

  /** The body on the wire, where JSON leaves out what is undefined. */
  json(): object {
    const { status, detail, code, allowed, errors, run } = this.facts;
    return {
      type: 'about:blank',
      title: STATUS_CODES[status] ?? 'Refused',
      status,
      detail,
      code,
      allowed,
      errors,
      run,
    };
  }
}

/** Problem 400 of one member, parameter or header; `allowed` is what would have been taken. */
export function refusedAt(path: string, detail: string, allowed?: unknown, code?: FaultCode): Problem {
  return new Problem({ status: 400, detail, allowed, errors: [{ path, detail }], ...(code !== undefined && { code }) });
}

/** Returns the value. If there is none, throws a Problem with this status. */
export function found<Value>(value: Value | null | undefined, detail: string, status = 404): Value {
  if (value === null || value === undefined) throw new Problem({ status, detail });
  return value;
}

/** Finds the first item that is wanted. Throws a Problem (404) if there is none. */
export function foundIn<Item>(items: readonly Item[], isWanted: (item: Item) => boolean, detail: string): Item {
  return found(items.find(isWanted), detail);
}

/** Converts an expected error to a problem; null for an unexpected one, which is a 500. */
export function problemOf(error: unknown): Problem | null {
  if (error instanceof Problem) return error;
  if (error instanceof Refusal) return ofRefusal(error);
  if (error instanceof RunFailed) return ofRunFailed(error);
  if (error instanceof LedgerUnavailable) return ofRefusal(new Refusal(error.fault));
  const unread = unreadBody(error);
  return unread === null ? null : ofRefusal(unread);
}

/** Problem of an unexpected error: a 500 without detail. */
export function unexpectedProblem(): Problem {
  return new Problem({ status: 500, detail: 'The bank failed. Its log has the reason.' });
}

/** The failed run was rolled back. Unlike other 500s it gives the reason: the caller needs it to continue. */
function ofRunFailed(error: RunFailed): Problem {
  const { run, before } = error;
  const at = formatInstant(run.at);
  const detail =
    `The run ${runId(run)} at ${at} failed, and all of it was taken back: ${error.reason()}. ` +
    `${before.length} runs before it are kept. The same call again begins with this run.`;
  return new Problem({ status: 500, detail, run: { id: runId(run), at } });
}

/** Codes that are 401 in the interface. Here they mean an unknown resource, and 401 asks for the bearer token. */
const unknownHere: readonly FaultCode[] = ['PSU_CREDENTIALS_INVALID', 'CORPORATE_ID_INVALID'];

function ofRefusal(refusal: Refusal): Problem {
  const { faults } = refusal;
  const [first, ...others] = faults;
  const errors = faults.map(({ path = '', text }) => ({ path, detail: text }));
  return new Problem({
    status: unknownHere.includes(first.code) ? 404 : faultResponse(faults, { signature401: false }).status,
    detail: others.length === 0 ? first.text : `There are ${faults.length} faults; the first: ${first.text}`,
    code: first.code,
    ...(first.allowed !== undefined && { allowed: first.allowed }),
    ...((others.length > 0 || first.path !== undefined) && { errors }),
    ...(first.retryAfter !== undefined && { headers: { 'retry-after': String(first.retryAfter) } }),
  });
}

/** Answers a thrown error as a problem. An unexpected error is a 500 without detail; failures are logged. */
export function problemHandler(log: Logger): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    if (response.headersSent) {
      next(error);
      return;
    }
    const problem = problemOf(error) ?? unexpectedProblem();
    if (problem.isFailure && !(error instanceof LedgerUnavailable && error.isLogged)) {
      log.error(
        {
          err: error instanceof LedgerUnavailable ? error.cause : error,
          method: request.method,
          path: request.originalUrl,
        },
        'a call of the control plane failed',
      );
    }
    addFacts(response, { code: problem.code });
    response.status(problem.facts.status).set({ ...problem.facts.headers });
    response.type('application/problem+json').send(JSON.stringify(problem.json()));
  };
}
