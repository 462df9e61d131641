import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/** How many ports above the one that is taken are tried before the system chooses. */
const triedAbove = 10;

/**
 * A port of `host` that is free now: one shortly above `taken`, else one that the system chooses;
 * 0, which takes a free one, if there is no other (control-plane.md C34).
 */
export async function freePortNear(taken: number, host: string): Promise<number> {
  const above = Array.from({ length: triedAbove }, (_, index) => taken + 1 + index).filter((port) => port < 65_536);
  for (const port of [...above, 0]) {
    const free = await listened(port, host);
    if (free !== null) return free;
  }
  return 0;
}

/** Listens on the port for a moment. The port that it got; null if it cannot. */
async function listened(port: number, host: string): Promise<number | null> {
  const server = createServer();
  try {
    await once(server.listen(port, host), 'listening');
  } catch {
    return null;
  }
  const got = (server.address() as AddressInfo).port;
  server.close();
  await once(server, 'close');
  return got;
}
