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
