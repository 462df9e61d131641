import type { Response } from 'express';
import type { Transaction } from '../../engine/accounts/transaction.ts';
import type { Bank } from '../../engine/open-bank.ts';
import type { FaultCode, FaultPlace } from '../../engine/values/fault.ts';
import type { TppIdentity } from '../../engine/sca/sca.ts';
import type { AnswerSchema, BodySchema, Static } from '../bodies/schema.ts';
import { type HeaderDemand, type RequestHeaders, psuOf } from './request-headers.ts';
import type { QueryReader } from './target.ts';
import { logNotesOf, type RequestFacts } from './request-log.ts';
import { firstAnswer, keepFirstAnswer, type MadeByCall } from '../../engine/calls/first-answers.ts';
import { assert } from '../../engine/values/assert.ts';
import { digestOf } from '../signing/signature/signed-text.ts';
import { type PresentWriting, presentWriting } from '../../engine/bank/bank-context.ts';

/**
 * One operation of the interface. The pipeline in signed-interface.ts checks its requests in the order of rules.md G1.
 * Create an endpoint with a body by {@link endpoint}, which types the body by its schema.
 */
export interface Endpoint<Body = unknown, Names extends string = string> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below `/v1`, in express syntax: `/accounts/:accountId/balances`. */
  readonly path: string;
  /** What it does, in a few words, for the API document. */
  readonly summary?: string;
  /** Another operation has replaced it. */
  readonly deprecated?: boolean;
  /**
   * Schema of each answer, closed, by its status. An answer without a body has null. Refusals are the same for all
   * operations.
   */
  readonly answers?: Readonly<Record<number, AnswerSchema | null>>;
  /** Required PSD2 role, if the certificate states roles (rules.md G7). */
  readonly role: 'PSP_PI' | 'PSP_AI' | null;
  /** Added to the refusal of another method on this path: where to send it instead. */
  readonly elsewhere?: string;
  /** Values of `:product`; another is PRODUCT_UNKNOWN (rules.md P1). If it is left out, the path has no product. */
  readonly products?: readonly string[];
  /** Kind of resource in the path, for the HTTP status of a fault in it. */
  readonly names?: Extract<FaultPlace, 'account' | 'path'>;
  /** Required headers beside X-Request-ID. */
  readonly requires: readonly HeaderDemand[];
  /** It is true if it begins or ends something with the PSU, who should be present (rules.md A8c). */
  readonly withPsu?: boolean;
  /**
   * Query parameters by name, with their schemas for the API document; the handler reads them. The default is none.
   * Another is PARAMETER_NOT_SUPPORTED.
   */
  readonly query?: Readonly<Record<string, AnswerSchema>>;
  /** Schema of the body, or one for each product. With null a body is ignored. */
  readonly body: BodySchema | ByProduct<BodySchema> | null;
  /** Paths that the operation's own refusals name, by their code, for a provoked one (rules.md E6b). */
  readonly faultPaths?: { readonly [Code in FaultCode]?: string };
  /** One transaction: what a provoked fault refuses. */
  readonly handle: (call: Call<Body, Names>) => Promise<Answer>;
}

interface ByProduct<Schema> {
  readonly byProduct: Readonly<Record<string, Schema>>;
}

/**
 * The endpoint of an operation, named by its method and its path below `/v1` in express syntax. Its handler gets the
 * body of its schema. Left out: it requires no headers, and a body is ignored.
 */
export function endpoint<const Name extends `${Endpoint['method']} /${string}`, Schema extends BodySchema = never>(
  name: Name,
  own: Omit<Endpoint<Static<Schema>, NamesIn<Name>>, 'method' | 'path' | 'body' | 'requires'> & {
    readonly body?: Schema | ByProduct<Schema>;
    readonly requires?: Endpoint['requires'];
  },
): Endpoint {
  const [method, path] = name.split(' ') as [Endpoint['method'], string];
  // The only cast of a body: the pipeline validates the body with this schema before it calls the handler.
  return { requires: [], body: null, ...own, method, path, handle: own.handle as Endpoint['handle'] };
}

