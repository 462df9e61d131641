/* The forms of JSON values, which also give their types. A room says the forms of what it stores. */

/** The form of a value: what JSON schemas and the checks of a ledger share. */
export interface Form<Value = unknown> {
  /** In types only. */
  readonly value?: Value;
  readonly description: string;
  readonly title?: string;
  readonly expected?: string;
  readonly examples?: readonly unknown[];
  readonly type?: 'string' | 'integer' | 'boolean' | 'array' | 'object';
  readonly enum?: readonly (string | boolean)[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: Form;
  readonly properties?: Readonly<Record<string, Form>>;
  /** It may be left out. */
  readonly isOptional?: true;
}

/** The type of the values of a form. */
export type ValueOf<Of> = Of extends { readonly value?: infer Value } ? Value : never;

/** Marks a member that an object may lack. */
interface Optional {
  readonly isOptional: true;
}

/** The type of an object with these members. */
export type ObjectOf<Members> = {
  readonly [Name in Exclude<keyof Members, OptionalOf<Members>>]: ValueOf<Members[Name]>;
} & { readonly [Name in OptionalOf<Members>]?: ValueOf<Members[Name]> };
type OptionalOf<Members> = { [Name in keyof Members]: Members[Name] extends Optional ? Name : never }[keyof Members];

type Shapes = Readonly<Record<string, Form>>;

type Keywords = Omit<Form, 'description' | 'type' | 'value'>;

/** The form of a member that an object may lack. */
export function may<Value>(form: Form<Value>): Form<Value> & Optional {
  return { ...form, isOptional: true };
}

/** A text. */
export function text<Value extends string = string>(description: string, keywords: Keywords): Form<Value> {
  return { type: 'string', description, ...keywords };
}

/** A text of 1 to `maxLength` characters that clearing takes, for people. */
export function label(description: string, example: string, maxLength = 140): Form<string> {
  return text(description, { minLength: 1, maxLength, format: 'clearing-text', examples: [example] });
}

/** An amount as a decimal string. */
export function amount(description: string, example: string): Form<string> {
  return text(`${description}, a decimal string`, { maxLength: 20, examples: [example] });
}

/** A whole number; `1 to 31` ends the description, both bounds are included. */
export function number(
  description: string,
  [minimum, maximum]: readonly [number, number],
  example?: number,
): Form<number> {
  const examples = example === undefined ? {} : { examples: [example] };
  return { type: 'integer', description, minimum, maximum, ...examples };
}

/** True or false. */
export function truth(description: string): Form<boolean> {
  return { type: 'boolean', description };
}

/** One of these values. */
export function choice<const Value extends string | boolean>(
  description: string,
  values: readonly Value[],
): Form<Value> {
  return { description, enum: values };
}

/** A list with so many items. */
export function list<Value, List extends readonly Value[] = readonly Value[]>(
  description: string,
  items: Form<Value>,
  [minItems, maxItems]: readonly [number, number],
  example?: unknown,
): Form<List> {
  const examples = example === undefined ? {} : { examples: [example] };
  return { type: 'array', items, description, minItems, maxItems, ...examples };
}

/** An object with these members. `title` names it, and rules over several members by it. */
export function members<Members extends Shapes>(
  title: string,
  description: string,
  properties: Members,
  more: Keywords = {},
): Form<ObjectOf<Members>> {
  return { title, description, type: 'object', properties, ...more };
}
