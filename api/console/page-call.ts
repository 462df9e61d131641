import type { Request } from 'express';
import type { AtDoor } from '../control/payments/make-payment.ts';
import { answerTo, callOf, type ControlEndpoint, type ControlledBank } from '../control/control-endpoint.ts';
import { type AnswerTo, type Asked, type CallName, partsOf, pathTo, withValue } from '../openapi/calls.ts';
import { curlLine } from '../pages/curl-line.ts';
import { askedAddress } from '../pipeline/addresses.ts';
import { Problem, type ProblemFacts, problemOf } from '../pipeline/problem.ts';
import { lackingWords } from '../start/config.ts';
import type { BankMoves } from './clock/moves.ts';
import type { Note, Notes, Stretch } from './notes.ts';
import { PageAddresses } from './page-addresses.ts';
import type { HtmlValue } from '../pages/html.ts';

/** A bank as its console sees it. */
export interface ConsoleBank extends ControlledBank {
  /** The server's own address, for requests that name no host. */
  readonly address: string;
  /** The calls of its control plane. */
  readonly endpoints: readonly ControlEndpoint[];
  /** The moves of its clock that can be undone. */
  readonly moves: BankMoves;
  readonly atDoor: AtDoor;
}

type Texts = Readonly<Record<string, string>>;

/** What a GET answers, by its path. */
type Answered<Path extends string> = `GET ${Path}` extends CallName ? AnswerTo<`GET ${Path}`> : never;

/** The paths of the calls that read. */
type ReadPath = { [Name in CallName]: Name extends `GET ${infer Path}` ? Path : never }[CallName];

/** An answer, or the problem that was answered instead. */
type Attempt<Answer> =
  | { readonly answer: Answer; readonly problem: null }
  | { readonly answer: null; readonly problem: ProblemFacts };

/**
 * One request for a page of the console: what it asks the bank, through the control plane only, and the addresses in
 * it.
 */
export class PageCall extends PageAddresses {
  /** Parameters of the path of the view. */
  readonly params: Texts;
  /** Parameters with a value, the first of each name. */
  readonly query: ReadonlyMap<string, string>;
  /** What came of the form that led here. */
  readonly note: Note | null;
  /** The token that every form carries. */
  readonly formToken: string;
  /** Lines for curl of what was asked. */
  readonly lines: string[] = [];
  /**
   * Shell lines that do the same as the forms of the page, by form. Forms that differ in a parameter alone share one.
   */
  readonly formLines = new Map<string, string>();
  readonly moves: BankMoves;
  /** What forms did, to keep and to find by id. */
  readonly notes: Notes;
  /** Address of the bank, without a slash at its end. */
  readonly address: string;
  readonly #of: ConsoleBank;
  #clock: AnswerTo<'GET /clock'> | null = null;

  constructor(
    of: ConsoleBank,
    request: Request,
    { note, formToken, notes }: Pick<PageCall, 'note' | 'formToken' | 'notes'>,
  ) {
    super(request, of.base);
    this.#of = of;
    this.moves = of.moves;
    this.note = note;
    this.formToken = formToken;
    this.notes = notes;
    this.params = request.params as Texts;
    this.address = `${askedAddress(request, of.address)}${of.base}`;
    this.query = new Map([...this.parameters].toReversed().filter(([, value]) => value !== ''));
  }

  /** The values of these parameters of the query, or undefined if the parameter has none. */
  given(...names: readonly string[]): Readonly<Record<string, string | undefined>> {
    return Object.fromEntries(names.map((name) => [name, this.query.get(name)]));
  }

  /**
   * What the bank is called: its name, with the profile that it acts by in parentheses. A bank of the platform, and the
   * bank at the root, have the name of their profile alone. Null for the bank at the root without a profile. Says if
   * quirks of the profile are not on.
   */
  get title(): string | null {
    const { config, bank } = this.#of;
    const own = this.bankName === 'default' ? null : this.bankName;
    if (config.profile === null) return own;
    const acts = config.profile.name + lackingWords(config, bank.quirks);
    return own === null || own === config.profile.id ? acts : `${own} (${acts})`;
  }

