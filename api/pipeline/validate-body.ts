import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { maxFaults, refuseAny } from '../../engine/values/fault.ts';
import { memberOf, type BodyRule, type Members } from '../bodies/rule.ts';
import type { BodySchema, Static } from '../bodies/schema.ts';
import { faultOf } from './body/faults.ts';
import type { Violation } from './body/faults.ts';
import { formats } from './body/formats.ts';
import { longListFaults } from './body/long-list.ts';
import { settleTexts } from './body/texts.ts';

/** What rules need besides the body. */
export interface BodyContext {
  readonly quirks: ReadonlySet<string>;
}

interface Compiled {
  readonly validate: ValidateFunction;
  /** Members that are lists of any length, with the schema of their items. */
  readonly longLists: readonly (readonly [member: string, items: object])[];
}

// Each schema is compiled once, for the first body that needs it.
const compiled = new WeakMap<object, Compiled>();
let validator: Ajv2020 | undefined;

/**
 * Settles the texts of a body in place, and validates it. Throws a Refusal with every FORMAT_ERROR (rules.md E3), 20 at most; the last text says how many more
 * there are. Checks the form only: the operations check the meaning.
 */
export function validateBody<Schema extends BodySchema>(
  schema: Schema,
  value: unknown,
  context: BodyContext,
): asserts value is Static<Schema> {
  settleTexts(schema, value);
  const { validate, longLists } = compiledOf(schema);
  const violations = violationsOf(validate, value, context);
  const faults = violations.slice(0, maxFaults).map((violation) => faultOf(violation, 'The body'));
  for (const [member, items] of longLists) {
    faults.push(...longListFaults(member, value, (item) => violationsOf(compiledOf(items).validate, item, context)));
  }
  refuseAny(faults, Math.max(violations.length, faults.length));
}

function violationsOf(validate: ValidateFunction, value: unknown, context: BodyContext): readonly Violation[] {
  return validate.call(context, value) ? [] : (validate.errors ?? []);
}

function compiledOf(schema: object): Compiled {
  const known = compiled.get(schema);
  if (known !== undefined) return known;
  validator ??= createValidator();
  const made = { validate: validator.compile(schema), longLists: longListsOf(schema) };
  compiled.set(schema, made);
  return made;
}

function longListsOf(schema: Pick<BodySchema, 'properties'>): Compiled['longLists'] {
  return Object.entries(schema.properties ?? {}).flatMap(([member, list]) => {
    const items = memberOf(list, 'longItems');
    return typeof items === 'object' && items !== null ? [[member, items] as const] : [];
  });
}

/** Does not validate the schemas, which would compile the metaschema at every start: a test does. */
function createValidator(): Ajv2020 {
  const ajv = new Ajv2020({
    strict: true,
    allErrors: true,
    verbose: true,
    passContext: true,
    allowUnionTypes: true,
    validateSchema: false,
    meta: false,
    logger: false,
  });
  for (const [name, check] of Object.entries(formats)) ajv.addFormat(name, (text: string) => check(text) === null);
  ajv.addKeyword({ keyword: 'rules', type: 'object', schemaType: 'array', errors: true, validate: checkRules });
  return ajv.addVocabulary(['expected', 'missing', 'longItems', 'general']);
}

/** The `rules` keyword: checks every rule of one object. The validator adds the object's path. */
function checkRules(this: BodyContext, rules: readonly BodyRule[], members: Members): boolean {
  const faults = rules.flatMap((rule) => rule(members, this.quirks));
  checkRules.errors = faults.map((params) => ({ keyword: 'rules', params }));
  return faults.length === 0;
}
checkRules.errors = [] as { keyword: string; params: object }[];
