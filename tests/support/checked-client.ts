import { randomUUID } from 'node:crypto';
import { type ApiDocument, refusalName } from '../../api/openapi/document.ts';
import { exchange } from '../lab/exchange.ts';
import type { BankClient, Reply } from '../lab/server.ts';
import { AnswerCheck } from './answer-check.ts';
import { RequestCheck } from './request-check.ts';

/** Changes a document before a bank is held against it, to show that harm is seen. */
export type ChangeDocument = (document: ApiDocument) => ApiDocument;

interface Checks {
  readonly answers: AnswerCheck;
  readonly requests: RequestCheck;
}

/** A TPP that holds each exchange against the document that its bank serves at that moment (rules.md E10). */
export class CheckedClient {
  readonly #bank: BankClient;
  readonly #change: ChangeDocument;
  readonly #checks = new Map<string, Checks>();
  /** The document as it was served last. */
  #last: { readonly text: string; readonly checks: Checks } | null = null;
  /** What did not fit. */
  readonly faults: string[] = [];
  readonly counts = { taken: 0, refused: 0, 'refused by the document': 0 };

  constructor(bank: BankClient, change: ChangeDocument = (served) => served) {
    this.#bank = bank;
    this.#change = change;
  }

  async #served(): Promise<Checks> {
    const { text } = await exchange(`${this.#bank.address}/openapi.json`, { method: 'GET', headers: {} });
    const last = this.#last;
    if (text === last?.text) return last.checks;
    const served = this.#change(JSON.parse(text) as ApiDocument);
    // Its examples change with the clock, and judge nothing.
    const isExample = (name: string): boolean => name === 'example' || name === 'examples';
    const key = JSON.stringify(served, (name, value: unknown) => (isExample(name) ? undefined : value));
    const known = this.#checks.get(key);
    const checks = known ?? { answers: new AnswerCheck(served, refusalName), requests: new RequestCheck(served) };
    this.#checks.set(key, checks);
    this.#last = { text, checks };
    return checks;
  }

  /** Sends a signed request, and holds it and its answer against the document. Gives the body of the answer. */
  async ask(
    method: string,
    target: string,
    own: Readonly<Record<string, string | null>> = {},
    body?: unknown,
  ): Promise<Reply['body']> {
    const { answers, requests } = await this.#served();
    const [path = '', query = ''] = target.slice('/v1'.length).split('?');
    const headers = { 'x-request-id': randomUUID(), ...own };
    const sent = this.#bank.signedParts(method, target, body === undefined ? { headers } : { headers, body });
    const lower = Object.entries(sent.headers).map(([name, value]) => [name.toLowerCase(), value]);
    const asked = { method, path, headers: Object.fromEntries(lower) as Record<string, string> };
    const text = sent.body.toString();
    const refused = requests.faultOf({ ...asked, query: new URLSearchParams(query), body: text });
    const { status, headers: told, body: answered } = await this.#bank.raw(method, target, sent.headers, sent.body);
    const words = typeof answered === 'string' ? answered : answered === null ? '' : JSON.stringify(answered);
    const contentType = told.get('content-type') ?? '';
    const fault = answers.faultOf({ method, path, status, contentType, body: words });
    if (fault !== null) this.faults.push(fault);
    if (status < 300 && refused !== null) this.faults.push(`${method} ${target} was taken, but ${refused}: ${text}`);
    this.counts[status < 300 ? 'taken' : 'refused'] += 1;
    if (refused !== null) this.counts['refused by the document'] += 1;
    return answered;
  }
}