  /** Whether the control plane of this bank has a GET of this path. */
  has(path: string): boolean {
    return this.#endpoint(`GET ${path}`) !== undefined;
  }

  /** The schema of the body of a call, or undefined if it has none. */
  schemaOf(name: CallName): ControlEndpoint['body'] {
    return this.#endpoint(name)?.body;
  }

  #endpoint(name: string): ControlEndpoint | undefined {
    return this.#of.endpoints.find(({ method, path }) => `${method} ${path}` === name);
  }

  /** Address of a view of another bank's console, relative to this page. */
  toBank(name: string, path = ''): string {
    const root = this.#of.base === '' ? this.up : `${this.up}../../`;
    return `${root}${name === 'default' ? '' : `banks/${encodeURIComponent(name)}/`}console${path}`;
  }

  /** Address of the bank in the answers of its control plane, without a slash at its end. */
  get ownAddress(): string {
    const { config, base } = this.#of;
    return config.publicUrl === null ? this.address : config.publicUrl + base;
  }

  /** Sends a POST through the unsigned door, as a TPP of this name. */
  sendAtDoor(tpp: string, path: string): ReturnType<AtDoor> {
    return this.#of.atDoor(this, { tpp, path, headers: {} });
  }

  /** The line for curl that makes a call of the control plane. */
  curl(name: CallName, asked: Asked, body?: unknown): string {
    const [method, path] = partsOf(name);
    const hasBody = body !== undefined;
    const line = curlLine({
      method,
      url: new URL(`${this.address}/sandbox${pathTo(path, asked)}`),
      headers: method === 'GET' ? {} : { 'content-type': 'application/json' },
      body: Buffer.from(hasBody ? JSON.stringify(body) : ''),
    });
    const isOpen = this.#of.config.controlToken === null;
    return isOpen ? line : `${line} -H "Authorization: Bearer $SANDBANK_CONTROL_TOKEN"`;
  }

  /**
   * The answer of a GET of the control plane, by its path in express syntax. Parameters of the query that are undefined
   * or empty are left out. Throws what the endpoint throws. The page shows the call as a line for curl.
   */
  ask<Path extends ReadPath>(path: Path, asked: Asked = {}): Promise<Answered<Path>> {
    this.lines.push(this.curl(`GET ${path}` as CallName, asked));
    return this.read(path, asked);
  }

  /** The same; what the endpoint refuses becomes a problem, to show with the page. */
  async attempt<Path extends ReadPath>(path: Path, asked: Asked = {}): Promise<Attempt<Answered<Path>>> {
    try {
      return { answer: await this.ask(path, asked), problem: null };
    } catch (error) {
      const problem = problemOf(error);
      if (problem === null || problem.facts.status >= 500) throw error;
      return { answer: null, problem: problem.facts };
    }
  }

  /** The answer of a GET, without a line for curl. */
  read<Path extends ReadPath>(path: Path, asked: Asked = {}): Promise<Answered<Path>> {
    return this.carryOut(`GET ${path}` as CallName, asked) as Promise<Answered<Path>>;
  }

  /** The bank clock, read once. It is on every page, and no line for curl is shown for it. */
  async clock(): Promise<AnswerTo<'GET /clock'>> {
    this.#clock ??= await this.read('/clock');
    return this.#clock;
  }

  /** The year of the bank, once its clock was read. */
  get year(): string | null {
    return this.#clock?.date.slice(0, 4) ?? null;
  }

  /**
   * Makes a call of the control plane, and shows no line for it. Throws what the endpoint throws. `movesClock`: the
   * move can then be undone (docs/spec/control-plane.md C10). A body that is a text is not JSON.
   */
  async carryOut(
    name: CallName | 'GET /bundle',
    { params = {}, query = {} }: Asked = {},
    body: unknown = {},
    movesClock = false,
  ): Promise<unknown> {
    const endpoint = this.#endpoint(name);
    // No page of a named bank has a form of such a call, and a client can send one.
    if (endpoint === undefined) throw new Problem({ status: 404, detail: `Only the bank at the root has ${name}.` });
    const of = movesClock
      ? { ...this.#of, turn: this.moves.recording(), isStopped: () => this.moves.isStopped }
      : this.#of;
    const text = typeof body === 'string' ? Buffer.from(body) : null;
    const request = { address: this.address, params, query: new Map(withValue(query)), text, body };
    return answerTo(endpoint, await callOf(endpoint, of, request));
  }
}

