import type { Config } from '../start/config.ts';

const everywhere: ReadonlyMap<string, string> = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '::1'],
]);

/** Address of the server for programs on the same machine; no slash at the end. */
export function serverAddress({ host, port }: Pick<Config, 'host' | 'port'>): string {
  return addressOf(everywhere.get(host) ?? host, port);
}

/** http address of a host, IPv6 in brackets; no slash at the end. */
export function addressOf(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
