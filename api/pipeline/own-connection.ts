import { request as overHttp, type IncomingMessage, type Server } from 'node:http';
import { once } from 'node:events';
import { type Duplex, duplexPair } from 'node:stream';
import { buffer } from 'node:stream/consumers';

/** Connects to a server of this process without a port: over a pair of streams, parsed like those of a socket. `isTls`: its links are https. */
export function pairWith(server: Server, { isTls = false } = {}): Duplex {
  const [near, far] = duplexPair();
  server.emit('connection', isTls ? Object.assign(far, { encrypted: true }) : far);
  return near;
}

/** A `fetch` of a server of this process whose links are https: it needs no certificate. */
export function fetchWithin(server: Server): typeof fetch {
  return async (input, init) => {
    const asked = new Request(input, init);
    const { method, signal } = asked;
    const { host, pathname, search } = new URL(asked.url);
    const sent = overHttp({
      method,
      path: pathname + search,
      headers: { ...Object.fromEntries(asked.headers), host },
      createConnection: () => pairWith(server, { isTls: true }),
      signal,
    });
    sent.end(Buffer.from(await asked.arrayBuffer()));
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    const body = await buffer(answer);
    const headers = new Headers();
    for (const [name, value] of Object.entries(answer.headers)) headers.set(name, String(value));
    return new Response(body.length === 0 ? null : body, { status: answer.statusCode ?? 500, headers });
  };
}
