import type { Config } from '../start/config.ts';

/** The addresses of all interfaces, as in a URL, and the address that reaches such a server from the same machine. */
const everywhere: ReadonlyMap<string, string> = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['[::]', '::1'],
]);

/** The address of the server for programs on the same machine, even if it listens on all interfaces; no slash at the end. */
export function serverAddress({ host, port }: Pick<Config, 'host' | 'port'>): string {
  return addressOf(reachedHost(host), port);
}

/** The host by which a program on the same machine reaches a server that listens on `host`. */
export function reachedHost(host: string): string {
  const address = addressOf(host, 80);
  // A URL has an address in its usual form: 0 and 000.0.0.0 are 0.0.0.0.
  return (URL.canParse(address) ? everywhere.get(new URL(address).hostname) : undefined) ?? host;
}

/** http address of a host, IPv6 in brackets; no slash at the end. */
export function addressOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Whether only programs on the same machine reach a server at this http address: localhost, 127.0.0.0/8 and ::1. */
export function isLoopback(address: string): boolean {
  // An address with a zone, such as fe80::1%eth0, is no URL.
  if (!URL.canParse(address)) return false;
  // A URL has an IP address in its usual form: 127.1 is 127.0.0.1.
  const { hostname } = new URL(address);
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}
