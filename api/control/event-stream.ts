import type { Request, Response } from 'express';
import type { Logger } from 'pino';
import { tell } from '../pipeline/request-log.ts';
import { problemOf, unexpectedProblem } from '../pipeline/problem.ts';

/** Where a call tells what happens while it goes on: server-sent events, with JSON as their data. */
export interface Events {
  send(event: string, data: unknown): void;
  /** Whether the client went away. */
  isGone(): boolean;
}

/** Only who asks for events by name gets them: a wildcard is no wish for a stream. */
export function wantsEvents(request: Request): boolean {
  return /(^|,)\s*text\/event-stream\s*(;|,|$)/i.test(request.headers.accept ?? '');
}

/**
 * Answers with the events of some work. What is refused before the first event is thrown on, and is an ordinary problem with
 * its own status; later the stream is under way, and the event `error` carries the problem.
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
