import type { Config } from '../start/config.ts';

const everywhere: ReadonlyMap<string, string> = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '::1'],
]);

/** Where the server of these settings answers a program on the same machine; without a slash at the end. */
export function serverAddress({ host, port }: Pick<Config, 'host' | 'port'>): string {
  return addressOf(everywhere.get(host) ?? host, port);
}

/** The address of a host, in brackets where it is one of IPv6; without a slash at the end. */
export function addressOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
