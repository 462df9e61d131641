import type { Bank } from '../../engine/bank.ts';
import type { ArmedFaults } from '../armed-faults.ts';
import type { Events } from './event-stream.ts';
import type { Config } from '../config.ts';
import type { Bodies, BodyName } from '../middleware/body/bodies.ts';
import { validateBody } from '../middleware/validate-body.ts';

/** One call of the control plane. What it returns is answered with 200, as JSON. */
export interface ControlEndpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below `/sandbox`, in express syntax. */
  readonly path: string;
  /** The query parameters it takes; another is refused. */
  readonly query?: readonly string[];
  handle(call: ControlCall): Promise<unknown>;
  /** Answers a client that accepts `text/event-stream`. */
  tell?(call: ControlCall, events: Events): Promise<void>;
}

export interface ControlCall {
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
  /** Parsed JSON; an empty body is an empty object. */
  readonly body: unknown;
  /** Runs work that no other such work may run beside; refuses with CONFLICT while there is one. */
  alone<T>(work: () => Promise<T>): Promise<T>;
}

/** The body of a call after its schema; every fault in it is refused at once (rules.md E3). */
export function readBody<Name extends BodyName>(call: ControlCall, name: Name): Bodies[Name] {
  const value = call.body;
  validateBody(name, value, { quirks: call.bank.quirks });
  return value;
}
