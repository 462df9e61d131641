import { clip } from '../../engine/values/text.ts';
import { CommandFailed } from '../cli/command.ts';

/** Maximum length of an answer, in characters. */
export const maxChars = 6_000;

/** How many rows of a list are shown at a time. */
const maxRows = 10;

/** A part of an answer, and the cursor at which the rest of its longest list begins. The cursor is null if there is no rest. */
interface Part {
  readonly data: unknown;
  readonly cursor: string | null;
}

/** Long answers of the tools: each is summarised, and its longest list can be read on from a cursor. The last ten are kept. */
export class LongAnswers {
  readonly #kept = new Map<string, readonly unknown[]>();
  #count = 0;

  /** An answer as it is if it is short, else the counts of its lists and their first rows. */
  shown(data: unknown): Part {
    if (typeof data !== 'object' || data === null || JSON.stringify(data).length <= maxChars)
      return { data, cursor: null };
    const whole = Object.entries(Array.isArray(data) ? { rows: data } : data) as readonly [string, unknown][];
    const lists = whole.flatMap(([name, value]): [string, unknown[]][] =>
      Array.isArray(value) ? [[name, value]] : [],
    );
    const [longest] = lists.toSorted(([, one], [, other]) => other.length - one.length);
    const counts = Object.fromEntries(lists.map(([name, { length }]) => [name, length]));
    if (longest === undefined) return { data: shortened(Object.fromEntries(whole), ''), cursor: null };
    const answer = `${(this.#count += 1)}.${longest[0]}`;
    this.#kept.set(answer, longest[1]);
    for (const oldest of [...this.#kept.keys()].slice(0, -10)) this.#kept.delete(oldest);
    const cursor = longest[1].length > maxRows ? `${answer}.${maxRows}` : null;
    return { data: { counts, cursor, ...Object(shortened(Object.fromEntries(whole), longest[0])) }, cursor };
  }

  /** The rows from a cursor on. Throws a CommandFailed for a cursor of no kept answer. */
  more(cursor: string): Part {
    const [, answer = '', name = '', from = ''] = /^(\d+\.(\w+))\.(\d+)$/.exec(cursor) ?? [];
    const list = this.#kept.get(answer);
    if (list === undefined) throw new CommandFailed(`No answer has the cursor ${clip(cursor, 60)} any more. Ask anew.`);
    const next = Number(from) + maxRows;
    const data = shortened({ [name]: list.slice(Number(from), next), count: list.length }, name);
    return { data, cursor: next < list.length ? `${answer}.${next}` : null };
  }
}

/** An object with the first ten rows of one of its lists, and of all others, as of texts, as much as then fits. */
function shortened(whole: Readonly<Record<string, unknown>>, list: string, most: number = maxRows): unknown {
  const clipped = (_: string, each: unknown): unknown => {
    if (Array.isArray(each)) return each.slice(0, most);
    return typeof each === 'string' ? clip(each, most * 20 + 40) : each;
  };
  const inner = (each: unknown): unknown => JSON.parse(JSON.stringify(each ?? null, clipped));
  const rows = (whole[list] as readonly unknown[] | undefined)?.slice(0, maxRows).map(inner);
  const short = { ...Object(inner({ ...whole, [list]: undefined })), [list]: rows };
  return JSON.stringify(short).length < maxChars - 500 || most === 0 ? short : shortened(whole, list, most - 1);
}
