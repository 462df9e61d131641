import type { Bank } from '../engine/bank.ts';
import type { FaultPlace } from '../engine/core/fault.ts';
import type { TppIdentity } from '../engine/operations/shared/begin-sca.ts';
import type { BodyName } from './middleware/body/bodies.ts';
import type { HeaderDemand, RequestHeaders } from './middleware/request-headers.ts';
import type { QueryReader } from './routes/query-reader.ts';

/** One operation of the interface. The pipeline in signed-interface.ts does the rest, in the order of rules.md G1. */
export interface Endpoint {
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
  readonly body: BodyName | Readonly<Record<string, BodyName>> | null;
  handle(call: Call): Promise<Answer>;
}

/** A request that has passed signature, headers and schema. */
export interface Call {
  readonly bank: Bank;
  readonly tpp: TppIdentity;
  readonly headers: RequestHeaders;
  readonly params: Readonly<Record<string, string>>;
  readonly query: QueryReader;
  /** What the endpoint's schema let through. */
  readonly body: unknown;
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
