import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { Mistake } from '../../engine/values/mistake.ts';

/** How many ports above the one that is taken are tried before the system chooses. */
const triedAbove = 10;

/** Codes of listen errors that the settings cause. */
const listenProblems = ['EACCES', 'EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'EINVAL'];

/** Listens. Throws a Mistake for what the port and the host cause; for a port that is taken it names a free one. */
export async function listen(
  server: Server,
  { port, host }: { readonly port: number; readonly host: string },
): Promise<void> {
  server.listen(port, host);
  await once(server, 'listening').catch(async (error: NodeJS.ErrnoException) => {
    const { code = '' } = error;
    if (code === 'EADDRINUSE') {
      const free = await freePortNear(port, host);
      throw new Mistake(`${host}:${port} is taken: choose another with --port, such as ${free}, which is free`);
    }
    if (!listenProblems.includes(code)) throw error;
    const names =
      code === 'EACCES'
        ? '--port, or the variable PORT, names the port'
        : '--host, or the variable HOST, names the address';
    throw new Mistake(`cannot listen on ${host}:${port} (${code}): ${names}`);
  });
}

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
