import type { BodyRule, Members, SwitchedOn } from '../bodies/rule.ts';
import type { SchemaShape } from '../bodies/schema.ts';
import { formats, type Violation } from './body-faults.ts';

/** The keywords of a body's schema that refuse something. */
interface Keywords extends Omit<SchemaShape, 'additionalProperties' | 'anyOf'> {
  readonly anyOf?: readonly Keywords[];
  readonly not?: Keywords;
  readonly propertyNames?: Keywords;
  readonly additionalProperties?: Keywords | boolean;
  readonly rules?: readonly BodyRule[];
}

/** A value beside its schema. */
interface Judged {
  readonly value: unknown;
  readonly schema: Keywords;
  readonly path: string;
  readonly quirks: SwitchedOn;
  readonly told: Violation[];
}

type Is = (value: unknown) => boolean;
type Look = (judged: Judged, keyword: string) => void;

/** All violations of a schema in a value. Those of one value stand in the order of {@link looks}. */
export function violationsOf(schema: object, value: unknown, quirks: SwitchedOn): readonly Violation[] {
  return judge({ schema, value, path: '', quirks, told: [] });
}

function judge(judged: Judged): readonly Violation[] {
  for (const [keyword, is, look] of looksOf(judged.schema)) if (is(judged.value)) look(judged, keyword);
  return judged.told;
}

// Each schema is read once, for the first value that it judges.
const known = new WeakMap<object, typeof looks>();

function looksOf(schema: object): typeof looks {
  const own = known.get(schema) ?? looks.filter(([keyword]) => keyword in schema);
  known.set(schema, own);
  return own;
}

function tell({ told, path, value, schema }: Judged, keyword: string, params: Violation['params'] = {}): void {
  told.push({ keyword, path, value, schema, params });
}

const isText: Is = (value) => typeof value === 'string';
const isObject: Is = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

const types: Readonly<Record<string, Is>> = {
  array: Array.isArray,
  boolean: (value) => typeof value === 'boolean',
  integer: Number.isInteger,
  null: (value) => value === null,
  number: Number.isFinite,
  object: isObject,
  string: isText,
};

/** The look of a keyword that says all by itself. */
function unless<Value, Said>(isRight: (value: Value, said: Said) => boolean): Look {
  return (judged, keyword) => {
    if (!isRight(judged.value as Value, judged.schema[keyword as keyof Keywords] as Said)) tell(judged, keyword);
  };
}

const isAny: Is = () => true;

/** Each keyword with the values that it concerns and what looks at one, in the order in which they tell. */
const looks: readonly (readonly [keyword: string, is: Is, look: Look])[] = [
  ['type', isAny, unless(isOfType)],
  ['maximum', Number.isFinite, unless((value: number, most: number) => value <= most)],
  ['minimum', Number.isFinite, unless((value: number, least: number) => value >= least)],
  ['maxLength', isText, unless((text: string, most: number) => text.length <= most || characters(text) <= most)],
  ['minLength', isText, unless((text: string, least: number) => text.length >= 2 * least || characters(text) >= least)],
  ['pattern', isText, unless((text: string, pattern: string) => expressionOf(pattern).test(text))],
  ['format', isText, unless((text: string, format: string) => formats[format]?.(text) === null)],
  ['const', isAny, unless((value, only) => value === only)],
  ['enum', isAny, unless((value, values: readonly unknown[]) => values.includes(value))],
  ['not', isAny, refuseOther],
  ['anyOf', isAny, judgeChoices],
  ['maxItems', Array.isArray, unless((items: readonly unknown[], most: number) => items.length <= most)],
  ['minItems', Array.isArray, unless((items: readonly unknown[], least: number) => items.length >= least)],
  ['items', Array.isArray, judgeItems],
  ['uniqueItems', Array.isArray, findSame],
  ['maxProperties', isObject, unless((members: Members, most: number) => Object.keys(members).length <= most)],
  ['minProperties', isObject, unless((members: Members, least: number) => Object.keys(members).length >= least)],
  ['required', isObject, findMissing],
  ['propertyNames', isObject, judgeNames],
  ['additionalProperties', isObject, judgeOthers],
  ['properties', isObject, judgeMembers],
  ['patternProperties', isObject, judgeNamed],
  ['rules', isObject, applyRules],
];

