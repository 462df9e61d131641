import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { SendOptions, Tpp } from 'sandbank';

/* What the clients share: which mistakes are planted, and how a call is made. */

const planted: readonly string[] = (process.env['PLANTED'] ?? '').split(',');

/** Whether this mistake is planted in the clients. */
export function has(mistake: string): boolean {
  return planted.includes(mistake);
}

export interface Answered {
  readonly status: number;
  readonly type: string;
  readonly headers: Headers;
  readonly text: string;
  // A client reads JSON whose type it does not know.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
}

const late = new Error('The bank does not answer.');

/** How long a client waits for an answer, in ms. */
const patience = 8_000;

/**
 * Makes a call. A careful client sends it again, with the same X-Request-ID, until it gets an answer of the bank: not of a gateway, and whole.
 */
export async function ask(
  tpp: Tpp,
  path: string,
  sent: SendOptions = {},
  { most = 3 }: { readonly most?: number } = {},
): Promise<Answered> {
  let requestId = randomUUID();
  for (let tries = 1; ; tries += 1) {
    try {
      const headers = { ...sent.headers, 'x-request-id': requestId };
      const answer = await Promise.race([tpp.fetch(path, { ...sent, headers }), tooLate()]);
      const type = answer.headers.get('content-type') ?? '';
      const text = await answer.text();
      const whole = { status: answer.status, type, headers: answer.headers, text };
      if (has('parses each answer as JSON')) return { ...whole, body: JSON.parse(text || 'null') };
      // The bank has left this address.
      if (answer.status === 404 && !isJson(type)) return { ...whole, body: null };
      if (text !== '' && !isJson(type)) throw new Error(`${answer.status} of a gateway`);
      return { ...whole, body: text === '' ? null : JSON.parse(text) };
    } catch (error) {
      const isHasty = error === late && has('gives up after two seconds');
      if (isHasty || tries === most || (error instanceof SyntaxError && has('parses each answer as JSON'))) throw error;
      if (has('sends again with a new X-Request-ID')) requestId = randomUUID();
      if (tries === 2 && has('has a new X-Request-ID for the third try')) requestId = randomUUID();
      await wait(50);
    }
  }
}

function isJson(type: string): boolean {
  if (has('compares the whole content type')) return type === 'application/json; charset=utf-8';
  return /^application\/json\b/i.test(type);
}

async function tooLate(): Promise<never> {
  await wait(has('gives up after two seconds') ? 2_000 : patience, undefined, { ref: false });
  throw late;
}
