import type { Static } from '../bodies/schema.ts';
import type { bankCalls } from '../control/bank-calls.ts';
import type { ofEveryBank } from '../control/control-plane.ts';
import type { paymentEndpoint } from '../control/payments/make-payment.ts';
import type { searchEndpoint } from '../control/search.ts';
import type { requestsEndpoints } from '../journal/requests.ts';

/*
 * The calls of the control plane for those who make them: the console, the commands and the harness. Types alone: no
 * schema is loaded.
 */

type Endpoint =
  | (typeof ofEveryBank)[number]
  | ReturnType<typeof requestsEndpoints>[number]
  | ReturnType<typeof paymentEndpoint | typeof searchEndpoint>;

/** The schemas of the answers, by call: `GET /accounts/:number`. */
type Answers = {
  readonly [Each in Endpoint as NonNullable<Each['~call']>]: Each['answer'];
} & { readonly [Name in keyof typeof bankCalls]: (typeof bankCalls)[Name]['answer'] };

export type CallName = keyof Answers;

/** What a call answers: `AnswerTo<'GET /clock'>`. */
export type AnswerTo<Name extends CallName> = Static<Answers[Name]>;

/** The parameters of a path in express syntax, and a query. */
export interface Asked {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | undefined>>;
}

/** A path in express syntax with its parameters, and a query of those that have a value. */
export function pathTo(path: string, { params = {}, query = {} }: Asked): string {
  const filled = path.replaceAll(/:(\w+)/g, (_whole, name: string) => encodeURIComponent(params[name] ?? ''));
  const search = new URLSearchParams(withValue(query));
  return search.size === 0 ? filled : `${filled}?${search}`;
}

/** The parameters of a query that have a value. */
export function withValue(query: NonNullable<Asked['query']>): [string, string][] {
  return Object.entries(query).filter((entry): entry is [string, string] => (entry[1] ?? '') !== '');
}

/** Method and path of a call. */
export function partsOf(name: CallName): [method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string] {
  return name.split(' ') as ReturnType<typeof partsOf>;
}
