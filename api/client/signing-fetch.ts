import { signRequest } from './sign-request.ts';
import type { SigningFetch } from './types.ts';

export const signingFetch: SigningFetch = ({ base, ...tpp }) => {
  return async (input, init) => {
    const isPath = typeof input === 'string' && input.startsWith('/');
    const request = new Request(isPath && base !== undefined ? base.replace(/\/$/, '') + input : input, init);
    const { method, url, headers } = request;
    const body = request.body === null ? null : new Uint8Array(await request.arrayBuffer());
    // As it is: the headers of a Request are in lower case already.
    const signed = signRequest({ ...tpp, method, url, headers, body });
    return fetch(new Request(request, { headers: signed, ...(body !== null && { body }) }));
  };
};
