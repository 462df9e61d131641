import type { AnswerSchema, Static } from '../../bodies/schema.ts';
import type { Country } from '../../../engine/values/country.ts';
import type { Currency } from '../../../engine/values/money.ts';
import type { LocalDate } from '../../../engine/values/local-date.ts';

/**
 * The value of a schema, as a caller reads it: readonly, with dates and codes of currencies and countries as texts. A
 * union of objects is one object with the members of all; a member that one of them may lack is optional.
 */
export type Answer<Schema extends AnswerSchema> = Read<Static<Schema>>;

type Read<Value> = ReadPlain<Value> | ReadObject<Exclude<Extract<Value, object>, string | readonly unknown[]>>;

type ReadPlain<Value> = Value extends Country | Currency | LocalDate
  ? string
  : Value extends readonly (infer Item)[]
    ? readonly Read<Item>[]
    : Value extends object
      ? never
      : Value;

/** One object with the members of all. */
type ReadObject<All> = [All] extends [never]
  ? never
  : { readonly [Name in Exclude<Names<All>, Optional<All>>]: Read<Member<All, Name>> } & {
      readonly [Name in Optional<All>]?: Read<Member<All, Name>>;
    };

type Names<All> = All extends unknown ? keyof All : never;
/** Names of the members that one of the objects may lack. */
type Optional<All, Each = All> = Each extends unknown
  ? { [Name in Names<All>]: Each extends Record<Name, unknown> ? never : Name }[Names<All>]
  : never;
type Member<All, Name> = All extends unknown ? (Name extends keyof All ? Exclude<All[Name], undefined> : never) : never;
