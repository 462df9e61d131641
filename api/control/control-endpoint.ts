import type { Bank } from '../../engine/open-bank.ts';
import type { ArmedFaults } from '../pipeline/armed-faults.ts';
import type { AnswerSchema, BodySchema, Static } from '../bodies/schema.ts';
import { type AnswerValue, written } from '../bodies/written.ts';
import { changesIds } from '../../engine/bank/rules/quirk.ts';
import type { Events, eventStream } from './event-stream.ts';
import type { Judgement, RequestToJudge } from '../pipeline/dry-run.ts';
import type { Config } from '../start/config.ts';
import type { ThrowAwayTpps } from '../signing/test-tpp.ts';
import type { SandboxCaSource } from '../start/trusted-cas.ts';
import { assert } from '../../engine/values/assert.ts';
import type { Turn } from '../pipeline/one-at-a-time.ts';
import type { NamesIn } from '../pipeline/endpoint.ts';
import { validateBody } from '../pipeline/validate-body.ts';

/** Media type of a bundle: a bank as one file. */
export const bundleType = 'application/vnd.sandbank.bundle';

/** Media type of a PEM text. */
export const pemType = 'application/x-pem-file';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * One endpoint of the control plane. Its result is that of a 200, or a {@link Created}; the schema of its answer writes
 * it as JSON ({@link written}). {@link controlEndpoint} makes one, typed by its schemas.
 */
export interface ControlEndpoint<
  Body = unknown,
  Answer extends AnswerSchema = AnswerSchema,
  Names extends string = string,
> {
  readonly method: Method;
  /** Below `/sandbox`, in express syntax. */
  readonly path: string;
  /** What it does, in a few words, for the API document. */
  readonly summary?: string;
  /**
   * Media type of its 200 if it is not JSON: of the events of {@link tell}, or of the bytes that {@link handle}
   * returns. With events, {@link handle} refuses a client that does not accept them.
   */
  readonly answerType?: typeof eventStream | typeof bundleType | typeof pemType;
  /** Schema of its 200, closed; of an event stream: of one event. */
  readonly answer: Answer;
  /** It is true if it is a 201, with the same schema, where {@link handle} returns a {@link Created}. */
  readonly creates?: true;
  /** It is true if the console has a page at the same path, to which a browser is sent (303). */
  readonly hasPage?: true;
  /** Its own refusals by status, for the API document. */
  readonly refusals?: Readonly<Partial<Record<404 | 406 | 409 | 429, string>>>;
  /** Allowed query parameters, with their schemas for the API document; others are refused. */
  readonly query?: Readonly<Record<string, AnswerSchema>>;
  /** The schema of the body. Without one a body is ignored. */
  readonly body?: BodySchema;
  /** Media type of a text that the endpoint accepts besides JSON. */
  readonly text?: string;
  /** Maximum size of the body, in bytes. */
  readonly limit?: number;
  readonly handle: (call: ControlCall<Body, Names>) => Promise<AnswerValue<Answer> | Created<AnswerValue<Answer>>>;
  /** Answers a client that accepts `text/event-stream`. */
  readonly tell?: (call: ControlCall<Body, Names>, events: Events) => Promise<void>;
}

/** The result of a call that created something: that of a 201. */
export class Created<Answer = unknown> {
  readonly answer: Answer;

  constructor(answer: Answer) {
    this.answer = answer;
  }
}

/** `POST /sandbox/banks/{name}`. */
export function controlOperation(endpoint: Pick<ControlEndpoint, 'method' | 'path'>): string {
  return `${endpoint.method} /sandbox${endpoint.path.replace(/:(\w+)/g, '{$1}')}`;
}

/** An endpoint whose type says what its call is named and answers. */
export type TypedEndpoint<Name, Answer> = ControlEndpoint & { readonly '~call'?: Name; readonly answer: Answer };

/**
 * The endpoint of a call, named by its method and its path below `/sandbox` in express syntax. Its handlers get the
 * body of its schema, and return what the schema of its answer writes.
 */
export function controlEndpoint<
  const Name extends `${Method} /${string}`,
  Answer extends AnswerSchema,
  Body extends BodySchema = never,
