/** The members of a JSON object whose shape nobody has vouched for: rules run beside the other checks, not after them. */
export type Members = Readonly<Record<string, unknown>>;

export interface RuleFault {
  /** Dotted and relative to the object the rule stands at; empty for the object itself. */
  readonly member: string;
  /** What was wrong, what was expected, what to do (rules.md E1). */
  readonly text: string;
}

/** A member of what may be no object at all. */
export function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Members)[name] : undefined;
}

/**
 * A rule over several members of one object, listed in its schema's `rules`. It keeps silent about members of the wrong
 * type or form: those are reported where they stand.
 */
export type BodyRule = (members: Members, quirks: ReadonlySet<string>) => readonly RuleFault[];
