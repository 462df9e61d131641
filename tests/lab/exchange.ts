import { Agent, type IncomingMessage, request } from 'node:http';
import { Agent as TlsAgent, request as requestTls } from 'node:https';
import type { Socket } from 'node:net';

/** What was answered. */
export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** What a client got of an answer: all of it, its beginning, or nothing, as the connection closed or the client gave up before it began. */
export interface Attempt extends Answered {
  readonly got: 'whole' | 'cut' | 'nothing';
  /** What broke it. */
  readonly problem?: Error | undefined;
}

interface ToSend {
  readonly method: string;
  /** A header with several values is sent as often. */
  readonly headers: Readonly<Record<string, string | string[]>>;
  /** Left out, or empty: none. */
  readonly body?: Uint8Array | undefined;
  /** The address of this machine that it is sent from. Left out: any. */
  readonly from?: string | undefined;
  /** When aborted, the client gives up and closes its connection. */
  readonly giveUp?: AbortSignal | undefined;
}

const agent = new Agent({ keepAlive: true });
const trusted: string[] = [];
const tlsAgent = new TlsAgent({ keepAlive: true, ca: trusted });

/** Trusts the CA of a bank that speaks TLS, as it says itself. Returns the CA, PEM. */
export async function trustCaOf(address: string): Promise<string> {
  const unsure = new TlsAgent({ rejectUnauthorized: false });
  const { text } = await send(`${address}/sandbox/ca`, { method: 'GET', headers: {} }, unsure);
  trusted.push(text);
  return text;
}
/**
 * In ms. A bank closes a connection that is idle for 5 s: what is sent on it at that moment is not read. A bank in this process that stands
 * still for some seconds meets the end of the 5 s before it reads what came in time.
 */
const longIdle = 2_000;
/** When a connection had its last answer. */
const answered = new WeakMap<Socket, number>();

/** Sends one request and follows no redirect. Takes a third of the time of `fetch`, which the tests would call some ten thousand times. */
export async function exchange(address: string, toSend: ToSend): Promise<Answered> {
  const by = address.startsWith('https:') ? tlsAgent : agent;
  const { got, problem, wasIdle, ...answer } = await send(address, toSend, by);
  if (got === 'nothing' && wasIdle) return exchange(address, toSend);
  if (got !== 'whole') throw problem;
  return answer;
}

/** Sends one request on a connection of its own, and tells what came back, whole or broken. Status 0: none. */
export function attempt(address: string, toSend: ToSend): Promise<Attempt> {
  return send(address, toSend, false);
}

/** `wasIdle`: the bank may have closed the connection meanwhile. */
function send(
  address: string,
  { method, headers, body, from, giveUp }: ToSend,
  by: Agent | false,
): Promise<Attempt & { readonly wasIdle: boolean }> {
  const length = body === undefined || body.length === 0 ? {} : { 'content-length': String(body.length) };
  const own = { accept: '*/*', ...length, ...headers };
  return new Promise((resolve) => {
    let wasIdle = false;
    const options = { method, agent: by, headers: own, localAddress: from, ...(giveUp && { signal: giveUp }) };
    const ask = address.startsWith('https:') ? requestTls : request;
    const sent = ask(address, options, (answer) => {
      const { statusCode: status = 0, socket } = answer;
      const chunks: Buffer[] = [];
      const end = (got: 'whole' | 'cut', problem?: Error): void => {
        answered.set(socket, performance.now());
        const text = Buffer.concat(chunks).toString();
        resolve({ got, status, headers: headersOf(answer), text, problem, wasIdle });
      };
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', (problem) => end('cut', problem)).on('end', () => end('whole'));
      // A stream of events has no end.
      if (answer.headers['content-type']?.startsWith('text/event-stream')) end('whole');
    });
    sent.once('socket', (socket) => {
      const last = answered.get(socket);
      wasIdle = sent.reusedSocket && last !== undefined && performance.now() - last > longIdle;
    });
    const nothing = { got: 'nothing', status: 0, headers: new Headers(), text: '' } as const;
    sent.on('error', (problem) => resolve({ ...nothing, problem, wasIdle }));
    sent.end(body);
  });
}

function headersOf({ headersDistinct }: IncomingMessage): Headers {
  const all = Object.entries(headersDistinct);
  return new Headers(all.flatMap(([name, values = []]) => values.map((value): [string, string] => [name, value])));
}
