import type { Bank } from '../../engine/open-bank.ts';
import type { Quirk, QuirkValue, Quirks } from '../../engine/bank/rules/quirk.ts';
import type { Call } from '../pipeline/endpoint.ts';
import type { AskedRequest, ShownAnswer } from '../pipeline/shaping.ts';
import type { Contract, Moment } from './contract.ts';
import type { Hearing } from './hearing.ts';

/** A request as quirks see it. */
export interface ShowingContext {
  readonly bank: Bank;
  /** The quirks that were on when the request came, with their values. */
  readonly quirks: Quirks;
  /** The request that is answered, or null if it was refused before it was read. */
  readonly call: Call | null;
}

/** A request that is being read. */
export interface ReadingContext extends Pick<Call, 'tpp' | 'headers'> {
  readonly bank: Bank;
  readonly quirks: Quirks;
}

/**
 * All of a quirk but its entry in engine/bank/rules/quirk.ts and its rule in the engine. The file has the name of the
 * quirk, and is loaded when the quirk is first met. A quirk changes no value that it is given.
 */
export interface QuirkFile<Name extends Quirk = Quirk> {
  /** What it is about: the console's switches stand by it. */
  readonly group: 'ids' | 'texts' | 'dates' | 'money' | 'consents' | 'failures' | 'requests';
  /**
   * What it changes, a sentence without the rule and the full stop: `--help`, `/sandbox/info`, the guide and the
   * console have it.
   */
  readonly does: string;
  /** The banks that were seen to do so. Left out: none was. */
  readonly banks?: readonly string[];
  /** Lines of the register of what banks do in production. Left out: those of `lines`. */
  readonly register?: readonly number[];
  /** Its section of docs/habits.md. */
  readonly lines?: QuirkLines;
  /** When it shapes an answer. Left out: `members`. */
  readonly step?: 'texts' | 'members' | 'pending' | 'ids';
  /** Shows an answer; the same object if the quirk does not concern it. */
  readonly show?: (answer: ShownAnswer, context: ShowingContext) => ShownAnswer | Promise<ShownAnswer>;
  /**
   * What it changes in the API document (rules.md E10): `values`, if an answer has other values, dates or amounts in
   * the same form; else a pure function, which gets the document as the quirks before it have changed it. `moment`:
   * null, if the document is for any time.
   */
  readonly shape: 'values' | Shape<Name>;
  /**
   * Reads back what it showed: the path, query and body as the engine knows them. What it cannot read stays as it is.
   */
  readonly read?: (asked: AskedRequest, context: ReadingContext) => AskedRequest | Promise<AskedRequest>;
  /** Whether an answer of the engine has what the quirk does there. Left out: that is what `show` changes. */
  readonly met?: (answer: ShownAnswer, context: ShowingContext) => boolean;
  /** How the gauntlet tells whether a suite of tests hears it, beside an answer that it changes, or that is `met`. */
  readonly heard?: Hearing;
  /** The value that the gauntlet tries. Left out: the usual one. */
  readonly tried?: string;
  /** Values that the gauntlet tries too. Left out: the words of its form. */
  readonly triedToo?: readonly string[];
}

/** Says in the API document what a quirk with this value changes. */
type Shape<Name extends Quirk> = {
  // A method, so that a table holds the shapes of all quirks.
  shape(document: Contract, value: QuirkValue<Name>, moment: Moment | null): Contract;
}['shape'];

/** One line of docs/habits.md: what banks do beside the document, and the mistake that it leads to. */
export interface QuirkLine {
  /** What a client sees, as one sentence. */
  readonly what: string;
  /** The value of its quirk that shows it, if the quirk takes one. */
  readonly value?: string;
  /** Where it was seen. */
  readonly seen: {
    /** Lines of the register of what banks do in production. */
    readonly register: readonly number[];
    /** Keys of the facts that tell of it, in fixtures/profiles. */
    readonly facts?: readonly string[];
    /** The profiles in which they do. Left out: any. */
    readonly profiles?: readonly string[];
    /** Other banks that were seen to do so, each with the day of the source and how it is known. */
    readonly others?: readonly string[];
  };
  /** What clients do wrong because of it. */
  readonly mistake: string;
}

/** Lines by their numbers, such as `H1`. A number is never given to another line. */
export type QuirkLines = Readonly<Record<`H${number}`, QuirkLine>>;
