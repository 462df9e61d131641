import type { Request } from 'express';

const host = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d{1,5})?$/i;

/** A name of 253 characters and a port. */
const maxHost = 259;

/** Whether a text is a host name or an IP address, perhaps with a port, as in a Host header. */
export function isHost(text: string): boolean {
  return host.test(text) && URL.canParse(`http://${text}`);
}

/** The address that a request asked, by its Host header; `own` if the header is missing or names no host. */
export function askedAddress(request: Request, own: string): string {
  return hostAddress(request.headers.host, own, request.protocol);
}

/** The address that a Host header names; `own` if the header is missing, names no host or is too long. */
export function hostAddress(host = '', own: string, protocol = 'http'): string {
  return host.length <= maxHost && isHost(host) ? `${protocol}://${host}` : own;
}
