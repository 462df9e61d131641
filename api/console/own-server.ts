import { Problem } from '../pipeline/problem.ts';
import { reasonOf } from '../start/error-text.ts';

/** How a server reaches itself. */
export interface OwnServer {
  /** Without a slash at the end. */
  readonly address: string;
  readonly token: string | null;
  /** Aborted when the server stops. */
  readonly stopping: AbortSignal;
  /** Reaches the server, by default over its port. */
  readonly fetch?: typeof fetch;
}

/** Time limit of a call to the server itself, in ms. */
const ownCallLimitMs = 30_000;

/**
 * Reads from the control plane of any bank of the server over HTTP, as a client does; `path` is below the address. Throws a Problem with what is
 * refused, 503 if the server does not answer.
 */
export async function askOwnServer<Answer>(
  { address, token, stopping, fetch: send = fetch }: OwnServer,
  path: string,
): Promise<Answer> {
  const headers = token === null ? {} : { authorization: `Bearer ${token}` };
  const signal = AbortSignal.any([stopping, AbortSignal.timeout(ownCallLimitMs)]);
  const answer = await send(address + path, { headers, signal }).catch((error: unknown) => {
    throw new Problem({ status: 503, detail: `The server does not reach itself at ${address}${reasonOf(error)}.` });
  });
  if (answer.ok) return (await answer.json()) as Answer;
  const { detail } = (await answer.json()) as { readonly detail: string };
  throw new Problem({ status: answer.status, detail });
}
