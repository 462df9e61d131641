import type { SchemaShape } from '../../api/bodies/schema.ts';
import type { AnswerTo, CallName } from '../../api/openapi/calls.ts';
import { Components } from '../../api/openapi/components.ts';
import { isObject } from '../../api/quirks/json.ts';
import { assert } from '../../engine/values/assert.ts';
import { oneLine } from '../../engine/values/text.ts';
import { documented } from '../cli/make-call-forms.ts';
import type { Desk } from './desk.ts';

/**
 * What a tool found, and the next step: `advance {"runs":1}`, perhaps with words behind it. Null means to read a long
 * answer on.
 */
export interface Found {
  readonly data: unknown;
  readonly next: string | null;
}

export type Given = Readonly<Record<string, unknown>>;

export interface Tool {
  readonly description: string;
  readonly inputSchema: { readonly type: 'object'; readonly [keyword: string]: unknown };
  readonly run: (desk: Desk, given: Given) => Promise<Found>;
}

/** What a tool does beside its call. */
interface Beside<Name extends CallName> {
  /** The arguments that it takes, by default all of the control document. */
  readonly takes?: readonly string[];
  /** The arguments that it needs, by default those that the call needs. */
  readonly needs?: readonly string[];
  /** Texts of the query that the arguments do not have. */
  readonly query?: Readonly<Record<string, string>>;
  /** The body to send, by default the arguments. */
  readonly body?: (desk: Desk, given: Given) => Promise<object>;
  /** What the tool does before its call. */
  readonly first?: (desk: Desk, given: Given) => Promise<void>;
  /** What an agent reads of the answer, or a promise of it; by default all of it. */
  readonly data?: (answer: AnswerTo<Name>, desk: Desk) => unknown;
}

/** A tool that makes one call of the control plane. Its arguments are those of the control document. */
export function passed<Name extends CallName>(
  call: Name,
  description: string,
  next: (desk: Desk, answer: AnswerTo<Name>, given: Given) => string | null | Promise<string | null>,
  { takes, needs, query = {}, body: bodyOf = (_, given) => Promise.resolve(given), first, data }: Beside<Name> = {},
): Tool {
  const [found] = documented([call]);
  assert(found !== undefined, `the control document has ${call}`);
  const { operation, member } = found;
  const { parameters, body } = operation;
  const schemas = new Components(true);
  const [json] = [body ?? []].flat();
  const members: SchemaShape = json === undefined ? {} : schemas.schema(json.schema);
  const ofParameters = parameters.map(({ name, schema, description: says }) => [
    name,
    { ...schemas.schema(schema), description: says },
  ]);
  const all = { ...Object.fromEntries(ofParameters), ...members.properties };
  const required = [...parameters.filter((one) => one.required).map((one) => one.name), ...(members.required ?? [])];
  return {
    description,
    inputSchema: {
      type: 'object',
      properties: takes === undefined ? all : Object.fromEntries(takes.map((name) => [name, all[name]])),
      required: needs ?? required,
      additionalProperties: false,
    },
    run: async (desk, given) => {
      await first?.(desk, given);
      const placeOf = (name: string) => parameters.find((one) => one.name === name)?.in ?? 'body';
      const of = (place: string) => Object.entries(given).filter(([name]) => placeOf(name) === place);
      const textsOf = (place: string) => Object.fromEntries(of(place).map(([name, value]) => [name, String(value)]));
      const answer = await desk.client.ask(call, member as keyof AnswerTo<Name> & string, {
        params: textsOf('path'),
        query: { ...query, ...textsOf('query') },
        ...(json !== undefined && { body: await bodyOf(desk, Object.fromEntries(of('body'))) }),
      });
      return { data: data === undefined ? answer : await data(answer, desk), next: await next(desk, answer, given) };
    },
  };
}

/** Of two tools the second one where its arguments are given, else the first, which takes none. */
export function either(first: Tool, second: Tool): Tool {
  return {
    description: `${first.description} ${second.description}`,
    inputSchema: { ...second.inputSchema, required: [] },
    run: (desk, given) => (Object.keys(given).length === 0 ? first : second).run(desk, given),
  };
}

/** The schema of arguments that are texts, with what each is for. */
export function texts(
  members: Readonly<Record<string, string>>,
  required: readonly string[] = [],
): Tool['inputSchema'] {
  const properties = Object.entries(members).map(([name, description]) => [name, { type: 'string', description }]);
  return { type: 'object', properties: Object.fromEntries(properties), required, additionalProperties: false };
}

/** A tool of its own, whose arguments are {@link texts}. */
export function ofTexts<const Name extends string>(
  description: string,
  members: Readonly<Record<Name, string>>,
  run: (desk: Desk, given: Readonly<Partial<Record<Name, string>>>) => Promise<Found>,
  required: readonly NoInfer<Name>[] = [],
): Tool {
  return {
    description,
    inputSchema: texts(members, required),
    run: (desk, given) => run(desk, given as never),
  };
}

/**
 * What is wrong with the names of the given arguments, or with their JSON types, by the schema of the tool, or null.
 */
export function wrongArguments({ inputSchema }: Tool, given: Given): string | null {
  const { properties = {}, required = [], additionalProperties } = inputSchema;
  const names = Object.keys(properties as object);
  const unknown = Object.keys(given).find((name) => additionalProperties === false && !names.includes(name));
  if (unknown !== undefined)
    return `There is no argument ${oneLine(unknown, 60)}. Arguments: ${names.join(', ') || 'none'}.`;
  const missing = (required as readonly string[]).find((name) => given[name] === undefined);
  if (missing !== undefined) return `The argument ${missing} is missing.`;
  const wrong = Object.entries(properties as Readonly<Record<string, SchemaShape>>).find(
    ([name, schema]) => given[name] !== undefined && !isOfType(schema, given[name]),
  );
  if (wrong === undefined) return null;
  const [name, { type }] = wrong;
  return `The argument ${name} is ${oneLine(JSON.stringify(given[name]), 60)}: expected ${typeNames[String(type)] ?? String(type)}.`;
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'a text, between quotation marks',
  object: 'an object, not a text of one',
  array: 'a list',
  integer: 'a whole number',
  boolean: 'true or false',
};

/** Whether a value is of the JSON type of its schema. A schema without one takes any: the bank judges it. */
function isOfType({ type }: SchemaShape, value: unknown): boolean {
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isObject(value);
  return typeof type !== 'string' || typeof value === type;
}