function isOfType(value: unknown, type: string | readonly string[]): boolean {
  return typeof type === 'string' ? types[type]?.(value) === true : type.some((each) => types[each]?.(value));
}

function characters(text: string): number {
  return Array.from(text).length;
}

const expressions = new Map<string, RegExp>();

function expressionOf(pattern: string): RegExp {
  const expression = expressions.get(pattern) ?? new RegExp(pattern, 'u');
  expressions.set(pattern, expression);
  return expression;
}

function refuseOther(judged: Judged, keyword: string): void {
  if (judge({ ...judged, schema: judged.schema.not ?? {}, told: [] }).length === 0) tell(judged, keyword);
}

/** Where no choice fits, tells what each of them refuses. */
function judgeChoices(judged: Judged, keyword: string): void {
  const refused: Violation[] = [];
  for (const schema of judged.schema.anyOf ?? []) {
    const told = judge({ ...judged, schema, told: [] });
    if (told.length === 0) return;
    refused.push(...told);
  }
  judged.told.push(...refused);
  tell(judged, keyword);
}

/** The last text that an item repeats: lists of all different values are of texts. */
function findSame(judged: Judged, keyword: string): void {
  const items = judged.value as readonly unknown[];
  const places = new Map<unknown, number>();
  for (let i = items.length - 1; i >= 0; i -= 1) {
    const j = places.get(items[i]);
    if (j !== undefined && isText(items[i])) return tell(judged, keyword, { i, j });
    places.set(items[i], i);
  }
}

function judgeItems(judged: Judged): void {
  const schema = judged.schema.items ?? {};
  for (const [index, value] of (judged.value as readonly unknown[]).entries())
    judge({ ...judged, schema, value, path: `${judged.path}[${index}]` });
}

function findMissing(judged: Judged, keyword: string): void {
  const members = judged.value as Members;
  for (const missingProperty of judged.schema.required ?? [])
    if (members[missingProperty] === undefined) tell(judged, keyword, { missingProperty });
}

function judgeNames(judged: Judged, keyword: string): void {
  const schema = judged.schema.propertyNames ?? {};
  for (const value of Object.keys(judged.value as Members)) {
    const before = judged.told.length;
    if (judge({ ...judged, schema, value }).length > before) tell(judged, keyword);
  }
}

/** The members that no other keyword of the object names. */
function judgeOthers(judged: Judged, keyword: string): void {
  const { additionalProperties = true, properties = {}, patternProperties = {} } = judged.schema;
  if (additionalProperties === true) return;
  for (const name of Object.keys(judged.value as Members)) {
    if (Object.hasOwn(properties, name) || Object.keys(patternProperties).some((each) => expressionOf(each).test(name)))
      continue;
    if (additionalProperties === false) tell(judged, keyword, { additionalProperty: name });
    else judgeMember(judged, name, additionalProperties);
  }
}

function judgeMembers(judged: Judged): void {
  for (const [name, schema] of Object.entries(judged.schema.properties ?? {})) judgeMember(judged, name, schema);
}

function judgeNamed(judged: Judged): void {
  const named = Object.entries(judged.schema.patternProperties ?? {});
  for (const name of Object.keys(judged.value as Members))
    for (const [pattern, schema] of named) if (expressionOf(pattern).test(name)) judgeMember(judged, name, schema);
}

function judgeMember(judged: Judged, name: string, schema: Keywords): void {
  const value = (judged.value as Members)[name];
  if (value !== undefined)
    judge({ ...judged, schema, value, path: judged.path === '' ? name : `${judged.path}.${name}` });
}

function applyRules(judged: Judged, keyword: string): void {
  for (const rule of judged.schema.rules ?? [])
    for (const said of rule(judged.value as Members, judged.quirks)) tell(judged, keyword, { ...said });
}
