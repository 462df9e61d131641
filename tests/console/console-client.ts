import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';

export interface Answered {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** A request with its headers exactly as given, Host and Cookie too. */
export function send(
  address: string,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  body = '',
): Promise<Answered> {
  const { hostname, port } = new URL(address);
  return new Promise((resolve, reject) => {
    const request = httpRequest({ hostname, port, method, path, headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
      // A stream of events has no end.
      if (response.headers['content-type'] === 'text/event-stream') {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
        request.destroy();
      }
    });
    request.on('error', reject);
    request.end(body);
  });
}

/** A browser without scripts: it keeps its cookie, and sends the forms of pages. */
export class ConsoleClient {
  readonly address: string;
  cookie = '';

  constructor(address: string) {
    this.address = address;
  }

  async get(path: string): Promise<Answered> {
    const answer = await send(this.address, 'GET', path, this.#own());
    this.#keep(answer);
    return answer;
  }

  /** Sends the fields to a path, as a form does. */
  async post(path: string, fields: Readonly<Record<string, string>>, headers = {}): Promise<Answered> {
    const body = new URLSearchParams(fields).toString();
    const type = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': String(body.length) };
    const answer = await send(this.address, 'POST', path, { ...type, ...this.#own(), ...headers }, body);
    this.#keep(answer);
    return answer;
  }

  /** Follows the redirect of an answer to a path. */
  follow(path: string, { headers }: Answered): Promise<Answered> {
    const { pathname, search } = new URL(headers.location ?? '', this.address + path);
    return this.get(pathname + search);
  }

  #own(): Record<string, string> {
    return { host: new URL(this.address).host, ...(this.cookie !== '' && { cookie: this.cookie }) };
  }

  #keep({ headers }: Answered): void {
    const [cookie] = headers['set-cookie'] ?? [];
    if (cookie !== undefined) this.cookie = cookie.split(';')[0] ?? '';
  }
}

/** The value of a hidden field of a page. */
export function hidden({ text }: Answered, name: string): string {
  return new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? '';
}