/**
 * Kinds of events of `GET /sandbox/events` that renew some pages. A run, a change of the clock and a reset renew every
 * page.
 */
type EventKind = 'payment' | 'sca' | 'request';

/**
 * A page of the console with an address of its own, made by {@link view}. It reads the bank through the control plane
 * only.
 */
export interface ConsoleView {
  /** Below `/console`, in express syntax. Empty means the first page. */
  readonly path: string;
  /** Each of these events reloads the view. */
  readonly live: readonly EventKind[];
  readonly show: (call: PageCall) => Shown | Promise<Shown>;
}

/**
 * A page of the console. `path`: below `/console`, in express syntax. Empty means the first page. `live`: the events
 * that reload it.
 */
export function view(path: string, live: ConsoleView['live'], show: ConsoleView['show']): ConsoleView {
  return { path, live, show };
}

/** The views of one subject, and what their forms do. */
export interface ConsoleRoom {
  readonly views: readonly ConsoleView[];
  readonly actions?: readonly ConsoleAction[];
}

/** What a view shows. */
export interface Shown {
  /** The heading of the page. */
  readonly title: HtmlValue;
  /** The title of the window, by default the heading. */
  readonly windowTitle?: string;
  /** What the page is for, below its heading. */
  readonly lead?: HtmlValue;
  readonly content: HtmlValue;
}

/** What a form of the console does. */
export type ConsoleAction = CallAction | OwnAction;

/** A form that makes one call of the control plane. Make it with {@link consoleAction}. */
export interface CallAction<Answer = unknown> {
  /** Its method, and its path below `/sandbox`, whose parameters are those of {@link path}. */
  readonly call: CallName;
  /** Below `/console`, in express syntax. */
  readonly path: string;
  /** Members of the body of the call that are not what the field of their name has. */
  readonly body?: (fields: ReadonlyMap<string, string>) => object;
  /** Whether it moves the clock, which can then be undone. */
  readonly movesClock?: boolean;
  /** `cameFrom`: the view with the form. */
  readonly done: (answer: Answer, cameFrom: string) => Done;
  /** What to say during a long call, and the view to show. Without it the page waits for the call. */
  readonly meanwhile?: (fields: ReadonlyMap<string, string>) => Done;
}

/**
 * A form that makes more than one call of the control plane, or does something else. Make it with {@link ownAction}.
 */
export interface OwnAction {
  /** Below `/console`, in express syntax. */
  readonly path: string;
  /** The command that does the same, with `:name` for that parameter of the path. Null if the page shows none. */
  readonly command: string | null;
  /** Throws a Problem for what it refuses. */
  readonly act: (call: PageCall, fields: ReadonlyMap<string, string>) => Promise<Done>;
}

/** A form: its path below `/console`, the command that does the same, and what it does. */
export function ownAction(path: string, command: string | null, act: OwnAction['act']): OwnAction {
  return { path, command, act };
}

/**
 * What to say of an action that was carried out, and the view to show: `to` is below `/console`, made by pathTo.
 * Without it, and of a text alone: the view with the form. `isFailure`: it did not do what its user wanted, and the
 * text says what to do. `leave`: the browser goes to this address outside the console, relative to the page, and
 * nothing is said. `moved`: the clock was moved.
 */
export type Done =
  | string
  | {
      readonly text: string;
      readonly to?: string;
      readonly moved?: Stretch;
      readonly isFailure?: boolean;
      readonly leave?: string;
    };

/** An action: the call that it makes, its path below `/console` where that is another, and what it says. */
export function consoleAction<Name extends CallName>(
  call: Name,
  own: Omit<CallAction<AnswerTo<Name>>, 'call' | 'path'> & { readonly path?: string },
): CallAction {
  // The answer is the one of this call.
  return { path: partsOf(call)[1], ...own, call } as CallAction;
}
