import { jsonOr } from '../../engine/values/json-text.ts';
import { createServer, request, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import express, { type Express, type RequestHandler } from 'express';
import type { AtDoor, ToldTpp } from '../control/payments/make-payment.ts';
import type { Journal } from '../journal/journal.ts';
import { endsConnection } from '../pipeline/fault-effect.ts';
import { pairWith } from '../pipeline/own-connection.ts';
import { factsOf } from '../pipeline/request-log.ts';
import { Problem } from '../pipeline/problem.ts';
import { reasonOf } from '../start/error-text.ts';

interface OwnDoorOptions {
  /** Where the bank is mounted: empty, or `/banks/{name}`. */
  readonly base: string;
  /** The control token, if the server has one. */
  readonly token: string | null;
  /** Knows which payment a call has changed. */
  readonly journal: Pick<Journal, 'paymentOf'>;
}

/**
 * The unsigned door of the bank that `routes` routes, for the bank's own calls: they pass everything that a plain
 * request to it passes.
 */
export function ownDoor(routes: () => RequestHandler, { base, token, journal }: OwnDoorOptions): AtDoor {
  let app: Express | null = null;
  const opened = (): Express => {
    const door = express().disable('x-powered-by').disable('etag');
    return door.use(base === '' ? '/' : base, routes());
  };
  return ({ address }, { tpp, path, headers, body }) => {
    const { host, protocol } = new URL(address);
    const content = body === undefined ? '' : JSON.stringify(body);
    let answering: ServerResponse | null = null;
    const to = createServer((asked, response) => {
      answering = response;
      app ??= opened();
      app(asked, response);
    });
    return new Promise<ToldTpp>((resolve, reject) => {
      const told = (status: number | null, received: unknown): void => {
        const fault = answering === null ? undefined : factsOf(answering).fault;
        const paymentId = answering === null ? null : journal.paymentOf(answering);
        resolve({ status, body: received, fault, paymentId });
      };
      const broken = (error: unknown): void => {
        if (answering !== null && endsConnection(factsOf(answering).fault)) told(null, null);
        else reject(new Problem({ status: 503, detail: `The call of the TPP got no answer${reasonOf(error)}.` }));
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
          const { statusCode = 500 } = answer;
          text(answer).then((received) => told(statusCode, jsonOr(received, received)), broken);
        })
        .once('error', broken)
        .end(content);
    });
  };
}
