import * as Type from 'typebox';
import type { BodyRule } from './rule.ts';

export { Optional as optional, type Static } from 'typebox';

/** The schema of a whole body: an object, or a list. */
export interface BodySchema extends Type.TSchema {
  readonly '~kind': 'Object' | 'Array';
  readonly properties?: Readonly<Record<string, Type.TSchema>>;
}

/** The schema of an answer. It refuses members that it does not name, so that a test of it can fail. */
export type AnswerSchema = Type.TSchema;

/** Keywords of our own beside those of JSON Schema. Only `rules` refuses anything. */
interface OwnKeywords {
  /** The expected value in words, for the text of a refusal. By default the description. */
  readonly expected?: string;
  /** The value to send for a missing member, for the text of a refusal. By default the expected value. */
  readonly missing?: string;
  /** Rules over several members of an object. */
  readonly rules?: readonly BodyRule[];
  /** What the document adds: keywords of JSON Schema for what `rules` or the format refuse. */
  readonly documented?: Readonly<Record<string, unknown>>;
  /** The schema that {@link meaning} describes: the document refers to it. */
  readonly general?: Type.TSchema;
}

/** The keywords that our own code reads of a schema. */
export interface SchemaShape extends Omit<OwnKeywords, 'rules'> {
  readonly title?: string;
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly type?: unknown;
  readonly format?: string;
  readonly minimum?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly SchemaShape[];
  readonly items?: SchemaShape;
  /** The items of a {@link longList}. */
  readonly longItems?: SchemaShape;
  readonly properties?: Readonly<Record<string, SchemaShape>>;
  readonly patternProperties?: Readonly<Record<string, SchemaShape>>;
  readonly additionalProperties?: SchemaShape | boolean;
  readonly required?: readonly string[];
}

interface ObjectOptions extends OwnKeywords {
  readonly title?: string;
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly minProperties?: number;
}

/** An object that refuses unknown members by name. By default `expected` says: an object with its required members. */
export function closed<Members extends Type.TProperties>(
  members: Members,
  options: ObjectOptions = {},
): Type.TObject<Members> {
  const required = Object.entries(members).filter(([, member]) => !Type.IsOptional(member));
  const expected = `an object with ${required.map(([name]) => name).join(', ')}`.replace(/, ([^,]*)$/, ' and $1');
  return Type.Object(members, { additionalProperties: false, expected, ...options });
}

/**
 * An object with a title, by which a document shows it once: `titled('Run', 'A settlement run.').closed({ id, at })`.
 * `about`: its description, or all its options.
 */
export function titled(title: string, about: string | ObjectOptions = {}, more: ObjectOptions = {}) {
  const options = { title, ...(typeof about === 'string' ? { description: about } : about), ...more };
  return { closed: <Members extends Type.TProperties>(members: Members) => closed(members, options) };
}

/** The first member that a body must have, or undefined if the body is a list, which is at fault as a whole. */
export function firstRequired({ properties = {} }: BodySchema): string | undefined {
  return Object.entries(properties).find(([, member]) => !Type.IsOptional(member))?.[0];
}

/** A list of any length. api/pipeline/validate-body.ts checks its items one by one, up to 20 faults. */
export function longList<Item extends Type.TSchema>(
  items: Item,
  options: { readonly description: string; readonly minItems: number },
): Type.TUnsafe<Type.Static<Item>[]> {
  return Type.Unsafe({ type: 'array', longItems: items, ...options });
}

/** Schema of a text: what it is, and an example or its keywords. */
export function text(description: string, of: string | Type.TStringOptions = {}): Type.TString {
  return Type.String({ description, ...(typeof of === 'string' ? { examples: [of] } : of) });
}

/** Schema of a text of 1 to `maxLength` characters: what it is, and an example or more keywords. */
export function shortText(description: string, maxLength: number, of: string | Type.TStringOptions = {}): Type.TString {
  return text(description, { minLength: 1, maxLength, ...(typeof of === 'string' ? { examples: [of] } : of) });
}

/** Schema of a whole number: what it is, and its keywords. */
export function integer(description: string, of: Type.TNumberOptions = {}): Type.TInteger {
  return Type.Integer({ description, ...of });
}

/** Schema of true or false: what it says, and its keywords. */
export function flag(description: string, of: { readonly default?: boolean } = {}): Type.TBoolean {
  return Type.Boolean({ description, ...of });
}

/** Schema of a list: its items, what they are, and its keywords. */
export function listOf<Item extends Type.TSchema>(
  items: Item,
  description?: string,
  of: Type.TArrayOptions = {},
): Type.TArray<Item> {
  return Type.Array(items, { ...(description !== undefined && { description }), ...of });
}

/** One of a few values. */
export function choice<const Value extends string | number | boolean>(
  description: string,
  values: readonly Value[],
): Type.TUnsafe<Value> {
  return Type.Unsafe({ description, enum: values });
}

/** A schema with a description of its own for the document; refusals keep the words of the original. */
export function meaning<Schema extends Type.TSchema>(description: string, schema: Schema): Schema {
  const { expected, description: usual }: SchemaShape = schema;
  return { ...schema, description, expected: expected ?? usual, general: schema };
}
