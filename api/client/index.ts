import { randomUUID } from 'node:crypto';
import { signHeaders } from '../signing/signature/sign-request.ts';
import type { RequestToSign, SignRequest, SigningFetch } from './types.ts';

export type { RequestToSign, SigningFetch, SigningFetchOptions, SignRequest, TppCredentials } from './types.ts';

const replaced: readonly string[] = ['signature', 'tpp-signature-certificate'];

export const signRequest: SignRequest = ({ method, url, headers = {}, body, date = new Date(), ...tpp }) => {
  const given = Symbol.iterator in headers ? [...headers] : Object.entries(headers);
  const kept = Object.fromEntries(given.filter(([name]) => !replaced.includes(name.toLowerCase())));
  // Only path and query are signed, so any origin will do.
  const { pathname, search } = new URL(url, 'http://bank.invalid');
  const signature = signHeaders({
    method,
    target: pathname + search,
    headers: kept,
    body: bytesOf(body),
    certificate: pemOf('certificate', tpp.certificate),
    key: pemOf('key', tpp.key),
    date: date.getTime(),
    requestId: randomUUID(),
    coverRequestTarget: tpp.signRequestTarget ?? false,
  });
  return { ...kept, ...signature };
};

/** An object would be signed as if there were no body. */
function bytesOf(body: RequestToSign['body']): Uint8Array {
  if (typeof body === 'string') return new TextEncoder().encode(body);
  const bytes = body ?? new Uint8Array();
  if (ArrayBuffer.isView(bytes)) return bytes;
  throw new Error('The body is neither a text nor a Uint8Array: sign the text of the JSON that you send.');
}

/** Checks a PEM text first, because errors of node:crypto name neither the certificate nor the key. */
function pemOf(what: string, text: string): string {
  if (typeof text === 'string' && text.includes('-----BEGIN ')) return text;
  throw new Error(
    `The ${what} is no PEM: expected a text with -----BEGIN ${what === 'key' ? 'PRIVATE KEY' : 'CERTIFICATE'}-----.`,
  );
}

export const signingFetch: SigningFetch = ({ base, ...tpp }) => {
  return async (input, init) => {
    const isPath = typeof input === 'string' && input.startsWith('/');
    const request = new Request(isPath && base !== undefined ? base.replace(/\/$/, '') + input : input, init);
    const { method, url, headers } = request;
    const body = request.body === null ? null : new Uint8Array(await request.arrayBuffer());
    // The headers of a Request are already in lower case.
    const signed = signRequest({ ...tpp, method, url, headers, body });
    return fetch(new Request(request, { headers: signed, ...(body !== null && { body }) }));
  };
};
