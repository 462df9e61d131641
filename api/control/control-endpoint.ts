import type { Bank } from '../../engine/bank.ts';
import type { ArmedFaults } from '../pipeline/armed-faults.ts';
import type { BodySchema, Static } from '../bodies/schema.ts';
import type { Events } from './event-stream.ts';
import type { Config } from '../start/config.ts';

/**
 * One call of the control plane. What it returns is answered with 200, as JSON. One with a body is made by
 * {@link controlEndpoint}, which types the body by its schema.
 */
export interface ControlEndpoint<Body = unknown> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below `/sandbox`, in express syntax. */
  readonly path: string;
  /** The query parameters it takes; another is refused. */
  readonly query?: readonly string[];
  /** The schema of its body; left out: it takes none, and one that is sent is ignored. */
  readonly body?: BodySchema;
  readonly handle: (call: ControlCall<Body>) => Promise<unknown>;
  /** Answers a client that accepts `text/event-stream`. */
  readonly tell?: (call: ControlCall<Body>, events: Events) => Promise<void>;
}

/** An endpoint whose handlers read what its schema lets through. */
export function controlEndpoint<Schema extends BodySchema>(
  own: ControlEndpoint<Static<Schema>> & { readonly body: Schema },
): ControlEndpoint {
  // The one cast of a body: the call reads it through this very schema.
  return own as ControlEndpoint;
}

export interface ControlCall<Body = unknown> {
  readonly bank: Bank;
  readonly config: Config;
  readonly faults: ArmedFaults;
  /** Where the bank is: what the request asked, without a slash at the end, and {@link base}. */
  readonly address: string;
  /** Empty, or `/banks/{name}`. */
  readonly base: string;
  readonly params: Readonly<Record<string, string>>;
  /** Each parameter at most once. */
  readonly query: ReadonlyMap<string, string>;
  /** The body after the endpoint's schema, an empty one as an empty object; every fault in it is refused at once (rules.md E3). */
  readBody(): Body;
  /** Runs work that no other such work may run beside; refuses with CONFLICT while there is one. */
  runExclusive<T>(work: () => Promise<T>): Promise<T>;
}
