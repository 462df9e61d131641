import { once } from 'node:events';
import type { Request, Response } from 'express';
import type { Logger } from 'pino';
import { acceptsType } from '../pipeline/request-headers.ts';
import { nextTurn } from '../../engine/time/clock.ts';
import { addFacts } from '../pipeline/request-log.ts';
import { problemOf, unexpectedProblem } from '../pipeline/problem.ts';

/** Media type of server-sent events, as the HTML standard defines them. */
export const eventStream = 'text/event-stream';

/** Sends the progress of a call as server-sent events with JSON data. */
export interface Events {
  /** Last-Event-ID of a client that reconnects, or null. */
  readonly lastId: string | null;
  /**
   * Aborted when the client disconnects or the answer is over. Aborting it ends the answer, and cuts off a client that
   * has not read it.
   */
  readonly stream: AbortController;
  send(event: string, data: unknown): void;
  /**
   * Sends blocks made by {@link eventText}, or a comment. Resolves in a later turn of the event loop, once the client
   * can take more or has disconnected.
   */
  write(text: string): Promise<void>;
}

/** One event as it is sent. */
export function eventText(event: string, data: unknown, id?: string): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** True if Accept names `text/event-stream`; a wildcard does not count. */
export function wantsEvents(request: Request): boolean {
  return /(^|,)\s*text\/event-stream\s*(;|,|$)/i.test(request.headers.accept ?? '');
}

/** True if Accept allows `text/event-stream`. A wildcard and a missing header allow it too. */
export function acceptsEvents(request: Request): boolean {
  return acceptsType(request.headers.accept, eventStream);
}

/**
 * Answers with the events that `work` sends. An error before the first event is rethrown and becomes an ordinary
 * problem with its own status. A later error is sent as the event `error`, with the problem.
 */
export async function sendEvents(
  request: Request,
  response: Response,
  log: Logger,
  work: (events: Events) => Promise<void>,
): Promise<void> {
  const events = eventsTo(request, response);
  try {
    await work(events);
  } catch (error) {
    if (!response.headersSent) throw error;
    const problem = problemOf(error) ?? unexpectedProblem();
    if (problem.isFailure) log.error({ err: error }, 'a call that sends events failed');
    addFacts(response, { code: problem.code });
    events.send('error', problem.json());
  }
  finish(response);
}

/** The headers of a stream, which one without any event has too. */
function begin(response: Response): void {
  if (!response.headersSent) response.setHeader('content-type', eventStream).setHeader('cache-control', 'no-store');
}

/** Ends a stream that the client still follows. */
function finish(response: Response): void {
  if (isOver(response)) return;
  begin(response);
  response.end();
}

function isOver({ destroyed, writableEnded }: Response): boolean {
  return destroyed || writableEnded;
}

function eventsTo(request: Request, response: Response): Events {
  const stream = new AbortController();
  stream.signal.addEventListener('abort', () => {
    if (response.writableNeedDrain) response.destroy();
    else finish(response);
  });
  response.once('close', () => stream.abort());
  if (isOver(response)) stream.abort();
  const write = (text: string): void => {
    if (isOver(response)) return;
    begin(response);
    response.write(text);
  };
  return {
    lastId: request.get('last-event-id') || null,
    stream,
    send: (event, data) => write(eventText(event, data)),
    write: (text) => {
      write(text);
      return drained(response, stream);
    },
  };
}

/** Waits at least one turn of the event loop, until the written data is sent or the answer is over. */
async function drained(response: Response, { signal }: AbortController): Promise<void> {
  if (response.writableNeedDrain && !signal.aborted) await once(response, 'drain', { signal }).catch(() => undefined);
  await nextTurn();
}
