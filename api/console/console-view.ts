import type { AnswerSchema, Static } from '../bodies/schema.ts';
import type { HtmlValue } from '../pages/html.ts';
import type { ProblemFacts } from '../pipeline/problem.ts';
import type { Note } from './notes.ts';
import type { Books } from './proof/books.ts';
import type { ScenarioPlays } from './scenarios/plays.ts';

/** Kinds of events of `GET /sandbox/events`. */
type EventKind = 'payment' | 'run' | 'clock' | 'sca' | 'request' | 'reset';

type Texts = Readonly<Record<string, string>>;

/** A page of the console with an address of its own. It reads the bank through the control plane only. */
export interface ConsoleView {
  /** Below `/console`, in express syntax; empty: the first page. */
  readonly path: string;
  /** Its link in the navigation; left out: it has none. */
  readonly nav?: string;
  /** The events after which it is read anew. */
  readonly live?: readonly EventKind[];
  readonly show: (call: ViewCall) => Promise<Shown>;
}

/** What a view shows. */
export interface Shown {
  /** The heading of the page. */
  readonly title: HtmlValue;
  /** The heading as plain text, for the title of the window; left out: the heading is a text. */
  readonly windowTitle?: string;
  readonly content: HtmlValue;
  /** Whether it goes on without events: the page is read anew each second. */
  readonly goesOn?: boolean;
}

/** A request for a view, and what it may ask. */
export interface ViewCall extends Linking {
  readonly params: Texts;
  /** Whether the control plane of this bank has a GET of this path. */
  has(path: string): boolean;
  /** The bank's name; `default` at the root. */
  readonly bankName: string;
  /** The scenarios that the consoles of this server play; null: it makes no banks to play them in, as one inside a test. */
  readonly plays: ScenarioPlays | null;
  /** What is known of the books. */
  readonly books: Books;
  /** Address of a view of another bank's console, relative to this page. */
  toBank(name: string, path?: string): string;
  /** Parameters with a value, the first of each name. */
  readonly query: ReadonlyMap<string, string>;
  /**
   * The answer of a GET of the control plane, by its path in express syntax. `answer` is the schema of the endpoint. Parameters of
   * the query that are undefined or empty are left out. Throws what the endpoint throws. The page shows the call as a line for curl.
   */
  ask<Answer extends AnswerSchema>(path: string, answer: Answer, asked?: Asked): Promise<Static<Answer>>;
  /** The same; what the endpoint refuses is told in a problem, to show with the page. */
  attempt<Answer extends AnswerSchema>(path: string, answer: Answer, asked?: Asked): Promise<Attempt<Answer>>;
}

/** An answer, or why there is none. */
export type Attempt<Answer extends AnswerSchema> =
  | { readonly answer: Static<Answer>; readonly problem: null }
  | { readonly answer: null; readonly problem: ProblemFacts };

/** What pieces of a page need of the request: addresses, and how their forms reach the bank. */
export interface Linking {
  /** Address of a view, relative to this page. `path` is below `/console`, made by {@link pathTo}. */
  to(path: string): string;
  /** The line for curl that makes a call of the control plane. `path` is below `/sandbox`, made by {@link pathTo}. */
  curl(method: string, path: string, body?: unknown): string;
  /** Address of the bank, without a slash at its end. */
  readonly address: string;
  /** What came of the form that led here. */
  readonly note: Note | null;
  /** The token that every form carries. */
  readonly formToken: string;
  /** Path and query of this page below `/console`. */
  readonly here: string;
}

export interface Asked {
  readonly params?: Texts;
  readonly query?: Readonly<Record<string, string | undefined>>;
}

/** What a form of the console does. */
export type ConsoleAction = CallAction | OwnAction;

/** A form that makes one call of the control plane. Make it with {@link consoleAction}. */
export interface CallAction<Answer = unknown> {
  /** Below `/console`, in express syntax. */
  readonly path: string;
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below `/sandbox`, in express syntax; its parameters are those of the path. Left out: the path. */
  readonly call?: string;
  /** The schema of the endpoint's answer. */
  readonly answer: AnswerSchema;
  /** The body of the call, made of the fields that have a value; left out: none. */
  readonly body?: (fields: ReadonlyMap<string, string>) => unknown;
  readonly done: (answer: Answer, taken: Taken) => Done;
  /** What to say while a call goes on that takes long, and the view to show; left out: its page waits for it. */
  readonly meanwhile?: (taken: Taken) => Done;
}

/** A form that does what is no call of the control plane. */
export interface OwnAction {
  /** Below `/console`, in express syntax. */
  readonly path: string;
  /** The command line that does the same. */
  line(params: Texts, call: Linking): string;
  /** Throws a Problem for what it refuses. */
  act(call: ViewCall, fields: ReadonlyMap<string, string>): Promise<Done>;
}

interface Taken {
  readonly params: Texts;
  readonly fields: ReadonlyMap<string, string>;
}

/** What to say of an action that succeeded. */
export interface Done {
  readonly text: string;
  /** The view to show, below `/console`, made by {@link pathTo}; left out: the one with the form. */
  readonly to?: string;
}

/** An action whose answer has the type of its schema. */
export function consoleAction<Answer extends AnswerSchema>(
  own: CallAction<Static<Answer>> & { readonly answer: Answer },
): CallAction {
  // The endpoint of the call has this schema: the router checks it.
  return own as CallAction;
}

/** A path in express syntax with its parameters, and a query of those that have a value. */
export function pathTo(path: string, { params = {}, query = {} }: Asked = {}): string {
  const filled = path.replaceAll(/:(\w+)/g, (_whole, name: string) => encodeURIComponent(params[name] ?? ''));
  const search = new URLSearchParams(
    Object.entries(query).filter((entry): entry is [string, string] => (entry[1] ?? '') !== ''),
  );
  return search.size === 0 ? filled : `${filled}?${search}`;
}
