import type { Logger } from 'pino';
import { type Bank, replaceOwn } from '../../engine/open-bank.ts';
import { Mistake } from '../../engine/values/mistake.ts';
import { fileReason } from '../start/error-text.ts';

/**
 * The file of `--faketime-file` (rules.md T1d), which says the time of the bank at the root to programs under
 * libfaketime. It is written after each commit that moves the clock, and so before the answer of the move.
 */
export class FaketimeFile {
  readonly #given: { readonly path: string; readonly source: string };
  readonly #bank: Bank;
  readonly #log: Logger;
  #written: string | null = null;
  /** Why the file does not have the time of the bank. Null if it has. */
  problem: string | null = null;

  /** `source`: the flag or the variable that names the path. Throws a Mistake if the file cannot be written. */
  constructor(given: { readonly path: string; readonly source: string }, bank: Bank, log: Logger) {
    this.#given = given;
    this.#bank = bank;
    this.#log = log;
    this.#write();
    if (this.problem !== null) throw new Mistake(this.problem);
    bank.listen({ kinds: new Set(['moved']), hear: () => this.keep(), failed: () => undefined });
  }

  /**
   * Writes the file if it has another time: after a move, each second of a clock at a rate, and when the wall clock was
   * set.
   */
  keep(): void {
    const before = this.problem;
    this.#write();
    if (this.problem === null || this.problem === before) return;
    this.#log.error(`${this.problem}: programs that follow it stay at the time before`);
  }

  #write(): void {
    const { path, source } = this.#given;
    const text = faketimeOf(this.#bank);
    if (text === this.#written) return;
    try {
      replaceOwn(path, text, isTime);
      this.#written = text;
      this.problem = null;
    } catch (error) {
      const reason = error instanceof Mistake ? error.message : fileReason(error);
      this.#written = null;
      this.problem = `${source} is "${path}": it cannot be written, ${reason}`;
    }
  }
}

/** Whether a file has what {@link faketimeOf} makes. */
const isTime = (beginning: Buffer): boolean => /^[+-]?\d+\.\d{1,3}\n$/.test(beginning.toString('latin1'));

/**
 * What the file says of the time of a bank; libfaketime reads it with `FAKETIME_FMT=%s`. If the clock runs, the file
 * has the offset to the wall clock, because a time would begin anew in each process. If it is frozen, the file has the
 * seconds since 1970, which no time zone changes.
 */
function faketimeOf({ clock, wall, ...bank }: Bank): string {
  const now = bank.now();
  // Rounded up, so that no program is still on the day before; readings of the two clocks may differ by a millisecond.
  const offset = Math.ceil((now - wall.now()) / 100) / 10;
  return clock().mode === 'frozen' ? `${(now / 1000).toFixed(3)}\n` : `${offset < 0 ? '' : '+'}${offset.toFixed(1)}\n`;
}
