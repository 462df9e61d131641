import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import type * as Ajv from 'ajv';
import { assert } from '../../engine/values/assert.ts';
import type { BodyRule, Members } from '../bodies/rule.ts';
import { formats as faultsOfFormats } from './body-faults.ts';
import { madeValidators, type RuleContext, type Validator } from './made-validators.ts';

/** The `rules` keyword: checks every rule of one object. The validator adds the object's path. */
function checkRules(this: RuleContext, rules: readonly BodyRule[], members: Members): boolean {
  const faults = rules.flatMap((rule) => rule(members, this.quirks));
  checkRules.errors = faults.map((params) => ({ keyword: 'rules', params }));
  return faults.length === 0;
}
checkRules.errors = [] as { keyword: string; params: object }[];

/** Whether a text has a format, by the name of the format. */
const formats = Object.fromEntries(
  Object.entries(faultsOfFormats).map(([name, faultOf]) => [name, (text: string) => faultOf(text) === null]),
);

let compiler: Ajv.Ajv | undefined;

/** The validator of a schema that the build has made, else one that is compiled now. It finds every fault of a body. */
export function validatorOf(schema: object, made = madeValidators): Validator {
  return made[nameOf(schema)]?.(schema, { formats, checkRules }) ?? compiledValidator(schema);
}

function compiledValidator(schema: object): Validator {
  return (compiler ??= createCompiler()).compile(schema);
}

/**
 * The code of `madeValidators` for these schemas: what ajv compiles, as functions of the schema and of our own
 * functions.
 */
export function codeOfValidators(schemas: readonly object[]): string {
  const maker = createCompiler({ source: true, formats: ajv()._`formats` });
  const made = new Map(schemas.map((schema) => [nameOf(schema), makerOf(maker.compile(schema).source)]));
  return `{${[...made].map(([name, code]) => `'${name}': ${code}`).join(',\n')}}`;
}

function makerOf(source: Ajv.ValidateFunction['source']): string {
  assert(source !== undefined, 'a compiler with the option gives the source');
  const names = Object.values(source.scopeValues).flatMap((some) => [...(some ?? [])]);
  // They have functions, which no code can hold.
  const given: Readonly<Record<string, string>> = { schema: 'schema', keyword: 'checkRules' };
  const values = names.map((name) => `const ${String(name)} = ${given[name.prefix] ?? String(name.value?.code)};`);
  const { validateName, validateCode } = source;
  return `(schema, { formats, checkRules }) => {\n${values.join('\n')}\n${validateCode}\nreturn ${String(validateName)};\n}`;
}

/**
 * A schema that differs has another name, and so no validator that was made for the other. Rules do not count: a
 * validator calls those of the schema that it is given.
 */
function nameOf(schema: object): string {
  return createHash('sha256').update(JSON.stringify(schema)).digest('base64url').slice(0, 22);
}

/** Loads ajv: the build does without it where it has made the validators. */
function ajv(): typeof Ajv {
  return createRequire(import.meta.url)('ajv') as typeof Ajv;
}

/** Does not validate the schemas, which would compile the metaschema at every start: a test does. */
function createCompiler(code: Ajv.CodeOptions = {}): Ajv.Ajv {
  const made = new (ajv().Ajv)({
    strict: true,
    allErrors: true,
    messages: false,
    verbose: true,
    passContext: true,
    allowUnionTypes: true,
    validateSchema: false,
    meta: false,
    logger: false,
    // A third of the time that a schema takes, and no body is judged faster by it.
    code: { optimize: false, ...code },
    formats,
  });
  made.addKeyword({ keyword: 'rules', type: 'object', schemaType: 'array', errors: true, validate: checkRules });
  return made.addVocabulary(['expected', 'missing', 'longItems', 'general', 'documented']);
}
