import type { Bank } from '../../engine/bank.ts';
import type { Quirk, Quirks } from '../../engine/bank/rules/quirk.ts';
import type { Call } from '../pipeline/endpoint.ts';
import type { AskedRequest, ShownAnswer } from '../pipeline/shaping.ts';

/** A request as habits see it. */
export interface HabitContext {
  readonly bank: Bank;
  /** The quirks that were on when the request came, with their values. */
  readonly quirks: Quirks;
  /** The request that is answered; null: it was refused before it was read. */
  readonly call: Call | null;
}

/** A request that is being read. */
export interface ReadingContext extends Pick<Call, 'tpp' | 'headers'> {
  readonly bank: Bank;
  readonly quirks: Quirks;
}

/** One habit of a bank: what its quirk shows otherwise than the document (rules.md Q2). It changes no value that it is given. */
export interface Habit {
  /** Shows an answer; the same object if the habit does not concern it. */
  readonly show?: (answer: ShownAnswer, context: HabitContext) => ShownAnswer | Promise<ShownAnswer>;
  /** For a habit that several quirks share: whether this quirk concerns the answer. */
  readonly isOf?: (name: Quirk, answer: ShownAnswer) => boolean;
  /** Reads back what it showed: the path, query and body as the engine knows them. What it cannot read stays as it is. */
  readonly read?: (asked: AskedRequest, context: ReadingContext) => AskedRequest | Promise<AskedRequest>;
}
