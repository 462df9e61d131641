import type { ServerResponse } from 'node:http';
import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import { oneLine } from '../../engine/values/text.ts';
import { endsConnection, type StruckFault } from './fault-effect.ts';
import { maskOf, withoutIdentityNumbers } from './secrets.ts';
import { systemClock } from '../../engine/time/clock.ts';

/** Facts about a request that only the code that answers it knows. */
export interface RequestFacts {
  /** TPP that signed (rules.md G8), after the whole signature check has passed. */
  readonly tpp?: string;
  /** The first code of a refusal. */
  readonly code?: string;
  /** Status written to the socket directly, because the request could not be read to its end. */
  readonly status?: number;
  /** Why a certificate or a signature was refused: one sentence, without the signed text. */
  readonly finding?: string;
  /** Key of its journal entry (rules.md G11), if it has one. */
  readonly entryKey?: string;
  /** The armed fault that struck the call (rules.md E6b, E6c). */
  readonly fault?: StruckFault;
  /** The payment in the path of a call that was carried out. */
  readonly paymentId?: string;
  /** What was accepted though the interface does not promise it, each as "accepted, but ..." (rules.md G3b). */
  readonly notes?: readonly string[];
  /** The string that the client signed, latin1, if the doctor found it (rules.md G11). */
  readonly received?: string;
}

/** A resource that a request changed or named. */
export interface Touched {
  readonly kind: 'payment' | 'consent';
  readonly id: string;
}

/** Notes about one request, made while it is answered. */
interface Notes {
  facts: RequestFacts;
  /** The resources that it has changed so far. */
  readonly touched: Touched[];
  /**
   * The operation at its path, also if it is refused: `POST /sandbox/banks/{name}`. It is null if there is none, or it
   * was not looked for yet.
   */
  operation: string | null;
  /** The body of the answer as sent, for the journal, if one was kept. */
  answer: string | null;
  /** Called with all facts whenever one is added, even after the answer. */
  changed: ((facts: RequestFacts) => void) | null;
}

/** A member of the response: each request would make a weak map larger, which each garbage collection goes through. */
const notes = Symbol('notes');

/** The notes of the request that this answers. Whoever answers it may add to them. */
export function logNotesOf(response: ServerResponse & { [notes]?: Notes }): Notes {
  return (response[notes] ??= { facts: {}, touched: [], operation: null, answer: null, changed: null });
}

/** Adds facts to the log line of a request and to its journal entry. */
export function addFacts(response: ServerResponse, facts: RequestFacts): void {
  const about = logNotesOf(response);
  about.facts = { ...about.facts, ...facts };
  about.changed?.(about.facts);
}

/** The facts added so far. */
export function factsOf(response: ServerResponse): RequestFacts {
  return logNotesOf(response).facts;
}

/** Maximum lengths of texts in a log line. */
const max = { target: 300, name: 100, tpp: 200, finding: 512 };

/**
 * Logs one line a request at level info: request, bank, TPP, answer, time in ms. The message is `request`, `refused`
 * when there is a code, `client gone` when the answer was not sent to its end, or `ended by an armed fault` (rules.md
 * E6c). The control token is masked (docs/spec/control-plane.md C3).
 */
export function requestLog(log: Logger, controlToken: string | null): RequestHandler {
  const mask = maskOf(controlToken);
  if (!log.isLevelEnabled('info')) return (_request, _response, next) => next();
  return (request, response, next) => {
    const begun = systemClock.monotonic();
    response.on('close', () => {
      const ms = Math.round((systemClock.monotonic() - begun) * 10) / 10;
      const { tpp, code, status, finding, fault } = factsOf(response);
      const requestId = request.get('x-request-id');
      const isAnswered = response.writableFinished || status !== undefined;
      const unanswered = endsConnection(fault) ? 'ended by an armed fault' : 'client gone';
      const message = !isAnswered ? unanswered : code === undefined ? 'request' : 'refused';
      const target = mask(withoutSecrets(request.originalUrl));
      const line = {
        method: request.method,
        target: oneLine(target, max.target),
        status: status ?? response.statusCode,
        ms,
        bank: oneLine(bankIn(target), max.name),
        client: request.socket.remoteAddress,
        ...(tpp !== undefined && { tpp: oneLine(mask(tpp), max.tpp) }),
        ...(code !== undefined && { code }),
        ...(finding !== undefined && { finding: oneLine(withoutIdentityNumbers(mask(finding)), max.finding) }),
        ...(requestId !== undefined && { requestId: oneLine(mask(requestId), max.name) }),
      };
      log.info(line, message);
    });
    next();
  };
}

/** Name of the bank in the path, existing or not. */
function bankIn(target: string): string {
  return /^\/banks\/([^/?]+)/.exec(target)?.[1] ?? 'default';
}

/**
 * Removes the ids of SCAs, pages of access and steps: an id is enough to answer an SCA, or to see and withdraw access.
 */
function withoutSecrets(target: string): string {
  return target.replace(/(\/sca\/(?:access\/)?)[^/?]+/g, '$1...').replace(/([?&]step=)[^&]+/g, '$1...');
}
