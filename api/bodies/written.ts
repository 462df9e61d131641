import type * as Type from 'typebox';
import type { AnswerSchema, SchemaShape, Static } from './schema.ts';

/** A schema of JSON that is made of a value of the engine. */
export type WrittenBy<Schema extends AnswerSchema, Value> = Schema & { readonly '~write': (value: Value) => unknown };

/** The schema of JSON that `write` makes of a value of the engine. */
export function writtenBy<Schema extends AnswerSchema, Value>(
  schema: Schema,
  write: (value: Value) => Static<Schema>,
): WrittenBy<Schema, Value> {
  return { ...schema, '~write': write };
}

/** What a handler returns for an answer of this schema: values of the engine where the schema writes them. */
export type AnswerValue<Schema> = Schema extends { readonly '~write': (value: infer Value) => unknown }
  ? Value
  : Schema extends Type.TUnion<infer Each>
    ? AnswerValue<Each[number]>
    : Schema extends Type.TArray<infer Item>
      ? readonly AnswerValue<Item>[]
      : Schema extends Type.TRecord<string, infer Item>
        ? Readonly<Record<string, AnswerValue<Item>>>
        : Schema extends Type.TObject<infer Members>
          ? AnswerMembers<Members>
          : Schema extends AnswerSchema
            ? Static<Schema>
            : never;

type AnswerMembers<Members> = {
  readonly [Name in keyof Members as Members[Name] extends Type.TOptional ? never : Name]: AnswerValue<Members[Name]>;
} & {
  readonly [Name in keyof Members as Members[Name] extends Type.TOptional ? Name : never]?:
    | AnswerValue<Members[Name]>
    | undefined;
};

/**
 * The JSON of what a handler returns. Members that the schema does not name are left out, as are those that are
 * undefined.
 */
export function written(schema: AnswerSchema | SchemaShape, value: unknown): unknown {
  const { '~write': write, properties, patternProperties, items, anyOf } = schema as Written;
  if (value === null || value === undefined) return value;
  if (write !== undefined) return write(value);
  if (items !== undefined && Array.isArray(value)) return value.map((item) => written(items, item));
  // A value or null. Handlers write all other unions.
  if (anyOf?.[0] !== undefined && anyOf[1]?.type === 'null') return written(anyOf[0], value);
  const [byName] = Object.values(patternProperties ?? {});
  if (typeof value !== 'object' || (properties ?? byName) === undefined) return value;
  const members = Object.entries(value).flatMap(([name, held]) => {
    const member = properties?.[name] ?? byName;
    return member === undefined || held === undefined ? [] : [[name, written(member, held)]];
  });
  return Object.fromEntries(members);
}

type Written = SchemaShape & Partial<WrittenBy<AnswerSchema, unknown>>;
