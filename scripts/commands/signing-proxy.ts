import { once } from 'node:events';
import {
  type ClientRequest,
  createServer,
  type IncomingMessage,
  request as overHttp,
  type Server,
  type ServerResponse,
} from 'node:http';
import { request as overHttps } from 'node:https';
import { pipeline } from 'node:stream/promises';
import type { Instant } from '../../engine/values/instant.ts';
import { absoluteForm } from '../../api/pipeline/addresses.ts';
import { Problem } from '../../api/pipeline/problem.ts';
import type { SiteCheck } from '../../api/pipeline/own-site.ts';
import { completeHeaders, signatureSent, signPlainRequest } from '../../api/signing/plain-request.ts';
import { headerPairs } from '../../api/signing/signature/signing-string.ts';
import { landingOf } from '../../api/signing/test-tpp.ts';
import type { Credentials } from '../../api/signing/signature/sign-request.ts';
import { reasonOf, tlsAdvice } from '../../api/start/error-text.ts';
import type { ProxyRecording } from './proxy-recording.ts';

interface ProxyOptions {
  /** Requests go here. Their path is appended to its path. */
  readonly target: URL;
  readonly tpp: Credentials;
  readonly site: SiteCheck;
  /** The wall clock. */
  readonly now: () => Instant;
  /** The time by which the bank of this address judges Date. */
  readonly signedAt: (url: URL) => Promise<Instant>;
  /** Records the calls of the interface. Signed requests pass unchanged and are recorded too. */
  readonly recorder?: ProxyRecording | undefined;
}

/** Largest body that is passed on, in bytes: more than the bank takes (rules.md E2), so that its refusal is seen. */
const bodyLimit = 16 * 1024 * 1024;

/** Headers of one connection (RFC 9110 7.6.1), and those that the next connection sets itself. */
const ofConnection = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
  'host',
]);

/** The paths of the interface, as banks publish them and as a Sandbank has them. */
const interfacePath = /^(?:\/banks\/[^/?]+)?(?:\/api(?:-sandbox)?)?(?=\/v1(?:[/?]|$))/;
/** A call through the unsigned door of a Sandbank, which signs it itself. */
const doorPath = /^(?:\/banks\/[^/?]+)?\/sandbox\/as\/[^/?]+\/v1(?:[/?]|$)/;

/**
 * A server that signs requests under `/v1` as this TPP, as the unsigned door does, and passes them on; other paths go
 * on as they are. Its own refusals are application/problem+json: 403 for a foreign Host or Origin, 400 for a request
 * that is signed already, 413, and 502 when the target does not answer.
 */
export function signingProxy(options: ProxyOptions): Server {
  return createServer((request, response) => {
    forward(request, response, options).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else
        refuse(
          response,
          error instanceof Problem
            ? error
            : new Problem({ status: 400, detail: `The request broke off${reasonOf(error)}` }),
        );
    });
  });
}

