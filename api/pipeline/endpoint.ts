import type { Bank } from '../../engine/bank.ts';
import type { FaultPlace } from '../../engine/values/fault.ts';
import type { TppIdentity } from '../../engine/sca/begin-sca.ts';
import type { BodySchema, Static } from '../bodies/schema.ts';
import type { HeaderDemand, RequestHeaders } from './request-headers.ts';
import type { QueryReader } from './query-reader.ts';

/**
 * One operation of the interface. The pipeline in signed-interface.ts does the rest, in the order of rules.md G1. One with
 * a body is made by {@link endpoint}, which types the body by its schema.
 */
export interface Endpoint<Body = unknown> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below `/v1`, in express syntax: `/accounts/:accountId/balances`. */
  readonly path: string;
  /** The PSD2 role it needs, where the certificate states roles (rules.md G7). */
  readonly role: 'PSP_PI' | 'PSP_AI' | null;
  /** What `:product` may be; another is PRODUCT_UNKNOWN (rules.md P1). Left out: the path has none. */
  readonly products?: readonly string[];
  /** What a fault in the resource that its path names is one of, for its HTTP status; left out: it names none. */
  readonly names?: Extract<FaultPlace, 'account' | 'path'>;
  /** What its headers must hold beside X-Request-ID. */
  readonly requires: readonly HeaderDemand[];
  /** The query parameters it takes, which it reads itself; left out: none. Another is PARAMETER_NOT_SUPPORTED. */
  readonly query?: readonly string[];
  /** The schema of its body, or one for each product; null: it takes none, and one that is sent is ignored. */
  readonly body: BodySchema | ByProduct<BodySchema> | null;
  readonly handle: (call: Call<Body>) => Promise<Answer>;
}

export interface ByProduct<Schema> {
  readonly byProduct: Readonly<Record<string, Schema>>;
}

/** An endpoint whose handler takes what its schema lets through. */
export function endpoint<Schema extends BodySchema>(
  own: Endpoint<Static<Schema>> & { readonly body: Schema | ByProduct<Schema> },
): Endpoint {
  // The one cast of a body: the pipeline calls the handler with a body that this very schema has let through.
  return { ...own, handle: own.handle as Endpoint['handle'] };
}

/** A request that has passed signature, headers and schema. */
export interface Call<Body = unknown> {
  readonly bank: Bank;
  readonly tpp: TppIdentity;
  readonly headers: RequestHeaders;
  readonly params: Readonly<Record<string, string>>;
  readonly query: QueryReader;
  /** What the endpoint's schema let through. */
  readonly body: Body;
  /** The bytes of the body as they were sent and signed. */
  readonly bytes: Uint8Array;
  /** The absolute address of an SCA page. */
  scaAddress(scaId: string): string;
  /** Runs work that may not come in the middle of an advance, a reset or its like: CONFLICT while there is one. */
  alone<T>(work: () => Promise<T>): Promise<T>;
}

export interface Answer {
  readonly status: number;
  /** Left out: no body. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}
