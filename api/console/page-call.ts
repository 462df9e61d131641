import type { Request } from 'express';
import { assert } from '../../engine/values/assert.ts';
import type { AnswerSchema, Static } from '../bodies/schema.ts';
import { clock } from '../control/answers.ts';
import { controlCall, type ControlledBank } from '../control/control-call.ts';
import type { ControlEndpoint } from '../control/control-endpoint.ts';
import { curlLine } from '../pages/curl-line.ts';
import { askedAddress } from '../pipeline/host-name.ts';
import { problemOf } from '../pipeline/problem.ts';
import { type Asked, type Attempt, type CallAction, pathTo, type ViewCall } from './console-view.ts';
import type { Note } from './notes.ts';
import type { Books } from './proof/books.ts';
import type { ScenarioPlays } from './scenarios/plays.ts';

/** A bank as its console sees it. */
export interface ConsoleBank extends ControlledBank {
  /** The server's own address, for requests that name no host. */
  readonly address: string;
  /** Those of its control plane. */
  readonly endpoints: readonly ControlEndpoint[];
  readonly plays: ScenarioPlays | null;
}

/** Names of the parameter that carries the id of a note, in the address of a page. */
export const noteParameter = 'note';

/** One request for a page of the console. */
export class PageCall implements ViewCall {
  readonly params: Readonly<Record<string, string>>;
  readonly query: ReadonlyMap<string, string>;
  readonly here: string;
  readonly note: Note | null;
  readonly formToken: string;
  /** Lines for curl of what was asked. */
  readonly lines: string[] = [];
  readonly books: Books;
  readonly #of: ConsoleBank;
  readonly address: string;
  /** From the address of the page up to that of the bank: `./`, `../`. */
  readonly #up: string;

  constructor(
    of: ConsoleBank & { readonly books: Books },
    request: Request,
    { note, formToken }: { note: Note | null; formToken: string },
  ) {
    this.#of = of;
    this.books = of.books;
    this.note = note;
    this.formToken = formToken;
    this.params = request.params as Record<string, string>;
    this.address = `${askedAddress(request, of.address)}${of.base}`;
    const { path, search } = partsOf(request);
    const all = new URLSearchParams(search);
    all.delete(noteParameter);
    this.here = `${path}${all.size === 0 ? '' : `?${all}`}`;
    this.query = new Map([...all].toReversed().filter(([, value]) => value !== ''));
    this.#up = '../'.repeat(path.split('/').length - 1) || './';
  }

  get plays(): ScenarioPlays | null {
    return this.#of.plays;
  }

  /** The bank's name; `default` at the root. */
  get bankName(): string {
    const { base } = this.#of;
    return base === '' ? 'default' : base.slice(base.lastIndexOf('/') + 1);
  }

  to(path: string): string {
    return `${this.#up}console${path}`;
  }

  has(path: string): boolean {
    return this.#of.endpoints.some((each) => each.method === 'GET' && each.path === path);
  }

  toBank(name: string, path = ''): string {
    const root = this.#of.base === '' ? this.#up : `${this.#up}../../`;
    return `${root}${name === 'default' ? '' : `banks/${encodeURIComponent(name)}/`}console${path}`;
  }

  /** Address of something of the bank outside the console, relative to this page. */
  out(path: string): string {
    return `${this.#up}${path}`;
  }

  curl(method: string, path: string, body?: unknown): string {
    const hasBody = body !== undefined;
    const line = curlLine({
      method,
      url: new URL(`${this.address}/sandbox${path}`),
      headers: method === 'GET' ? {} : { 'content-type': 'application/json' },
      body: Buffer.from(hasBody ? JSON.stringify(body) : ''),
    });
    const isOpen = this.#of.config.controlToken === null;
    return isOpen ? line : `${line} -H "Authorization: Bearer $SANDBANK_CONTROL_TOKEN"`;
  }

  async ask<Answer extends AnswerSchema>(path: string, answer: Answer, asked: Asked = {}): Promise<Static<Answer>> {
    this.lines.push(this.curl('GET', pathTo(path, asked)));
    return this.#carryOut('GET', path, answer, asked);
  }

  async attempt<Answer extends AnswerSchema>(
    path: string,
    answer: Answer,
    asked: Asked = {},
  ): Promise<Attempt<Answer>> {
    try {
      return { answer: await this.ask(path, answer, asked), problem: null };
    } catch (error) {
      const problem = problemOf(error);
      if (problem === null || problem.facts.status >= 500) throw error;
      return { answer: null, problem: problem.facts };
    }
  }

  /** The bank clock. It is on every page, and no line for curl is shown for it. */
  clock(): Promise<Static<typeof clock>> {
    return this.#carryOut('GET', '/clock', clock, {});
  }

  /** Carries out an action. Throws what the endpoint throws. */
  act(action: CallAction, fields: ReadonlyMap<string, string>): Promise<unknown> {
    const { method, path, call = path, answer, body } = action;
    // As a client would send it: members without a value are left out.
    const sent: unknown = JSON.parse(JSON.stringify(body?.(fields) ?? {}));
    return this.#carryOut(method, call, answer, { params: this.params }, sent);
  }

  async #carryOut<Answer extends AnswerSchema>(
    method: ControlEndpoint['method'],
    path: string,
    answer: Answer,
    { params = {}, query = {} }: Asked,
    body: unknown = {},
  ): Promise<Static<Answer>> {
    const endpoint = this.#of.endpoints.find((each) => each.method === method && each.path === path);
    assert(endpoint !== undefined && endpoint.answer === answer, `${method} ${path} answers by this schema`);
    const given = Object.entries(query).filter((entry): entry is [string, string] => (entry[1] ?? '') !== '');
    const request = { address: this.address, params, query: new Map(given), text: null, body };
    // Of the type of its schema: each answer of a test is checked against it.
    return (await endpoint.handle(controlCall(endpoint, this.#of, request))) as Static<Answer>;
  }
}

/** Path and query of a request, below `/console`. */
export function partsOf({ originalUrl, baseUrl }: Request): { readonly path: string; readonly search: string } {
  const below = originalUrl.slice(baseUrl.length);
  const end = below.indexOf('?');
  return end < 0 ? { path: below, search: '' } : { path: below.slice(0, end), search: below.slice(end + 1) };
}
