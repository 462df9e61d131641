import { clip, decodedUri } from '../../engine/values/text.ts';
import { Refusal, type Fault, refuseAny } from '../../engine/values/fault.ts';
import { type LocalDate, parseLocalDate } from '../../engine/values/local-date.ts';
import { formatValue } from '../bodies/rule.ts';

/** The value of a path, and the path's parameters, decoded. */
interface Found<Value> {
  readonly value: Value;
  readonly params: Readonly<Record<string, string>>;
}

interface Row<Value> {
  /** Each a text, or a colon and the name of the parameter that stands in its place. */
  readonly segments: readonly string[];
  readonly value: Value;
}

/**
 * Makes a table of paths in express syntax, `/accounts/:accountId`, whose first segment is no parameter. A lookup
 * returns the first path that fits, as a router would, or null. Letters are compared exactly, and a parameter is not
 * empty. Throws BAD_REQUEST for a parameter that cannot be decoded.
 */
export function pathTable<Value>(
  paths: readonly string[],
  valueOf: (path: string) => Value,
): (path: string) => Found<Value> | null {
  const rows = new Map<string, Row<Value>[]>();
  for (const path of new Set(paths)) {
    const segments = path.split('/');
    const [, first = ''] = segments;
    rows.set(first, [...(rows.get(first) ?? []), { segments, value: valueOf(path) }]);
  }
  return (path) => {
    const sent = path.split('/');
    const row = rows.get(sent[1] ?? '')?.find(({ segments }) => fits(segments, sent));
    return row === undefined ? null : { value: row.value, params: paramsOf(row.segments, sent) };
  };
}

function fits(segments: readonly string[], sent: readonly string[]): boolean {
  if (segments.length !== sent.length) return false;
  return segments.every((segment, at) => (segment.startsWith(':') ? sent[at] !== '' : segment === sent[at]));
}

function paramsOf(segments: readonly string[], sent: readonly string[]): Record<string, string> {
  const params: Record<string, string> = {};
  segments.forEach((segment, at) => {
    if (segment.startsWith(':')) params[segment.slice(1)] = decoded(sent[at] ?? '');
  });
  return params;
}

function decoded(segment: string): string {
  const text = segment.includes('%') ? decodedUri(segment) : segment;
  if (text !== null) return text;
  const why = `The request cannot be read: ${clip(segment)} in its path is not percent-encoded UTF-8.`;
  throw new Refusal({ code: 'BAD_REQUEST', text: why });
}

/** Reads the query of one request and collects its faults, so that one refusal reports all (rules.md E3). */
export class QueryReader {
  readonly #query: URLSearchParams;
  readonly #faults: Fault[] = [];

  /** `known` has the known parameters by name; another is PARAMETER_NOT_SUPPORTED, a repeated one FORMAT_ERROR. */
  constructor(query: URLSearchParams, known: Readonly<Record<string, unknown>>) {
    this.#query = query;
    for (const name of new Set(query.keys())) {
      if (!Object.hasOwn(known, name)) {
        const text = `${formatValue(name)} is no parameter here. The parameters are ${Object.keys(known).join(', ') || 'none'}. Leave it out.`;
        this.#faults.push({ code: 'PARAMETER_NOT_SUPPORTED', path: clip(name, 100), text });
      } else if (query.getAll(name).length > 1) {
        this.#faults.push({ code: 'FORMAT_ERROR', path: name, text: `${name} is there more than once. Send it once.` });
      }
    }
  }

  /** One of these words, or `otherwise` when it was left out. */
  word<Word extends string, Otherwise extends Word | null>(
    name: string,
    words: readonly Word[],
    otherwise: Otherwise,
  ): Word | Otherwise {
    const text = this.#query.get(name);
    if (text === null) return otherwise;
    return words.find((word) => word === text) ?? this.#refuse(name, text, words.join(', '), otherwise);
  }

  /**
   * True or false, of the only parameter that a call takes; false when it was left out. Throws a Refusal with the
   * faults found.
   */
  onlyFlag(name: string): boolean {
    const wanted = this.word(name, ['true', 'false'], 'false');
    this.finish();
    return wanted === 'true';
  }

  /** Any text, or null when it was left out. */
  text(name: string): string | null {
    return this.#query.get(name);
  }

  /** A plain date, or null when it was left out. */
  date(name: string): LocalDate | null {
    const text = this.#query.get(name);
    if (text === null) return null;
    const expected = 'a plain date YYYY-MM-DD that exists, for example 2027-03-30';
    return parseLocalDate(text) ?? this.#refuse(name, text, expected, null);
  }

  /** A whole number within bounds, or `otherwise` when it was left out. */
  count<Otherwise extends number | null>(
    name: string,
    bounds: { readonly least: number; readonly most: number; readonly otherwise: Otherwise },
  ): number | Otherwise {
    const text = this.#query.get(name);
    if (text === null) return bounds.otherwise;
    const count = /^\d{1,10}$/.test(text) ? Number(text) : -1;
    if (count >= bounds.least && count <= bounds.most) return count;
    return this.#refuse(name, text, `a whole number from ${bounds.least} to ${bounds.most}`, bounds.otherwise);
  }

  /** Adds a fault of several parameters together. */
  add(fault: Fault): void {
    this.#faults.push(fault);
  }

  /** Throws a Refusal with the faults found so far, 20 at most; returns when there are none. */
  finish(): void {
    refuseAny(this.#faults);
  }

  #refuse<Value>(name: string, text: string, expected: string, value: Value): Value {
    this.#faults.push({
      code: 'FORMAT_ERROR',
      path: name,
      text: `${formatValue(text)} is refused: expected ${expected}.`,
    });
    return value;
  }
}

/** Query of a request target: everything after its first `?`. */
export function queryIn(target: string): URLSearchParams {
  return new URLSearchParams(queryTextIn(target));
}

/** The text after the question mark of a request target; empty when there is none. */
export function queryTextIn(target: string): string {
  const start = target.indexOf('?');
  return start < 0 ? '' : target.slice(start + 1);
}
