/** What was answered; `body` is JSON, or the text of another type. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

export interface Call {
  readonly method: string;
  /** Below the bank's address. */
  readonly path: string;
  /** A text is sent as it is, anything else as JSON; left out: none. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export const get = (path: string, headers: Call['headers'] = {}): Call => ({ method: 'GET', path, headers });
export const post = (path: string, body: object = {}): Call => ({ method: 'POST', path, body });
export const remove = (path: string): Call => ({ method: 'DELETE', path });

/** Sends a call to the bank of this address. */
export async function send(address: string, { method, path, body, headers = {} }: Call): Promise<Answer> {
  const isText = body === undefined || typeof body === 'string';
  const answer = await fetch(address + path, {
    method,
    headers: {
      ...(!isText && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: isText ? String(body) : JSON.stringify(body) }),
  });
  const text = await answer.text();
  const isJson = /json/.test(answer.headers.get('content-type') ?? '');
  return { status: answer.status, body: isJson ? JSON.parse(text) : text };
}

/** The JSON of a call that must work. */
export async function done(address: string, call: Call): Promise<Readonly<Record<string, unknown>>> {
  const { status, body } = await send(address, call);
  if (status < 300) return Object(body) as Readonly<Record<string, unknown>>;
  throw new Error(`${call.method} ${call.path} is answered ${status}: ${JSON.stringify(body)}`);
}
