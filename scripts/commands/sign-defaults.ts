import { randomIds } from '../../engine/bank/ids.ts';
import { WrongUse } from '../cli/command.ts';

const signersOwn = ['date', 'digest', 'tpp-signature-certificate', 'signature'];

/** The caller's headers, each `Name: value`, over the defaults, by lower-case name. */
export function chooseHeaders(given: readonly string[], method: string, url: URL, body: Buffer): Map<string, string> {
  const headers = new Map(Object.entries(defaultHeaders(method, url, body)));
  for (const line of given) {
    const [, name, rest] = /^([!#$%&'*+.^_`|~\w-]+):(.*)$/s.exec(line) ?? [];
    if (name === undefined || rest === undefined) throw new WrongUse(`-H '${line}' is not of the form 'Name: value'`);
    const value = rest.trimStart();
    if (signersOwn.includes(name.toLowerCase())) throw new WrongUse(`-H '${line}': the signer sets this header`);
    if (value === '') headers.delete(name.toLowerCase());
    else headers.set(name.toLowerCase(), value);
  }
  return headers;
}

function defaultHeaders(method: string, url: URL, body: Buffer): Record<string, string> {
  const periodic = method === 'POST' && /\/v1\/periodic-payments\/[^/]+$/.test(url.pathname);
  return {
    'x-request-id': randomIds.uuid(),
    accept: 'application/json',
    ...(body.length === 0 ? {} : { 'content-type': 'application/json' }),
    ...(url.pathname.includes('/v1/sandbox/')
      ? {}
      : {
          'tpp-redirect-uri': 'https://tpp.example/callback',
          'psu-ip-address': '127.0.0.1',
          'tpp-session-id': randomIds.uuid(),
        }),
    ...(periodic ? { 'x-accept-fix': 'none' } : {}),
  };
}
