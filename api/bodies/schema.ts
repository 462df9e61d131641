import * as Type from 'typebox';
import type { BodyRule } from './rule.ts';

export type { Static } from 'typebox';

/** The schema of a whole body: an object, or a list. */
export interface BodySchema extends Type.TSchema {
  readonly '~kind': 'Object' | 'Array';
  readonly properties?: Readonly<Record<string, Type.TSchema>>;
}

/** Keywords of our own beside those of JSON Schema. Only `rules` refuses anything. */
export interface OwnKeywords {
  /** What a refusal says was expected, before the first example; left out: the description. */
  readonly expected?: string;
  /** What a refusal says to send when the member is missing; left out: what was expected. */
  readonly missing?: string;
  /** Rules over several members of an object. */
  readonly rules?: readonly BodyRule[];
}

interface ObjectOptions extends OwnKeywords {
  readonly title?: string;
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly minProperties?: number;
}

/** An object that refuses unknown members by name. `expected` left out: an object with its required members. */
export function closed<Members extends Type.TProperties>(
  members: Members,
  options: ObjectOptions = {},
): Type.TObject<Members> {
  const required = Object.entries(members).filter(([, member]) => !Type.IsOptional(member));
  const expected = `an object with ${required.map(([name]) => name).join(', ')}`.replace(/, ([^,]*)$/, ' and $1');
  return Type.Object(members, { additionalProperties: false, expected, ...options });
}

/** A list of any length: its items are checked one by one until there are faults enough (long-list.ts), not by the validator. */
export function longList<Item extends Type.TSchema>(
  items: Item,
  options: { readonly description: string; readonly minItems: number },
): Type.TUnsafe<Type.Static<Item>[]> {
  return Type.Unsafe({ type: 'array', longItems: items, ...options });
}

/** One of a few values. */
export function choice<const Value extends string | boolean>(
  description: string,
  values: readonly Value[],
): Type.TUnsafe<Value> {
  return Type.Unsafe({ description, enum: values });
}

/** The same values where they mean something of their own. Refusals keep the words of the schema. */
export function meaning<Schema extends Type.TSchema>(description: string, schema: Schema): Schema {
  const { expected, description: general }: { readonly expected?: unknown; readonly description?: unknown } = schema;
  return { ...schema, description, expected: expected ?? general };
}
