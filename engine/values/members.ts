import { quote } from './text.ts';

/** Members of an unvalidated JSON object: rules run beside the schema's other checks, not after them. */
export type Members = Readonly<Record<string, unknown>>;

export interface RuleFault {
  /** Dotted path, relative to the object of the rule; empty for the object itself. */
  readonly member: string;
  /** What was wrong, what was expected, what to do (rules.md E1). */
  readonly text: string;
}

/** One fault, as a rule returns it. */
export function faultAt(member: string, text: string): readonly RuleFault[] {
  return [{ member, text }];
}

/** Member of a value; undefined when the value is no object. */
export function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Members)[name] : undefined;
}

/** Objects of a list; empty when the value is no list. */
export function listed(value: unknown): readonly Members[] {
  const items: readonly unknown[] = Array.isArray(value) ? value : [];
  return items.filter((item): item is Members => typeof item === 'object' && item !== null);
}

const maxShownChars = 40;

/** Formats a received value for a refusal's text: quoted, at most 40 characters, on one line. */
export function formatValue(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  if (typeof value !== 'string') return String(value);
  return quote(value, maxShownChars);
}
