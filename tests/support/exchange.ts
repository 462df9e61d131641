import { Agent, type IncomingMessage, request } from 'node:http';

/** What was answered. */
export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export interface ToSend {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Left out, or empty: none. */
  readonly body?: Uint8Array | undefined;
}

/** In ms. A bank closes a connection that is idle for 5 s: what is sent on it at that moment is lost. */
const longIdle = 1_000;
const agent = new Agent({ keepAlive: true, agentKeepAliveTimeoutBuffer: 4_000 });
let used = performance.now();

/** Sends one request and follows no redirect. Takes a third of the time of `fetch`, which the tests would call some ten thousand times. */
export function exchange(address: string, { method, headers, body }: ToSend): Promise<Answered> {
  const length = body === undefined || body.length === 0 ? {} : { 'content-length': String(body.length) };
  if (performance.now() - used > longIdle) closeIdle();
  return new Promise((resolve, reject) => {
    const sent = request(address, { method, agent, headers: { accept: '*/*', ...length, ...headers } }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', reject);
      answer.on('end', () => {
        used = performance.now();
        const text = Buffer.concat(chunks).toString();
        resolve({ status: answer.statusCode ?? 0, headers: headersOf(answer), text });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** On a busy machine timers come too late for it. */
function closeIdle(): void {
  for (const socket of Object.values(agent.freeSockets).flat()) socket?.destroy();
}

function headersOf({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    headers.append(rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '');
  }
  return headers;
}
