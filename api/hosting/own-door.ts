import { jsonOr } from '../../engine/values/json-text.ts';
import { createServer, request, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import express, { type RequestHandler } from 'express';
import type { AtDoor, ToldTpp } from '../control/payments/make-payment.ts';
import { pairWith } from '../pipeline/own-connection.ts';
import { Problem } from '../pipeline/problem.ts';
import { reasonOf } from '../start/error-text.ts';

interface OwnDoorOptions {
  /** Where the bank is mounted: empty, or `/banks/{name}`. */
  readonly base: string;
  /** The control token, if the server has one. */
  readonly token: string | null;
}

/** The unsigned door of the bank that `routes` routes, for the bank's own calls: they pass everything that a plain request to it passes. */
export function ownDoor(routes: () => RequestHandler, { base, token }: OwnDoorOptions): AtDoor {
  let server: Server | null = null;
  const opened = (): Server => {
    const app = express().disable('x-powered-by').disable('etag');
    app.use(base === '' ? '/' : base, routes());
    return createServer(app);
  };
  return ({ address }, { tpp, path, headers, body }) => {
    server ??= opened();
    const { host, protocol } = new URL(address);
    const to = server;
    const content = body === undefined ? '' : JSON.stringify(body);
    return new Promise<ToldTpp>((resolve, reject) => {
      const broken = (error: unknown): void => {
        reject(new Problem({ status: 503, detail: `The call of the TPP got no answer${reasonOf(error)}.` }));
      };
      request({
        method: 'POST',
        path: `${base}/sandbox/as/${tpp}${path}`,
        headers: {
          host,
          ...headers,
          ...(token !== null && { authorization: `Bearer ${token}` }),
          ...(content !== '' && { 'content-type': 'application/json' }),
          'content-length': Buffer.byteLength(content),
        },
        createConnection: () => pairWith(to, { isTls: protocol === 'https:' }),
      })
        .once('response', (answer) => {
          const { statusCode: status = 500 } = answer;
          text(answer).then((received) => resolve({ status, body: jsonOr(received, received) }), broken);
        })
        .once('error', broken)
        .end(content);
    });
  };
}
