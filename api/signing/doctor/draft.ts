/** A signing string that a TPP may have built, before it is written out. */
export interface Draft {
  /** Names in lower case, in the order signed. */
  readonly names: readonly string[];
  /** Value of each name, `(request-target)` without its method included. */
  readonly values: ReadonlyMap<string, string>;
  /** Method of the `(request-target)`. */
  readonly method: string;
  /** Spells a name; null: the line has its value alone. */
  readonly spell: (name: string) => string | null;
  /** Between name and value. */
  readonly separator: string;
  /** Between lines. */
  readonly joint: string;
  /** After the last line. */
  readonly ending: string;
  /** Writes the whole text in other letters. */
  readonly letters: (text: string) => string;
  readonly encode: (text: string) => Buffer;
  /** What was hashed in place of the string itself. */
  readonly wrap: (bytes: Buffer) => Buffer;
}

/** One mistake that changes a draft. */
export interface Change {
  /** What the TPP's string is or has, after "your signing string": `ends with a line break`. */
  readonly did: string;
  /** What to do, as a sentence without its full stop. */
  readonly cure: string;
  /** 1 is likely. The costs of combined changes are added. */
  readonly cost: 1 | 2 | 3;
  readonly apply: (draft: Draft) => Draft;
}

/** Changes of one thing: at most one of them is applied. */
export type Axis = readonly Change[];

/** The text of a draft, as latin1. */
export function textOf({ names, values, method, spell, separator, joint, ending, letters }: Draft): string {
  const line = (name: string): string => {
    const value = values.get(name) ?? '';
    const [spelled, whole] = [spell(name), name === '(request-target)' ? `${method} ${value}` : value];
    return spelled === null ? whole : `${spelled}${separator}${whole}`;
  };
  return letters(names.map(line).join(joint) + ending);
}

/** A change of one value. */
export function valueChange(
  name: string,
  value: string,
  { did, cure, cost = 1 }: { readonly did: string; readonly cure: string; readonly cost?: Change['cost'] },
): Change {
  return { did, cure, cost, apply: (draft) => ({ ...draft, values: new Map([...draft.values, [name, value]]) }) };
}
