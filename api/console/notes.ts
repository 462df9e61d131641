import { randomIds } from '../../engine/bank/ids.ts';
import { keepNewest } from '../../engine/values/lists.ts';
import type { ProblemFacts } from '../pipeline/problem.ts';

/** Two instants of answers, in their order. */
export interface Stretch {
  readonly from: string;
  readonly to: string;
}

/** The result of a form, shown on the next page. */
export interface Note {
  /** Address of the form, below `/console`, if a page says that there was a form. */
  readonly form?: string;
  /** What was entered, for a form that is shown again, and what its page shows besides. */
  readonly fields: ReadonlyMap<string, string>;
  /** What is under way. */
  readonly going?: string;
  /** What was done. */
  readonly done?: string;
  /** Whether the call was carried out without the effect that the form is for. */
  readonly isFailure?: boolean;
  /** The stretch of bank time of a move of the clock, whose page tells what happened on it. */
  readonly moved?: Stretch | undefined;
  /** Why nothing was done. */
  readonly problem?: ProblemFacts;
}

/** The id of the last refusal of a form, for one browser and one page with the form. No address has this id. */
export function lastRefusalId(...form: readonly [formToken: string, page: string, form: string]): string {
  return JSON.stringify(form);
}

/** Maximum number of notes; a new one then replaces the oldest. */
const maxNotes = 100;

/** The last notes of a bank's console, in memory, by ids that are in the addresses of pages. */
export class Notes {
  readonly #notes = new Map<string, Note>();

  /** Keeps a note; its id. */
  keep(note: Note, id = randomIds.secret()): string {
    keepNewest(this.#notes, id, note, maxNotes);
    return id;
  }

  /** Replaces a note. */
  change(id: string, note: Note): void {
    this.#notes.set(id, note);
  }

  forget(id: string): void {
    this.#notes.delete(id);
  }

  find(id: string | null): Note | null {
    return id === null ? null : (this.#notes.get(id) ?? null);
  }
}
