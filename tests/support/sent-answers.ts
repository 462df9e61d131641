import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { noQuirks, type Quirks } from '../../engine/bank/rules/quirk.ts';
import { shapingOf } from '../../api/pipeline/shaping.ts';

/** An answer of a server in this process. */
export interface SeenAnswer {
  readonly method: string;
  /** Path and query, as the bank read it at last: the unsigned door changes it. */
  readonly target: string;
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
  /** What was asked: headers by names in lower case, and a body, empty if there was none or it was not read. */
  readonly asked: { readonly headers: IncomingMessage['headers']; readonly body: string };
  /** The quirks of its bank, if it is an answer of the interface. */
  readonly quirks: Quirks;
}

interface Started {
  readonly request: IncomingMessage & { readonly originalUrl?: string; readonly body?: unknown };
  readonly response: ServerResponse;
}

const channel = 'http.server.request.start';

/** Tells every answer of the express servers in this process as it was sent, whoever made it. Returns how to stop. */
export function seeAnswers(hear: (answer: SeenAnswer) => void): () => void {
  const see = (message: unknown): void => {
    const { request, response } = message as Started;
    const chunks: Buffer[] = [];
    const keep = (chunk: unknown): void => {
      if (typeof chunk === 'string') chunks.push(Buffer.from(chunk));
      else if (chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
    };
    const { write, end } = response;
    response.write = (...sent: unknown[]) => {
      keep(sent[0]);
      return Reflect.apply(write, response, sent) as boolean;
    };
    response.end = (...sent: unknown[]) => {
      keep(sent[0]);
      // What is answered to a client that has gone is not sent.
      const isGone = response.destroyed;
      const ended = Reflect.apply(end, response, sent) as ServerResponse;
      // Express sets it; a server without it stands for somebody else's.
      if (request.originalUrl === undefined || isGone) return ended;
      hear({
        method: request.method ?? '',
        target: request.originalUrl,
        status: response.statusCode,
        contentType: String(response.getHeader('content-type') ?? ''),
        body: Buffer.concat(chunks).toString(),
        asked: {
          headers: request.headers,
          body: Buffer.isBuffer(request.body) ? request.body.toString() : '',
        },
        quirks: shapingOf(response)?.quirks ?? noQuirks,
      });
      return ended;
    };
  };
  subscribe(channel, see);
  return () => void unsubscribe(channel, see);
}