/** The names of the parameters in a path in express syntax. */
export type NamesIn<Path> = Path extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer More}`
    ? Name | NamesIn<`/${More}`>
    : Rest
  : never;

/** How documents name an operation: `POST /v1/payments/{product}`. */
export function operationOf({ method, path }: Pick<Endpoint, 'method' | 'path'>): string {
  return `${method} /v1${path.replace(/:(\w+)/g, '{$1}')}`;
}

/** A request that has passed signature, headers and schema. */
export interface Call<Body = unknown, Names extends string = string> {
  readonly bank: Bank;
  readonly tpp: TppIdentity;
  readonly headers: RequestHeaders;
  readonly params: Readonly<Record<Names, string>>;
  readonly query: QueryReader;
  /** The target of the request: `path` is below `/v1` and decoded, `query` is the text after the question mark. */
  readonly sentTo: { readonly method: string; readonly path: string; readonly query: string };
  /** Validated by the endpoint's schema. */
  readonly body: Body;
  /** The bytes of the body as they were sent and signed. */
  readonly bytes: Uint8Array;
  /** Adds facts to the log line and the journal entry of the request. */
  addFacts(facts: RequestFacts): void;
  /** The absolute address of an SCA page. */
  scaAddress(scaId: string): string;
  /** Runs work that excludes an advance, a reset or the like: CONFLICT while one is under way. */
  runExclusive<T>(work: () => Promise<T>): Promise<T>;
}

/** A body that already is JSON text. */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export interface Answer {
  readonly status: number;
  /** A value to send as JSON, or a {@link JsonText}. By default there is no body. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** If it is left out, the body shows no account transactions. */
  readonly transactions?: SourceTransactions;
}

/** The account transactions that a body shows, in its order. They are for quirks, and never sent (rules.md Q2). */
export interface SourceTransactions {
  readonly booked: readonly Transaction[];
  readonly pending: readonly Transaction[];
}

/** Content type of an answer with a JSON body. */
export const jsonType = 'application/json; charset=utf-8';

/** Ends an answer with a JSON body, from a value or a {@link JsonText}, and keeps its text for the journal. */
export function sendJson(response: Response, body: unknown, type = jsonType): void {
  const answer = body instanceof JsonText ? body.text : JSON.stringify(body);
  logNotesOf(response).answer = answer;
  response
    // Express would add a charset to a type without one.
    .setHeader('content-type', type)
    .set('content-length', String(Buffer.byteLength(answer)));
  // A text goes out with the headers in one write. Express would make bytes of it, which do not.
  response.end(response.req.method === 'HEAD' ? undefined : answer, 'utf8');
}

type Verb = 'GET' | 'PUT' | 'POST' | 'DELETE';

/** interface: Link. */
export interface Link {
  readonly href: string;
  readonly verbs: readonly Verb[];
}

export function link(href: string, ...verbs: Verb[]): Link {
  return { href, verbs };
}

/** The resource that a call created, and the body of its answer. */
interface MadeAnswer {
  readonly about: MadeByCall;
  readonly body: object;
}

/**
 * Carries out a call that creates something once for each X-Request-ID (rules.md P9): a POST that creates something,
 * and a GET that opens an SCA. A repeated call gets the body of the first answer. The work and its answer are one
 * transaction.
 */
export async function answerOnce(
  call: Call,
  work: (writing: PresentWriting) => Promise<MadeAnswer>,
): Promise<JsonText> {
  const { bank, tpp, headers, sentTo, bytes } = call;
  const { requestId } = headers;
  assert(requestId !== null, 'X-Request-ID is required');
  const digest = digestOf(bytes, 'sha-256');
  const identity = { tppId: tpp.id, ...sentTo, requestId, digest, psu: psuOf(headers) };
  const answer = await bank.ledger.write(async (tx) => {
    const first = await firstAnswer(bank, tx, identity);
    if (first !== null) return first;
    const { about, body } = await work(await presentWriting(bank, tx));
    const text = JSON.stringify(body);
    await keepFirstAnswer(tx, identity, about, text);
    return text;
  });
  return new JsonText(answer);
}
