import type { Request } from 'express';

const host = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d{1,5})?$/i;

/** Paths of the interface below a bank. */
export const interfacePath = /^(?:\/api-sandbox)?\/v1(?=\/|$)/;

/** A name of 253 characters and a port. */
const maxHost = 259;

/** Whether a text is a host name or an IP address, perhaps with a port, as in a Host header. */
export function isHost(text: string): boolean {
  return host.test(text) && URL.canParse(`http://${text}`);
}

/**
 * The parts of a request target in absolute form (RFC 9112, 3.2.2), or null for another form. The target begins with a
 * slash.
 */
export function absoluteForm(url: string): { readonly host: string; readonly target: string } | null {
  const [, host, below = ''] = /^https?:\/\/([^/?]*)([/?].*)?$/is.exec(url) ?? [];
  return host === undefined ? null : { host, target: below.startsWith('/') ? below : `/${below}` };
}

/** The address that a request asked, by its Host header; `own` if the header is missing or names no host. */
export function askedAddress(request: Request, own: string): string {
  return hostAddress(request.headers.host, own, request.protocol);
}

/** The address that a Host header names; `own` if the header is missing, names no host or is too long. */
export function hostAddress(host = '', own: string, protocol = /^https?/.exec(own)?.[0]): string {
  return host.length <= maxHost && isHost(host) ? `${protocol}://${host}` : own;
}

/** The addresses of all interfaces, as in a URL, and the address that reaches such a server from the same machine. */
const everywhere: ReadonlyMap<string, string> = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['[::]', '::1'],
]);

/**
 * The address of the server for programs on the same machine, even if it listens on all interfaces; no slash at the
 * end.
 */
export function serverAddress({
  host,
  port,
  tls = false,
}: {
  readonly host: string;
  readonly port: number;
  readonly tls?: boolean;
}): string {
  return addressOf(reachedHost(host), port, tls ? 'https' : 'http');
}

/** The host by which a program on the same machine reaches a server that listens on `host`. */
export function reachedHost(host: string): string {
  const address = addressOf(host, 80);
  // A URL has an address in its usual form: 0 and 000.0.0.0 are 0.0.0.0.
  return (URL.canParse(address) ? everywhere.get(new URL(address).hostname) : undefined) ?? host;
}

/** The address of a host, IPv6 in brackets; no slash at the end. */
export function addressOf(host: string, port: number, protocol: 'http' | 'https' = 'http'): string {
  return `${protocol}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Whether only programs on the same machine reach a server at this http address: localhost, 127.0.0.0/8 and ::1. */
export function isLoopback(address: string): boolean {
  // An address with a zone, such as fe80::1%eth0, is no URL.
  if (!URL.canParse(address)) return false;
  // A URL has an IP address in its usual form: 127.1 is 127.0.0.1.
  const { hostname } = new URL(address);
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}