async function forward(request: IncomingMessage, response: ServerResponse, options: ProxyOptions): Promise<void> {
  const foreign = options.site(request);
  if (foreign !== null) throw new Problem({ status: 403, detail: foreign.text });
  const { method = 'GET', url = '' } = request;
  // An absolute address, as of a client with this proxy as its HTTP proxy, is for the target as well.
  const path = absoluteForm(url)?.target ?? url;
  const whole = options.target.pathname.replace(/\/$/, '') + path;
  const { recorder } = options;
  const isOfInterface = interfacePath.test(path);
  const isRecorded = recorder !== undefined && (isOfInterface || doorPath.test(path));
  const signature = isOfInterface ? signatureSent(request.headers) : undefined;
  if (signature !== undefined && recorder === undefined) {
    const text = `The request has the header ${signature}, and the proxy signs itself. Leave it out, or send it to the bank.`;
    throw new Problem({ status: 400, detail: text });
  }
  const body = await readBody(request);
  const raw =
    isOfInterface && signature === undefined
      ? await signed({ method, target: whole, body }, request.rawHeaders, options)
      : request.rawHeaders;
  // An answer is recorded as plain text.
  const sent = passedOn(raw, ['content-length', ...(isRecorded ? ['accept-encoding'] : [])]);
  const length = body.length === 0 && ['GET', 'HEAD'].includes(method) ? [] : ['Content-Length', String(body.length)];
  const headers = [...sent, 'Host', options.target.host, ...length];
  const send = options.target.protocol === 'https:' ? overHttps : overHttp;
  // A connection of its own: one that is kept may end while it is used again.
  const onward = send(options.target, { method, path: whole || '/', headers, agent: false });
  const chunks: Buffer[] = [];
  const startedAt = options.now();
  const answered = answer(onward, response, options.target, isRecorded ? chunks : null);
  onward.end(body);
  const received = await answered;
  if (!isRecorded) return;
  if (received === null) return recorder.take('its answer broke off, or has more than 16 MB');
  recorder.take({
    method,
    url: options.target.origin + whole,
    rawHeaders: headers,
    body,
    status: received.statusCode ?? 502,
    answerHeaders: passedOn(received.rawHeaders),
    answer: Buffer.concat(chunks),
    startedAt,
    took: options.now() - startedAt,
  });
}

async function signed(
  request: { readonly method: string; readonly target: string; readonly body: Buffer },
  rawHeaders: readonly string[],
  { target, tpp, signedAt }: ProxyOptions,
): Promise<string[]> {
  const headers = completeHeaders({ ...request, rawHeaders }, landingOf(target.origin, request.target));
  return signPlainRequest(request, headers, tpp, await signedAt(new URL(target.origin + request.target)));
}

/**
 * Passes the answer on as it comes, and keeps its body where there are `chunks` for it. Returns null if it broke off,
 * or is too large to keep. Rejects with a Problem when the target did not answer.
 */
async function answer(
  onward: ClientRequest,
  response: ServerResponse,
  target: URL,
  chunks: Buffer[] | null,
): Promise<IncomingMessage | null> {
  response.once('close', () => {
    if (!response.writableFinished) onward.destroy();
  });
  // What breaks off behind the headers ends the pipeline too.
  onward.on('error', () => undefined);
  const [received] = (await once(onward, 'response').catch((error: unknown) => {
    if (response.destroyed) return [];
    throw new Problem({ status: 502, detail: `No answer from ${target.origin}${reasonOf(error)}.${tlsAdvice(error)}` });
  })) as [IncomingMessage?];
  if (received === undefined) return null;
  response.writeHead(received.statusCode ?? 502, received.statusMessage, passedOn(received.rawHeaders));
  // Headers at once: the events of an advance come later.
  response.flushHeaders();
  let size = 0;
  if (chunks !== null)
    received.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= bodyLimit) chunks.push(chunk);
    });
  const isWhole = await pipeline(received, response).then(
    () => true,
    () => false,
  );
  if (!isWhole) response.destroy();
  return isWhole && size <= bodyLimit ? received : null;
}

/** Without the headers of the connection, and without these others. */
function passedOn(rawHeaders: readonly string[], others: readonly string[] = []): string[] {
  const pairs = headerPairs(rawHeaders);
  const named = pairs.filter(([name]) => name.toLowerCase() === 'connection').flatMap(([, value]) => value.split(','));
  const left = new Set([...ofConnection, ...others, ...named.map((name) => name.trim().toLowerCase())]);
  return pairs.filter(([name]) => !left.has(name.toLowerCase())).flat();
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  // Left open when it is too large, for the answer.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > bodyLimit)
      throw new Problem({
        status: 413,
        detail: `The body is too large: the proxy passes on ${bodyLimit} bytes at most.`,
      });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function refuse(response: ServerResponse, problem: Problem): void {
  response.writeHead(problem.facts.status, { 'content-type': 'application/problem+json', connection: 'close' });
  response.end(JSON.stringify(problem.json()));
}
