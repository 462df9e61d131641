import type { AnswerTo, CallName } from '../../api/openapi/calls.ts';
import type { AnswerColumn } from '../../api/openapi/columns.ts';
import { quote } from '../../engine/values/text.ts';
import { answerLines } from './answer-lines.ts';
import { optionsOf, type Command } from './arguments.ts';
import { formOf, type Taken } from './call-forms.ts';
import { type Flags, WrongUse } from './command.ts';
import { fixturesToSend } from './file-input.ts';
import { numberIn } from './flag-values.ts';
import { printAnswer } from './output.ts';
import { serverCommand, type ServerCall } from './server-command.ts';

/** What a command does, or one of its verbs. */
export interface Action {
  /** What it does, in a sentence. */
  readonly summary: string;
  /** Its words, as its usage has them; one in brackets may be left out. */
  readonly words: readonly string[];
  /** Words and necessary flags, by default its words. */
  readonly usage?: string;
  readonly flags?: Flags;
  /** Further paragraphs of its help. */
  readonly notes?: readonly string[];
  /** Throws as a command does. */
  run(call: ServerCall, words: readonly string[]): Promise<void>;
}

/** How the command line has the members of a call, and a screen the lists of its answer. */
interface Line<Name extends CallName> {
  /** Members that are words, in their order, with the names that the usage has. */
  readonly words?: Readonly<Record<string, string>>;
  /** The members that are flags, with their names. By default all others, under their own names. */
  readonly flags?: Readonly<Record<string, string>>;
  /** Members that must be given, by default those that the call cannot do without. */
  readonly required?: readonly string[];
  /** The body to send, of the members that were typed; by default these. */
  readonly body?: (typed: Readonly<Record<string, unknown>>, call: ServerCall) => object | Promise<object>;
  /** The answer on a screen, by default its members. Throws a CommandFailed for an answer that tells a refusal. */
  readonly lines?: (answer: AnswerTo<Name>, call: ServerCall) => readonly string[];
  /** Columns of the lists of its answer, by default their members. */
  readonly columns?: {
    readonly [Member in keyof AnswerTo<Name>]?: AnswerTo<Name>[Member] extends readonly (infer Row)[]
      ? readonly AnswerColumn<Row>[]
      : never;
  };
}

/**
 * An action that passes a call on and prints the answer. Its words, flags and help are those of the control document.
 */
export function passOn<Name extends CallName>(
  call: Name,
  {
    words = {},
    flags,
    body: bodyOf = (typed) => typed,
    columns = {},
    required,
    lines = (told) => answerLines(told, columns),
  }: Line<Name> = {},
): Action {
  const { summary, takes, member } = formOf(call);
  const memberOf = (name: string): Taken | undefined => takes.find((one) => one.name === name);
  const mustBeGiven = (name: string): boolean => required?.includes(name) ?? memberOf(name)?.isRequired === true;
  const takesBody = takes.some((one) => one.in === 'body');
  const flagNames = flags ?? Object.fromEntries(takes.map(({ name }) => [name, dashed(name)]));
  const inFlags = Object.entries(flagNames).filter(([name]) => !Object.hasOwn(words, name));
  const needed = inFlags
    .filter(([name]) => mustBeGiven(name))
    .map(([name, flag]) => flagOf(flag, memberOf(name))[0].replaceAll(/[<>]/g, ''));
  return {
    summary: `${summary}.`,
    words: Object.values(words),
    usage: [...Object.values(words), ...needed].join(' '),
    flags: Object.fromEntries(inFlags.map(([name, flag]) => flagOf(flag, memberOf(name)))),
    notes: Object.entries(words).map(
      ([name, word]) => `${word.replaceAll(/[[\]]/g, '')}: ${memberOf(name)?.what ?? ''}`,
    ),
    run: async (of, typed) => {
      const sent: Sent = { params: {}, query: {}, body: {} };
      for (const [index, name] of Object.keys(words).entries())
        if (typed[index] !== undefined) put(sent, memberOf(name), typed[index]);
      for (const [name, flag] of inFlags) {
        const taken = memberOf(name);
        const text = taken?.kind === 'list' ? of.given.texts(flag).join(',') : of.given.text(flag);
        if (of.given.has(flag)) put(sent, taken, text ?? '');
        else if (mustBeGiven(name)) throw new WrongUse(`--${flag} is missing`);
      }
      const body = takesBody ? { body: await bodyOf(sent.body, of) } : {};
      const asked = { params: sent.params, query: sent.query, ...body };
      const answer = await of.client.ask(call, member as keyof AnswerTo<Name> & string, asked);
      const printed = lines(answer, of);
      printAnswer(of, answer, () => printed);
    },
  };
}

