import { createServer, type Server } from 'node:http';
import { type Duplex, duplexPair } from 'node:stream';
import express, { type ErrorRequestHandler, type Router } from 'express';
import { Refusal } from '../../engine/values/fault.ts';
import type { SignatureCheck } from '../signing/signature-check.ts';
import type { Endpoint } from './endpoint.ts';
import { unreadBody } from './read-body.ts';
import { clearTimeout, setTimeout } from '../../engine/time/clock.ts';

/** A request of the interface, as a client would send it. */
export interface RequestToJudge {
  readonly method: string;
  readonly target: string;
  /** Header lines, one byte a character, without line breaks at their ends. */
  readonly lines: readonly string[];
  readonly body: Uint8Array;
}

export interface Judgement {
  /** It is null if the bank would carry the request out. */
  readonly refusal: Refusal | null;
  /** Id of the TPP once the signature check has passed (rules.md G8). */
  readonly tpp: string | null;
}

/** Makes the interface of a bank with other endpoints and another signature check. */
type InterfaceOf = (endpoints: readonly Endpoint[], checkSignature: SignatureCheck) => Router;

interface Waiting {
  readonly resolve: (judgement: Judgement) => void;
  readonly reject: (error: unknown) => void;
}

/** Thrown in place of the work of an endpoint: the request passed all checks before it. */
const passed = new Error('the request passed');

/** How long the bank may take to judge a request. */
const judgeMs = 5_000;

/** Headers of the client's connection, which are not used here. */
const ofConnection = /^(?:connection|content-length|expect|keep-alive|transfer-encoding|upgrade)[ \t]*:/i;
const isHost = /^host[ \t]*:/i;

/**
 * Judges requests as a bank would, with its own parser and all checks of rules.md G1, but does not carry them out.
 * `faultOf` makes the refusal of a request that the parser refuses (rules.md G9).
 */
export class DryRun {
  readonly #server: Server;
  readonly #waiting = new WeakMap<object, Waiting>();
  /** By rawHeaders, an array that each request has for itself. */
  readonly #signers = new WeakMap<readonly string[], string>();

  constructor(
    options: {
      readonly endpoints: readonly Endpoint[];
      readonly checkSignature: SignatureCheck;
      readonly interfaceOf: InterfaceOf;
    },
    faultOf: (error: Error) => Refusal,
  ) {
    const { endpoints, checkSignature, interfaceOf } = options;
    const idle = endpoints.map((endpoint): Endpoint => ({ ...endpoint, handle: () => Promise.reject(passed) }));
    const app = express().disable('x-powered-by').disable('etag');
    app.use(
      interfaceOf(idle, async (request, now, role) => {
        const tpp = await checkSignature(request, now, role);
        this.#signers.set(request.rawHeaders, tpp.id);
        return tpp;
      }),
    );
    const ended: ErrorRequestHandler = (error: unknown, { socket, rawHeaders }, response, next) => {
      if (response.headersSent) return next(error);
      const refusal = error instanceof Refusal ? error : unreadBody(error);
      if (refusal === null && error !== passed) this.#waiting.get(socket)?.reject(error);
      this.#settle(socket, { refusal, tpp: this.#signers.get(rawHeaders) ?? null });
    };
    app.use(ended);
    this.#server = createServer(app);
    this.#server.on('clientError', (error, socket) => this.#settle(socket, { refusal: faultOf(error), tpp: null }));
  }

  judge({ method, target, lines, body }: RequestToJudge): Promise<Judgement> {
    const own = lines.filter((line) => !ofConnection.test(line));
    const host = lines.some((line) => isHost.test(line)) ? [] : ['Host: localhost'];
    const length = body.length === 0 ? [] : [`Content-Length: ${body.length}`];
    const head = [`${method} ${target} HTTP/1.1`, ...host, ...own, ...length, 'Connection: close'].join('\r\n');
    return new Promise((resolve, reject) => {
      const [near, far] = duplexPair();
      this.#waiting.set(far, { resolve, reject });
      // A request may never end, for example one with a second, smuggled length.
      const timer = setTimeout(() => far.destroy(), judgeMs).unref();
      far.once('close', () => {
        clearTimeout(timer);
        reject(new Refusal({ code: 'BAD_REQUEST', text: 'The request does not come to its end. Send it whole.' }));
      });
      this.#server.emit('connection', far);
      near.on('error', reject).resume();
      near.write(Buffer.concat([Buffer.from(`${head}\r\n\r\n`, 'latin1'), body]));
    });
  }

  #settle(socket: Duplex, judgement: Judgement): void {
    this.#waiting.get(socket)?.resolve(judgement);
    socket.destroy();
  }
}
