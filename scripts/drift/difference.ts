/**
 * How an answer differs from what the sandbox would have: `absent` it lacks a member, `extra` it has one more; `value` a word, a switch, or what
 * must be as in the request or in an earlier answer; `form` length, alphabet, decimals, date or instant; `changed`: a thing that keeps its value
 * had another one in an earlier answer; `page`: a page repeats what an earlier page of its list has.
 */
export type DifferenceKind = keyof typeof sayings;

export interface Difference {
  readonly kind: DifferenceKind;
  /**
   * Where in the answer, without the places in lists: `accounts[].bban`. Of a header its name, of a status
   * the endpoint: `/v1/accounts/:accountId`.
   */
  readonly path: string;
  readonly recorded: unknown;
  /** What the sandbox has there; null: nothing. */
  readonly expected: unknown;
  /** Of a refusal, ours or theirs: its code and path. */
  readonly why?: string;
}

/** The words for each kind of difference, the recorded answer first. */
export const sayings = {
  status: (recorded: string, expected: string) => `the bank answered ${recorded}, the sandbox ${expected}`,
  code: (recorded: string, expected: string) => `the bank refused with ${recorded}, the sandbox with ${expected}`,
  path: (recorded: string, expected: string) => `a message was about ${recorded}, in the sandbox about ${expected}`,
  header: (recorded: string, expected: string) => `the header was ${recorded}, in the sandbox ${expected}`,
  absent: () => 'the bank leaves it out, the sandbox shows it',
  extra: () => 'the bank shows it, the sandbox leaves it out',
  type: (recorded: string, expected: string) => `it was ${recorded}, in the sandbox ${expected}`,
  form: (recorded: string, expected: string) => `its form was ${recorded}, in the sandbox ${expected}`,
  value: (recorded: string, expected: string) => `it was ${recorded}, in the sandbox ${expected}`,
  order: () => 'the items were in another order',
  link: (recorded: string, expected: string) => `the link was ${recorded}, in the sandbox ${expected}`,
  verbs: (recorded: string, expected: string) => `the verbs were ${recorded}, in the sandbox ${expected}`,
  page: (recorded: string) => `a page repeats an earlier one: ${recorded}`,
  changed: (recorded: string, expected: string) => `it was ${recorded}, and ${expected} in an earlier answer`,
};

/** `form accounts[].resourceId`. A line of a list for `--accept`. */
export function keyOf({ kind, path }: Pick<Difference, 'kind' | 'path'>): string {
  return `${kind} ${path}`.trim();
}

/** The differences of one answer, in the order in which the rules find them. */
export class Findings {
  readonly #all: Difference[] = [];

  get all(): readonly Difference[] {
    return this.#all;
  }

  /** Adds differences that were found elsewhere. */
  take(differences: readonly Difference[]): void {
    this.#all.push(...differences);
  }

  /** Tells a difference. What the recording or the sandbox lacks is null. */
  tell(kind: DifferenceKind, path: string, recorded: unknown, expected: unknown = null, why?: string): void {
    this.#all.push({
      kind,
      path,
      recorded: recorded ?? null,
      expected: expected ?? null,
      ...(why !== undefined && { why }),
    });
  }

  /** Tells a value if it is not exactly the expected one: as absent or extra if one of both is undefined, else as this kind. */
  compare(kind: DifferenceKind, path: string, recorded: unknown, expected: unknown, why?: string): void {
    if (recorded === expected) return;
    const told = recorded === undefined ? 'absent' : expected === undefined ? 'extra' : kind;
    this.tell(told, path, recorded, expected, why);
  }
}
