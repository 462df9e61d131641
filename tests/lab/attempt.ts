import { request } from 'node:http';

/** What a client got of an answer. */
export interface Attempt {
  /** `whole`: all of it; `cut`: its beginning; `nothing`: the connection closed, or the client gave up, before it began. */
  readonly got: 'whole' | 'cut' | 'nothing';
  /** Null: no status came. */
  readonly status: number | null;
  readonly contentType: string;
  readonly text: string;
}

interface ToTry {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** When aborted, the client gives up and closes its connection. */
  readonly patience?: AbortSignal;
}

/** Sends one request on a connection of its own, and tells what came back, whole or broken. */
export function attempt(address: string, { method, headers, body, patience }: ToTry): Promise<Attempt> {
  return new Promise((resolve) => {
    const length = body.length === 0 ? {} : { 'content-length': String(body.length) };
    const sent = request(address, {
      method,
      agent: false,
      headers: { accept: 'application/json', ...length, ...headers },
      ...(patience !== undefined && { signal: patience }),
    });
    sent.on('error', () => resolve({ got: 'nothing', status: null, contentType: '', text: '' }));
    sent.on('response', (answer) => {
      const chunks: Buffer[] = [];
      const end = (got: Attempt['got']): void => {
        const { statusCode: status = null, headers: received } = answer;
        resolve({ got, status, contentType: received['content-type'] ?? '', text: Buffer.concat(chunks).toString() });
      };
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => end('whole')).on('error', () => end('cut'));
    });
    sent.end(body);
  });
}