interface Sent {
  readonly params: Record<string, string>;
  readonly query: Record<string, string>;
  readonly body: Record<string, unknown>;
}

/** Puts a typed text where the call takes it. The bank refuses a wrong one. */
function put({ params, query, body }: Sent, taken: Taken | undefined, text: string): void {
  if (taken === undefined) return;
  const { name, kind } = taken;
  const choice = taken.values.find((one) => one.toLowerCase() === text.toLowerCase()) ?? text;
  if (taken.in === 'path') params[name] = text;
  else if (taken.in === 'query') query[name] = choice;
  else {
    const value = kind === 'list' ? text.split(',').map(numberIn) : kind === 'number' ? numberIn(text) : choice;
    const [outer = '', inner] = name.split('.');
    const whole = kind === 'switch' ? true : kind === 'file' ? fixturesToSend(text, dashed(name)) : value;
    body[outer] = inner === undefined ? whole : { ...Object(body[outer]), [inner]: whole };
  }
}

/** `debtorAccount` as a flag: `debtor-account`. */
function dashed(member: string): string {
  return member.replaceAll('.', '-').replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Maximum number of values that a help lists. */
const maxChoices = 12;

function flagOf(flag: string, taken: Taken | undefined): [flag: string, what: string] {
  const { kind = 'switch', values = [], what = '' } = taken ?? {};
  if (kind === 'switch') return [`--${flag}`, what];
  const placeholder = { text: 'VALUE', number: 'N', list: 'A,B', file: 'NAME|PATH' }[kind];
  const choices = values.length === 0 || values.length > maxChoices ? '' : ` One of ${values.join(', ')}.`;
  return [`--${flag} <${placeholder}>`, `${what}${choices}`];
}

function isNeeded(word: string): boolean {
  return !word.startsWith('[');
}

/** What a command has beside its actions. */
interface Own extends Partial<Pick<Command, 'settings' | 'notes'>>, Pick<Command, 'name' | 'examples'> {
  readonly atRoot?: true;
}

/** A command of one action. */
export function plainCommand({ notes = [], ...own }: Own, action: Action): Command {
  const { summary, words, usage = words.join(' '), flags = {}, notes: ofAction = [] } = action;
  return serverCommand({
    ...own,
    summary,
    usage,
    words: [words.filter(isNeeded).length, words.length],
    flags,
    notes: [...ofAction, ...notes],
    run: (call) => action.run(call, call.given.words),
  });
}

/** A command whose first word names the action. A wrong word is a WrongUse that names them. */
export function commandOfVerbs(
  { notes = [], ...own }: Own & Pick<Command, 'summary'>,
  actions: Readonly<Record<string, Action>>,
): Command {
  const all = Object.entries(actions);
  const usages = all.map(([verb, { words }]) => [verb, ...words].join(' '));
  return serverCommand({
    ...own,
    usage: usages.length === 1 ? usages.join('') : `(${usages.join(' | ')})`,
    // Counted below, after the verb is known.
    words: [0, Number.POSITIVE_INFINITY],
    flags: Object.assign({}, ...all.map(([, { flags }]) => flags)) as Flags,
    notes: [...all.map(([, { summary }], index) => `${usages[index]}: ${summary}`), ...notes],
    run: async (call) => {
      const [verb, ...typed] = call.given.words;
      const oneOf = `expected one of ${Object.keys(actions).join(', ')}`;
      if (verb === undefined) throw new WrongUse(`${own.name} has no verb: ${oneOf}`);
      const action = Object.hasOwn(actions, verb) ? actions[verb] : undefined;
      if (action === undefined) throw new WrongUse(`${quote(verb)} is no verb of ${own.name}; ${oneOf}`);
      const { words, flags: taken = {} } = action;
      if (typed.length < words.filter(isNeeded).length)
        throw new WrongUse(`${own.name} ${verb} takes a ${words.join(' and a ')}`);
      const tooMuch = typed[words.length];
      if (tooMuch !== undefined) throw new WrongUse(`${quote(tooMuch)} is one word too many`);
      const ofOthers = all.flatMap(([, { flags }]) => optionsOf(flags ?? {})).map((option) => option.name());
      const its = optionsOf(taken).map((option) => option.name());
      const wrong = ofOthers.find((flag) => call.given.has(flag) && !its.includes(flag));
      if (wrong !== undefined) throw new WrongUse(`--${wrong} is no flag of ${own.name} ${verb}`);
      await action.run(call, typed);
    },
  });
}
