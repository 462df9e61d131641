import type { Config } from './config.ts';

const everywhere: ReadonlyMap<string, string> = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '::1'],
]);

/** Where the server of these settings answers a program on the same machine; without a slash at the end. */
export function serverAddress({ host, port }: Pick<Config, 'host' | 'port'>): string {
  const name = everywhere.get(host) ?? host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}
