import { serverAddress } from '../server-address.ts';
import type { Arguments } from './arguments.ts';
import { CommandFailed, WrongUse, type Flag } from './command.ts';
import { reasonOf } from './error-text.ts';
import { problemText } from './problem-text.ts';
import { readEvents, type ReceivedEvent } from './read-events.ts';

/** What every command takes that asks a server. */
export const serverSettings = ['PORT', 'HOST', 'SANDBANK_CONTROL_TOKEN'];
export const bankFlag: Flag = {
  name: 'bank',
  value: 'NAME',
  what: 'The bank at /banks/NAME; left out: the one at the root.',
};

/** How long a call may take that tells nothing on its way, in ms. */
const patience = 120_000;

type Method = 'GET' | 'POST' | 'DELETE';

/** The control plane of one bank, as the commands ask it. Throws a CommandFailed for a refusal, and when nothing answers. */
export class ControlPlaneClient {
  /** Of the server. */
  readonly address: string;
  readonly #base: string;
  readonly #token: string | null;

  constructor(given: Arguments) {
    const config = given.config();
    this.address = serverAddress(config);
    this.#base = `${bankPath(given)}/sandbox`;
    this.#token = config.controlToken;
  }

  /** The answer, of which `member` must be there: anything else is no answer of a Sandbank. */
  async ask<Answer>(method: Method, path: string, member: keyof Answer & string, body?: object): Promise<Answer> {
    const answer = await this.#send(method, path, 'application/json', body, AbortSignal.timeout(patience));
    const content: unknown = await answer.json().catch(() => null);
    if (typeof content !== 'object' || content === null || !Object.hasOwn(content, member))
      throw this.#stranger(answer);
    return content as Answer;
  }

  /** The events of a call that tells what happens while it goes on. */
  async *follow(path: string, body: object): AsyncGenerator<ReceivedEvent> {
    const answer = await this.#send('POST', path, 'text/event-stream', body);
    const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream') === true;
    if (!isStream || answer.body === null) throw this.#stranger(answer);
    try {
      yield* readEvents(answer.body);
    } catch (error) {
      throw new CommandFailed(`the server at ${this.address} went away${reasonOf(error)}`);
    }
  }

  async #send(
    method: Method,
    path: string,
    accept: string,
    body?: object,
    signal: AbortSignal | null = null,
  ): Promise<Response> {
    const headers = {
      accept,
      'content-type': 'application/json',
      ...(this.#token !== null && { authorization: `Bearer ${this.#token}` }),
    };
    const url = this.address + this.#base + path;
    const content = body === undefined ? null : JSON.stringify(body);
    const answer = await fetch(url, { method, headers, body: content, signal }).catch((error: unknown) => {
      const advice = 'start the bank, or give --port and --host of the server';
      throw new CommandFailed(`nothing answers at ${this.address}${reasonOf(error)}: ${advice}`);
    });
    if (answer.ok) return answer;
    const problem = problemText(await answer.json().catch(() => null));
    throw problem === null ? this.#stranger(answer) : new CommandFailed(problem);
  }

  #stranger({ status }: Response): CommandFailed {
    return new CommandFailed(
      `what answers at ${this.address} (${status}) does not look like a Sandbank: see --port and --host`,
    );
  }
}

/** Where the bank of `--bank` is mounted: empty for the one at the root. */
export function bankPath(given: Arguments): string {
  const name = given.text('bank');
  return name === undefined || name === 'default' ? '' : `/banks/${pathPart(name)}`;
}

/** A name as a part of a path. Dots alone would lead to another path, on the way to the server already. */
export function pathPart(name: string): string {
  if (/^\.{0,2}$/.test(name)) throw new WrongUse(`${JSON.stringify(name)} is no name`);
  return encodeURIComponent(name);
}
