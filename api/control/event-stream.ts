import type { Request, Response } from 'express';
import type { Logger } from 'pino';
import { tell } from '../pipeline/request-log.ts';
import { problemOf, unexpectedProblem } from '../pipeline/problem.ts';

/** Progress of a call, sent as server-sent events with JSON data. */
export interface Events {
  send(event: string, data: unknown): void;
  /** True once the client has disconnected. */
  isGone(): boolean;
}

/** True if Accept names `text/event-stream`; a wildcard does not count. */
export function wantsEvents(request: Request): boolean {
  return /(^|,)\s*text\/event-stream\s*(;|,|$)/i.test(request.headers.accept ?? '');
}

/**
 * Answers with the events that `work` sends. An error before the first event is rethrown and becomes an ordinary problem with
 * its own status; after it, the event `error` carries the problem.
 */
export async function sendEvents(
  response: Response,
  log: Logger,
  work: (events: Events) => Promise<void>,
): Promise<void> {
  const events: Events = {
    send: (event, data) => {
      if (!response.headersSent) {
        response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
      }
      response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    },
    isGone: () => response.destroyed,
  };
  try {
    await work(events);
  } catch (error) {
    if (!response.headersSent) throw error;
    const problem = problemOf(error) ?? unexpectedProblem();
    if (problem.facts.status >= 500) log.error({ err: error }, 'a call that sends events failed');
    tell(response, { code: problem.code });
    events.send('error', problem.json());
  }
  response.end();
}
