import { clip } from '../../engine/values/text.ts';
import { CommandFailed } from '../cli/command.ts';

/** Maximum length of an answer, in characters. */
const maxChars = 6_000;

/** How many rows of a list are shown at a time. */
const maxRows = 10;

/**
 * A part of an answer, and the cursor at which its longest list or its text goes on. The cursor is null if there is no
 * rest.
 */
interface Part {
  readonly data: unknown;
  readonly cursor: string | null;
}

/** A list or a text of a long answer, with its name in cursors: `entries`. */
type Kept = readonly [name: string, whole: string | readonly unknown[]];

/** Keeps a list or a text, and returns the cursor of its part that begins here: `3.entries.10`. */
type Keep = (name: string, whole: Kept[1], from: number) => string;

/**
 * Long answers of the tools: what does not fit is cut, and read on from a cursor. Each list and each text that is cut
 * says how much of it is left, and at which cursor. The last 200 are kept.
 */
export class LongAnswers {
  readonly #kept = new Map<number, Kept>();
  #count = 0;

  /** An answer as it is if it is short, else the counts of its lists and their first rows. */
  shown(data: unknown): Part {
    if (typeof data === 'string') return this.#textFrom('text', data, 0);
    if (typeof data !== 'object' || data === null || JSON.stringify(data).length <= maxChars)
      return { data, cursor: null };
    const plain = JSON.parse(JSON.stringify(Array.isArray(data) ? { rows: data } : data)) as Record<string, unknown>;
    const lists = Object.entries(plain).filter((each): each is [string, unknown[]] => Array.isArray(each[1]));
    const [[name, rows] = ['rows', []]] = lists.toSorted(([, one], [, other]) => other.length - one.length);
    const counts = Object.fromEntries(lists.map(([of, { length }]) => [of, length]));
    return this.#rowsFrom(name, rows, 0, { counts, cursor: null, ...plain });
  }

  /** What follows a cursor. Throws a CommandFailed for a cursor of no kept answer. */
  more(cursor: string): Part {
    const [, number = '', name = '', from = ''] = /^(\d+)\.([\w-]+)\.(\d+)$/.exec(cursor) ?? [];
    const [of, whole = ''] = this.#kept.get(Number(number)) ?? [];
    if (of !== name) throw new CommandFailed(`No answer has the cursor ${clip(cursor, 60)} any more. Ask anew.`);
    if (typeof whole === 'string') return this.#textFrom(name, whole, Number(from));
    return this.#rowsFrom(name, whole, Number(from), { count: whole.length, cursor: null });
  }

  /** Rows of a list beside other members: up to ten rows, and as much of all other lists and texts as then fits. */
  #rowsFrom(name: string, list: readonly unknown[], from: number, others: object): Part {
    for (let attempt = 0; ; attempt += 1) {
      const rows = Math.min(maxRows, 2 * maxRows - attempt);
      const rests: Kept[] = [];
      const keep: Keep = (of, whole, at) => `${this.#count + rests.push([of, whole])}.${of}.${at}`;
      const cut = (key: string, each: unknown) => cutTo(Math.max(0, maxRows - attempt), key, each, keep);
      const cursor = from + rows < list.length ? keep(name, list, from + rows) : null;
      const shown = Object.entries({ ...others, [name]: undefined, cursor }).map(([key, each]) => [
        key,
        cut(key, each),
      ]);
      const data = { ...Object.fromEntries(shown), [name]: list.slice(from, from + rows).map((row) => cut(name, row)) };
      if (JSON.stringify(data).length > maxChars && rows > 1) continue;
      for (const rest of rests) this.#keep(rest);
      return { data, cursor };
    }
  }

  #textFrom(name: string, text: string, from: number): Part {
    if (text.length - from <= maxChars) return { data: text.slice(from), cursor: null };
    this.#keep([name, text]);
    const end = from + maxChars - 100;
    const cursor = `${this.#count}.${name}.${end}`;
    return { data: text.slice(from, end) + left(text.length - end, text, cursor), cursor };
  }

  #keep(rest: Kept): void {
    this.#kept.set((this.#count += 1), rest);
    this.#kept.delete(this.#count - 200);
  }
}

/** A value with at most so many rows of each list in it, and texts of a length that goes with it. */
function cutTo(most: number, key: string, each: unknown, keep: Keep): unknown {
  const end = most * 20 + 40;
  if (typeof each === 'string' && each.length > end + 60)
    return each.slice(0, end) + left(each.length - end, each, keep(key, each, end));
  if (typeof each !== 'object' || each === null) return each;
  if (!Array.isArray(each))
    return Object.fromEntries(Object.entries(each).map(([name, value]) => [name, cutTo(most, name, value, keep)]));
  const rows = each.slice(0, most).map((row) => cutTo(most, key, row, keep));
  return each.length <= most ? rows : [...rows, left(each.length - most, each, keep(key, each, most)).trim()];
}

function left(count: number, whole: Kept[1], cursor: string): string {
  const unit = typeof whole === 'string' ? 'characters' : 'rows';
  return ` [${count} of ${whole.length} ${unit} left: more {"cursor":"${cursor}"}]`;
}