>(
  name: Name,
  own: Omit<ControlEndpoint<Static<Body>, Answer, NamesIn<Name>>, 'method' | 'path' | 'answer' | 'body'> & {
    readonly answer: Answer;
    readonly body?: Body;
  },
): TypedEndpoint<Name, Answer> {
  const [method, path] = name.split(' ') as [Method, string];
  // The one cast of a body: readBody has checked it against this schema.
  return { ...own, method, path } as unknown as TypedEndpoint<Name, Answer>;
}

/** A bank, with everything that the calls of its control plane need. */
export interface ControlledBank {
  readonly bank: Bank;
  readonly config: Config;
  /** Path of the bank: empty, or `/banks/{name}`. */
  readonly base: string;
  readonly faults: ArmedFaults;
  readonly sandboxCa: SandboxCaSource;
  /** The TPPs of the unsigned door. */
  readonly tpps: ThrowAwayTpps;
  /** Shared with everything else that moves the clock or replaces the ledger. */
  readonly turn: Turn;
  /** Whether somebody wants the move of the clock that the call makes to end between two runs. */
  readonly isStopped?: () => boolean;
  /** Judges a request of the interface as the bank would now, without carrying it out. */
  readonly judge: (request: RequestToJudge) => Promise<Judgement>;
}

/** The parts of a request. */
export interface Asked<Names extends string = string> {
  /** Address of the bank: that of the request, without a trailing slash, and `base`. */
  readonly address: string;
  readonly params: Readonly<Record<Names, string>>;
  /** Each parameter at most once. */
  readonly query: ReadonlyMap<string, string>;
  /** The bytes of a body of the endpoint's `text` type. Null if the body is JSON. */
  readonly text: Uint8Array | null;
}

/** A request with its body as JSON. */
type AskedOfBank = Asked & { readonly body: unknown };

export interface ControlCall<Body = unknown, Names extends string = string>
  extends Omit<ControlledBank, 'turn'>, Asked<Names> {
  /** The body, checked against the endpoint's schema; `{}` if empty. Throws a Refusal with all faults (rules.md E3). */
  readBody(): Body;
  /** Runs work that excludes other such work. Throws CONFLICT if some is running. */
  runExclusive<T>(work: () => Promise<T>): Promise<T>;
}

/**
 * Address of the bank in answers, without a slash at the end: the public one if the settings have one, else that of the
 * request.
 */
export function shownAddress({ config, address, base }: Pick<ControlCall, 'config' | 'address' | 'base'>): string {
  return config.publicUrl === null ? address : config.publicUrl + base;
}

function checkedBody({ body: schema }: ControlEndpoint, value: unknown, { quirks }: Bank): unknown {
  assert(schema !== undefined, 'an endpoint that reads a body has a schema');
  validateBody(schema, value, { quirks });
  return value;
}

/**
 * Makes the call of an endpoint from a request to the control plane or to the console, from its JSON body, `{}` without
 * one. Under a quirk that changes ids a request may name those of the wire (rules.md Q3).
 */
export async function callOf(endpoint: ControlEndpoint, of: ControlledBank, asked: AskedOfBank): Promise<ControlCall> {
  const { turn, ...more } = of;
  const changesAny = changesIds(of.bank.quirks);
  const { body, ...named } = changesAny ? await (await import('./wire-ids.ts')).withLedgerIds(of.bank, asked) : asked;
  const readBody = (): unknown => checkedBody(endpoint, body, of.bank);
  return { ...more, ...named, runExclusive: turn.runExclusive, readBody };
}

/**
 * The answer of an endpoint as JSON. Under a quirk that changes ids it has those of the wire beside those of the
 * ledger.
 */
export async function answerTo(endpoint: ControlEndpoint, call: ControlCall): Promise<unknown> {
  const answer = await endpoint.handle(call);
  if (endpoint.answerType !== undefined) return answer;
  if (answer instanceof Created) return new Created(written(endpoint.answer, answer.answer));
  const json = written(endpoint.answer, answer);
  if (!changesIds(call.bank.quirks)) return json;
  const { answerWithBoth } = await import('./wire-ids.ts');
  return answerWithBoth(call.bank, json);
}
