import { type Fault, faultWithin, maxFaults, refuseAny } from '../../engine/values/fault.ts';
import { memberOf } from '../bodies/rule.ts';
import type { BodySchema, SchemaShape, Static } from '../bodies/schema.ts';
import { faultOf, joinMisspelt, type Violation, isBlank, settledIdentifier } from './body-faults.ts';
import type { RuleContext, Validator } from './made-validators.ts';
import { validatorOf } from './validators.ts';

/** What the rules and the settling of texts need besides the body. */
interface BodyContext extends RuleContext {
  /** Called once or more if the letters of an identifier were small (rules.md P5d). */
  readonly noteCase?: () => void;
}

interface Compiled {
  readonly validate: Validator;
  /** Members that are lists of any length, with the schema of their items. */
  readonly longLists: readonly (readonly [member: string, items: SchemaShape])[];
}

// The validator of each schema comes once, for the first body that needs it.
const compiled = new WeakMap<object, Compiled>();

/**
 * Settles the texts of a body in place, and validates it. Throws a Refusal with every FORMAT_ERROR (rules.md E3), 20 at
 * most; the last text says how many more there are. Checks the form only: the operations check the meaning.
 */
export function validateBody<Schema extends BodySchema>(
  schema: Schema,
  value: unknown,
  context: BodyContext,
): asserts value is Static<Schema> {
  const { validate, longLists } = compiledOf(schema);
  settleTexts(schema, value, context);
  const violations = violationsOf(validate, value, context);
  const faults = violations.slice(0, maxFaults).map((violation) => faultOf(violation, 'The body'));
  for (const [member, items] of longLists) {
    const judge = (item: unknown): readonly Violation[] => violationsOf(compiledOf(items).validate, item, context);
    faults.push(...longListFaults(member, listIn(value, member), { items, judge, context }));
  }
  refuseAny(faults, Math.max(violations.length, faults.length));
}

function violationsOf(validate: Validator, value: unknown, context: BodyContext): readonly Violation[] {
  return validate.call(context, value) ? [] : joinMisspelt(validate.errors ?? []);
}

function compiledOf(schema: object): Compiled {
  const known = compiled.get(schema);
  if (known !== undefined) return known;
  const made = { validate: validatorOf(schema), longLists: longListsOf(schema) };
  compiled.set(schema, made);
  return made;
}

function longListsOf(schema: Pick<BodySchema, 'properties'>): Compiled['longLists'] {
  return Object.entries(schema.properties ?? {}).flatMap(([member, list]) => {
    const items = memberOf(list, 'longItems');
    return typeof items === 'object' && items !== null ? [[member, items] as const] : [];
  });
}

/** Maximum length of an item as JSON: several times the longest item of the interface. */
const maxItem = 16_384;

/**
 * Settles the items of a long list, and finds their faults, each with its path from the root. After the 20th fault it
 * looks at no more items, and the last text says so. It refuses too long an item unchecked.
 */
function longListFaults(member: string, list: unknown[], { items, judge, context }: LongListReader): readonly Fault[] {
  const faults: Fault[] = [];
  for (const [index, sent] of list.entries()) {
    const item = (list[index] = settleTexts(items, sent, context));
    const path = `${member}[${index}]`;
    faults.push(...itemFaults(item, judge).map((fault) => faultWithin(path, fault)));
    if (faults.length < maxFaults) continue;
    return index === list.length - 1 ? faults : cutShort(faults, list.length - 1 - index);
  }
  return faults;
}

interface LongListReader {
  readonly items: SchemaShape;
  readonly judge: (item: unknown) => readonly Violation[];
  readonly context: BodyContext;
}

/** The list that a member holds; an empty one where it holds none. */
function listIn(body: unknown, member: string): unknown[] {
  const list = memberOf(body, member);
  return Array.isArray(list) ? list : [];
}

function itemFaults(item: unknown, judge: (item: unknown) => readonly Violation[]): readonly Fault[] {
  const { length } = JSON.stringify(item);
  if (length <= maxItem) return judge(item).map((violation) => faultOf(violation));
  const text = `It has ${length} characters of JSON; a payment has at most ${maxItem}. Send what the interface lists.`;
  return [{ code: 'FORMAT_ERROR', text }];
}

function cutShort(faults: readonly Fault[], unread: number): readonly Fault[] {
  const shown = faults.slice(0, maxFaults);
  return shown.map((fault, index) =>
    index === maxFaults - 1
      ? { ...fault, text: `${fault.text} (${unread} more ${unread === 1 ? 'item was' : 'items were'} not looked at)` }
      : fault,
  );
}

/**
 * Settles a text, or all texts of a body in place (rules.md P8b). {@link validateBody} settles those of long lists. It
 * composes decomposed letters (NFC) and removes optional texts of white space, as if they were not sent, unless they
 * are longer than such a text may be (P5d). Texts have the format `clearing-text` or `said-text`; a `said-text` is
 * never removed, so a blank one is refused. Identifiers get their one form.
 */
function settleTexts(schema: SchemaShape, value: unknown, context: BodyContext): unknown {
  if (typeof value === 'string') return settledText(schema, value, context);
  if (Array.isArray(value)) settleItems(schema.items, value, context);
  else if (typeof value === 'object' && value !== null)
    settleMembers(schema, value as Record<string, unknown>, context);
  return value;
}

function settledText(schema: SchemaShape, value: string, { noteCase }: BodyContext): string {
  if (isText(schema)) return value.normalize('NFC');
  // An IBAN of a file is written as the file's pattern has it.
  const settled = schema.pattern === undefined ? settledIdentifier(schema.format, value) : value;
  if (settled !== value && /[a-z]/.test(value)) noteCase?.();
  return settled;
}

function settleItems(schema: SchemaShape | undefined, items: unknown[], context: BodyContext): void {
  if (schema === undefined || !leadsToTexts(schema)) return;
  for (const [index, item] of items.entries()) items[index] = settleTexts(schema, item, context);
}

function settleMembers(
  { properties = {}, required = [] }: SchemaShape,
  members: Record<string, unknown>,
  context: BodyContext,
): void {
  for (const name of Object.keys(members)) {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (schema === undefined) continue;
    const value = settleTexts(schema, members[name], context);
    const isBlankText = typeof value === 'string' && isText(schema) && isBlank(value) && fits(schema, value);
    if (isBlankText && schema.format !== 'said-text' && !required.includes(name)) Reflect.deleteProperty(members, name);
    else members[name] = value;
  }
}

/** Whether items of this schema can hold texts: a long list of numbers is skipped. */
function leadsToTexts(schema: SchemaShape): boolean {
  return isText(schema) || (schema.properties ?? schema.items) !== undefined;
}

/** Whether a text of white space is no longer than the schema's bound. */
function fits({ maxLength = Infinity }: SchemaShape, { length }: string): boolean {
  return length <= maxLength;
}

function isText({ format }: SchemaShape): boolean {
  return format === 'clearing-text' || format === 'said-text';
}
