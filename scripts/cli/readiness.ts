import { text } from 'node:stream/consumers';
import { isLoopback } from '../../api/pipeline/addresses.ts';

/** Time limit of an answer, in ms. */
const answerTimeoutMs = 2_000;

interface Readiness {
  /** The server's answer to `/ready`, or our own words in the same form: the status of no Sandbank is null. */
  readonly state: { readonly status: unknown; readonly detail?: unknown };
  /** Why it is not ready. */
  readonly problem: string | null;
}

/** Asks the server at this address whether it is ready, and whether it has the bank at the path. */
export async function readinessOf(address: string, path = ''): Promise<Readiness> {
  const unready = (detail: string): Readiness => ({ state: { status: null, detail }, problem: detail });
  try {
    const answer = await probe(`${address}/ready`);
    const state: unknown = await answer.json().catch(() => null);
    if (typeof state !== 'object' || state === null || !('status' in state))
      return unready(`what answers at ${address} (${answer.status}) does not look like a Sandbank`);
    const status = String(state.status);
    if (status !== 'ready')
      return { state, problem: 'detail' in state ? `${status}: ${String(state.detail)}` : status };
    // The probes belong to the server: a bank is asked for its page.
    if (path !== '' && (await probe(`${address}${path}/`)).status === 404)
      return unready(`the server at ${address} has no bank ${path.slice('/banks/'.length)}`);
    return { state, problem: null };
  } catch {
    return unready(`nothing answers at ${address}`);
  }
}

/** Asks on this machine whatever the certificate: that of a server may be for its name in the network. */
async function probe(url: string): Promise<Response> {
  const signal = AbortSignal.timeout(answerTimeoutMs);
  if (!url.startsWith('https:') || !isLoopback(url)) return fetch(url, { signal });
  const { get } = await import('node:https');
  return new Promise((resolve, reject) => {
    get(url, { rejectUnauthorized: false, signal }, (answer) => {
      text(answer).then((body) => resolve(new Response(body, { status: answer.statusCode ?? 500 })), reject);
    }).once('error', reject);
  });
}
