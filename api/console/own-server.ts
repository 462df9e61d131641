import { Problem } from '../pipeline/problem.ts';
import { reasonOf } from '../start/error-text.ts';

/** How a server reaches itself. */
export interface OwnServer {
  /** Without a slash at the end. */
  readonly address: string;
  readonly token: string | null;
  /** Aborted when the server stops. */
  readonly stopping?: AbortSignal;
  /** Reaches the server, by default over its port. */
  readonly fetch?: typeof fetch;
}

interface OwnCall {
  readonly method: string;
  /** Path below the address. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The body, which is sent as JSON. Undefined if the call has none. */
  readonly body?: unknown;
}

/** Time limit of a call to the server itself, in ms. */
const ownCallLimitMs = 30_000;

/**
 * Calls the server over HTTP, as a client does. `type`: the content type of the answer; `content`: its JSON, or the text of another type. Throws a
 * Problem, 503, if the server does not answer.
 */
export async function callOwnServer(
  { address, token, stopping, fetch: send = fetch }: OwnServer,
  { method, path, headers = {}, body }: OwnCall,
) {
  const limit = AbortSignal.timeout(ownCallLimitMs);
  const authorization = token === null ? {} : { authorization: `Bearer ${token}` };
  const answer = await send(address + path, {
    method,
    headers: { ...headers, ...authorization, 'content-type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
    signal: stopping === undefined ? limit : AbortSignal.any([stopping, limit]),
  }).catch((error: unknown) => {
    throw new Problem({ status: 503, detail: `The server does not reach itself at ${address}${reasonOf(error)}.` });
  });
  const text = await answer.text();
  const type = answer.headers.get('content-type') ?? '';
  const content: unknown = /json/.test(type) && text !== '' ? JSON.parse(text) : text;
  return { status: answer.status, type, content };
}
