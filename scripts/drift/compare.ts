import { isObject } from '../../api/quirks/json.ts';
import { listed, memberOf } from '../../api/bodies/rule.ts';
import type { Exchange } from './exchange.ts';
import { typeOf } from './fits.ts';
import type { Recording } from './recording.ts';

/** A form that only one of two recordings has. */
export interface Change {
  readonly operation: string;
  /** `accounts[].name: string`, `status: 201`, `code: CONSENT_INVALID`. */
  readonly form: string;
  readonly only: 'first' | 'second';
}

/** The forms that one recording has and the other has not, by operation: only those that both call. */
export function changesBetween(before: Recording, after: Recording): readonly Change[] {
  const [first, second] = [formsIn(before), formsIn(after)];
  const changes = (from: Forms, to: Forms, only: Change['only']): Change[] =>
    [...from].flatMap(([operation, forms]) =>
      [...forms].filter((form) => to.get(operation)?.has(form) === false).map((form) => ({ operation, form, only })),
    );
  return [...changes(first, second, 'first'), ...changes(second, first, 'second')];
}

/** By operation: a member and its type, a status, a code. */
type Forms = ReadonlyMap<string, ReadonlySet<string>>;

function formsIn({ exchanges }: Recording): Forms {
  const byOperation = Map.groupBy(exchanges, ({ endpoint, template }) => `${endpoint.method} /v1${template}`);
  return new Map([...byOperation].map(([operation, all]) => [operation, new Set(all.flatMap(formsOf))]));
}

function formsOf({ status, mediaType, answer }: Exchange): string[] {
  const codes = listed(memberOf(answer, 'tppMessages')).map(({ code }) => `code: ${String(code)}`);
  return [`status: ${status}`, `header Content-Type: ${mediaType}`, ...codes, ...membersOf(answer, '')];
}

function membersOf(value: unknown, member: string): string[] {
  // What is nested so deep is no answer of a bank.
  if (member.length > 500) return [];
  const names = isObject(value) ? Object.entries(value) : [];
  const items = Array.isArray(value) ? (value as readonly unknown[]) : [];
  return [
    ...(member === '' ? [] : [`${member}: ${typeOf(value)}`]),
    ...items.flatMap((item) => membersOf(item, `${member}[]`)),
    ...names.flatMap(([name, part]) => membersOf(part, member === '' ? name : `${member}.${name}`)),
  ];
}
