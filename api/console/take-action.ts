import type { Logger } from 'pino';
import { clearTimeout, setTimeout } from '../../engine/time/clock.ts';
import { problemOf, unexpectedProblem } from '../pipeline/problem.ts';
import type { CallAction, ConsoleAction, Done } from './console-view.ts';
import type { Note, Notes } from './notes.ts';
import { noteParameter } from './page-addresses.ts';
import type { PageCall } from './page-call.ts';

interface SentForm {
  readonly action: ConsoleAction;
  readonly call: PageCall;
  readonly fields: ReadonlyMap<string, string>;
  /** Address of the view with the form, below `/console`. */
  readonly cameFrom: string;
  readonly notes: Notes;
  readonly log: Logger;
}

/** How long the page of a form waits for a call that may take long, in ms. */
const formWaitMs = 1_500;

/**
 * Carries out what a form asks for. Returns the address of the page that says what came of it, relative to the form's. The page of the
 * form shows a refusal. Anything unexpected is thrown, or logged once the page no longer waits.
 */
export async function takeAction({ action, call, fields, cameFrom, notes, log }: SentForm): Promise<string> {
  const nothing = {
    done: null,
    isFailure: false,
    isSecret: false,
    problem: null,
    going: null,
    form: call.here,
    fields,
  };
  const viewAfter = (done: Done) => (typeof done === 'string' ? { text: done, to: cameFrom } : done);
  const finish = async (): Promise<Outcome> => {
    try {
      const done = 'act' in action ? await action.act(call, fields) : action.done(await make(call, action, fields));
      const { text, to, leave, isFailure = false, isSecret = false }: Exclude<Done, string> = viewAfter(done);
      return { note: { ...nothing, done: text, isFailure, isSecret }, to, leave };
    } catch (error) {
      const problem = problemOf(error);
      if (problem === null) throw error;
      if (problem.facts.status >= 500) log.error({ err: error }, 'an action of the console failed');
      return { note: { ...nothing, problem: problem.facts }, to: cameFrom };
    }
  };
  const finishing = finish();
  const meanwhile = 'act' in action ? undefined : action.meanwhile;
  const outcome = meanwhile === undefined ? await finishing : await within(formWaitMs, finishing);
  if (outcome?.leave !== undefined) return outcome.leave;
  if (outcome !== null) return call.to(addressWith(notes.keep(outcome.note), outcome.to));
  const { text, to } = viewAfter(meanwhile?.(fields) ?? '');
  const id = notes.keep({ ...nothing, going: text });
  void finishing.then(
    ({ note }) => notes.change(id, note),
    (error: unknown) => {
      log.error({ err: error }, 'an action of the console failed');
      notes.change(id, { ...nothing, problem: unexpectedProblem().facts });
    },
  );
  return call.to(addressWith(id, to));
}

/** Makes the call of an action, as a client would: members of the body without a value are left out. */
function make(call: PageCall, action: CallAction, fields: ReadonlyMap<string, string>): Promise<unknown> {
  const { method, path, answer, body, movesClock = false } = action;
  const sent: unknown = JSON.parse(JSON.stringify(body?.(fields) ?? {}));
  return call.carryOut(method, action.call ?? path, answer, { params: call.params }, sent, movesClock);
}

interface Outcome {
  readonly note: Note;
  readonly to: string;
  readonly leave?: string | undefined;
}

function addressWith(note: string, to: string): string {
  const [path = '', search = ''] = to.split('?');
  const query = new URLSearchParams(search);
  query.set(noteParameter, note);
  return `${path}?${query}`;
}

/** The result of the work; null: it takes longer. */
async function within<T>(ms: number, work: Promise<T>): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
