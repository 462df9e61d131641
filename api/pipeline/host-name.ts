import type { IncomingMessage } from 'node:http';
import { Refusal } from '../../engine/values/fault.ts';
import type { Request } from 'express';

const host = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d{1,5})?$/i;

/** A name of 253 characters and a port. */
const longestHost = 259;

/** Checks whether a text is a host name or IP address, with or without a port, as in a Host header. */
export function isHost(text: string): boolean {
  return host.test(text) && URL.canParse(`http://${text}`);
}

/** Address that a request was sent to, by its Host header; `own` when the header is missing or names no host. */
export function askedAddress(request: Request, own: string): string {
  return hostAddress(request.headers.host, own, request.protocol);
}

/** Address of a Host header; `own` when it is missing, names no host or is longer than a name can be. */
export function hostAddress(host = '', own: string, protocol = 'http'): string {
  return host.length <= longestHost && isHost(host) ? `${protocol}://${host}` : own;
}

/** Refusal for a request with two Host headers (docs/spec/control-plane.md C2): who reads it would decide which host it asks. Null: it has one, or none. */
export function hostFault({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): Refusal | null {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  if (hosts < 2) return null;
  const text = `The header Host was sent ${hosts} times. Send it once.`;
  return new Refusal({ code: 'BAD_REQUEST', path: 'host', text });
}
