import type { Arguments } from './arguments.ts';
import { bankAddress, type BankAddress, pathPart } from './bank-address.ts';
import { CommandFailed } from './command.ts';
import { type AnswerTo, type Asked, type CallName, partsOf, pathTo } from '../../api/openapi/calls.ts';
import { reasonOf, tlsAdvice } from '../../api/start/error-text.ts';
import { refusal } from './refusal.ts';

/** Time limit of a call, in ms. */
const answerTimeoutMs = 120_000;

/** A body that is no JSON. */
interface Content {
  readonly type: string;
  readonly bytes: Uint8Array;
}

/** What a call sends. `signal` gives it up, by default at the usual time limit. */
interface Sent {
  readonly body?: object | Content | undefined;
  readonly signal?: AbortSignal | null | undefined;
}

/** Client of one bank's control plane. Throws a CommandFailed for a refusal, and if nothing answers. */
export class ControlPlaneClient {
  readonly #given: Arguments;
  readonly #addressOf: (given: Arguments) => BankAddress;
  #found: BankAddress | null = null;

  /** `addressOf`: reads the address of the bank from the command line, before the first call. */
  constructor(given: Arguments, addressOf: (given: Arguments) => BankAddress = bankAddress) {
    this.#given = given;
    this.#addressOf = addressOf;
  }

  /** Makes a call. An answer without `member` does not come from a Sandbank, and fails. */
  async ask<Name extends CallName>(
    name: Name,
    member: keyof AnswerTo<Name> & string,
    { body, signal, ...asked }: Asked & Pick<Sent, 'body' | 'signal'> = {},
  ): Promise<AnswerTo<Name>> {
    for (const value of Object.values(asked.params ?? {})) pathPart(value);
    const [method, path] = partsOf(name);
    const answer = await this.#send(method, pathTo(path, asked), 'application/json', { body, signal });
    const content: unknown = await answer.json().catch(() => null);
    if (typeof content !== 'object' || content === null || !Object.hasOwn(content, member))
      throw this.#stranger(answer);
    return content as AnswerTo<Name>;
  }

  /** Starts something at the unsigned door, at a path below `/sandbox`. */
  async atDoor(path: string): Promise<void> {
    await this.#send('POST', path, 'application/json', { body: {} });
  }

  /** Gets the bytes of an answer of this media type. */
  async download(path: string, type: string): Promise<Buffer> {
    const answer = await this.#send('GET', path, type);
    if (answer.headers.get('content-type') !== type) throw this.#stranger(answer);
    return Buffer.from(await answer.arrayBuffer());
  }

  /** Address of the bank, without a slash at the end. */
  get address(): string {
    return this.#at.server + this.#at.path;
  }

  get #at(): BankAddress {
    this.#found ??= this.#addressOf(this.#given);
    return this.#found;
  }

  async #send(method: string, path: string, accept: string, sent: Sent = {}): Promise<Response> {
    const { body, signal = AbortSignal.timeout(answerTimeoutMs) } = sent;
    const { controlToken } = this.#given.config();
    const headers = {
      accept,
      'content-type': isContent(body) ? body.type : 'application/json',
      ...(controlToken !== null && { authorization: `Bearer ${controlToken}` }),
    };
    const url = `${this.address}/sandbox${path}`;
    const content = isContent(body) ? Buffer.from(body.bytes) : body === undefined ? null : JSON.stringify(body);
    const answer = await fetch(url, { method, headers, body: content, signal }).catch((error: unknown) => {
      throw nothingAnswers(this.#at.server, error);
    });
    if (answer.ok) return answer;
    const problem: unknown = await answer.json().catch(() => null);
    throw refusal(problem, answer.status) ?? this.#stranger(answer);
  }

  #stranger({ status }: Response): CommandFailed {
    return stranger(this.address, status);
  }
}

/** The control plane of the bank that a request to this address goes to. */
export function clientOf(given: Arguments, { pathname, origin }: URL): ControlPlaneClient {
  const [path = ''] = /^\/banks\/[^/]+/.exec(pathname) ?? [];
  return new ControlPlaneClient(given, () => ({ server: origin, path }));
}

/** Nothing answers at the address of a server. */
export class NothingAnswers extends CommandFailed {}

/** The failure of a call that somebody else has answered, with this status. */
export function stranger(address: string, status: number): CommandFailed {
  return new CommandFailed(`what answers at ${address} (${status}) does not look like a Sandbank`);
}

/** The failure of a call to a server that is not there. */
export function nothingAnswers(server: string, error: unknown): NothingAnswers {
  const ofTls = tlsAdvice(error);
  if (ofTls !== '') return new NothingAnswers(`no connection to ${server}${reasonOf(error)}.${ofTls}`);
  const advice = 'start the bank, or name its server by --port and --host, or by the variable BANK';
  return new NothingAnswers(`nothing answers at ${server}${reasonOf(error)}: ${advice}`);
}

function isContent(body: object | undefined): body is Content {
  return body !== undefined && 'bytes' in body;
}
