import { type AnswerTo, type CallName, partsOf } from '../openapi/calls.ts';
import type { HtmlValue } from '../pages/html.ts';
import type { PageCall } from './page-call.ts';

/** Kinds of events of `GET /sandbox/events`. */
type EventKind = 'payment' | 'run' | 'clock' | 'sca' | 'request' | 'reset';

type Texts = Readonly<Record<string, string>>;

/** A page of the console with an address of its own. It reads the bank through the control plane only. */
export interface ConsoleView {
  /** Below `/console`, in express syntax; empty: the first page. */
  readonly path: string;
  /** Its link in the navigation; left out: it has none. */
  readonly nav?: string;
  /** Each of these events reloads the view. */
  readonly live?: readonly EventKind[];
  readonly show: (call: PageCall) => Promise<Shown>;
}

/** What a view shows. */
export interface Shown {
  /** The heading of the page. */
  readonly title: HtmlValue;
  /** The heading as plain text, for the title of the window; left out: the heading is a text. */
  readonly windowTitle?: string;
  readonly content: HtmlValue;
  /** Whether it changes without events: the page reloads each second. */
  readonly goesOn?: boolean;
}

/** What a form of the console does. */
export type ConsoleAction = CallAction | OwnAction;

/** A form that makes one call of the control plane. Make it with {@link consoleAction}. */
export interface CallAction<Answer = unknown> {
  /** Its method, and its path below `/sandbox`, whose parameters are those of {@link path}. */
  readonly call: CallName;
  /** Below `/console`, in express syntax. */
  readonly path: string;
  /** The body of the call, made of the fields that have a value; JSON leaves out undefined members. Left out: no body. */
  readonly body?: (fields: ReadonlyMap<string, string>) => unknown;
  /** Whether it moves the clock, which can then be undone. */
  readonly movesClock?: boolean;
  readonly done: (answer: Answer) => Done;
  /** What to say during a long call, and the view to show; left out: the page waits for the call. */
  readonly meanwhile?: (fields: ReadonlyMap<string, string>) => Done;
}

/** A form that does more than one call of the control plane, or something else. */
export interface OwnAction {
  /** Below `/console`, in express syntax. */
  readonly path: string;
  /** The command line that does the same. Without it the page shows none. */
  readonly line?: (params: Texts, call: PageCall) => string;
  /** Throws a Problem for what it refuses. */
  act(call: PageCall, fields: ReadonlyMap<string, string>): Promise<Done>;
}

/**
 * What to say of an action that was carried out, and the view to show: `to` is below `/console`, made by pathTo. A text alone: the one with
 * the form. `isFailure`: it did not do what its user wanted, and the text says what to do. `leave`: the browser goes to this address
 * outside the console, relative to the page, and nothing is said. `isSecret`: the text is shown once.
 */
export type Done =
  | string
  | {
      readonly text: string;
      readonly to: string;
      readonly isFailure?: boolean;
      readonly leave?: string;
      readonly isSecret?: boolean;
    };

/** An action: the call that it makes, its path below `/console` where that is another, and what it says. */
export function consoleAction<Name extends CallName>(
  call: Name,
  own: Omit<CallAction<AnswerTo<Name>>, 'call' | 'path'> & { readonly path?: string },
): CallAction {
  // The answer is the one of this call.
  return { path: partsOf(call)[1], ...own, call } as CallAction;
}
