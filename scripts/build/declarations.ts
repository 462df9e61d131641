import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { inspect } from 'node:util';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import type { SchemaShape } from '../../api/bodies/schema.ts';
import { frequencies } from '../../engine/time/rules/occurrences.ts';
import { root } from './build-program.ts';
import { Mistake } from '../../engine/values/mistake.ts';

/** The parts of a file of declarations. */
interface DeclarationParts {
  /** Files with types, from the room: they import nothing but each other. */
  readonly sources: readonly string[];
  /** A file whose types follow from schemas and from lists of the bank: each is written out. */
  readonly answers?: string;
  /** Constants, each with the name of its type. */
  readonly constants?: Readonly<Record<string, string>>;
}

/**
 * Writes the declarations of an entry of a room of `api` into `dist`, as one text without imports. Throws a Mistake if
 * it had one.
 */
export async function declare(room: string, entry: string, parts: DeclarationParts): Promise<void> {
  const { sources, answers, constants = {} } = parts;
  const sourcePath = (source: string): string => join(root, 'api', room, source);
  const texts = [
    ...sources.map((source) => declarationsOf(sourcePath(source))),
    ...(answers === undefined ? [] : [await answersOf(sourcePath(answers))]),
    ...Object.entries(constants).map(([name, type]) => `export declare const ${name}: ${type};\n`),
  ];
  const text = texts.join('\n');
  if (/^(import|export type \*) /m.test(text))
    throw new Mistake(`the declarations of ${room}/${entry} import something`);
  for (const ending of ['d.mts', 'd.cts']) {
    const file = join(root, 'dist/api', room, `${entry}.${ending}`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

/** The declarations of a file, without its imports from files beside it. */
function declarationsOf(path: string): string {
  const { outputText, diagnostics = [] } = ts.transpileDeclaration(readFileSync(path, 'utf8'), {
    fileName: path,
    reportDiagnostics: true,
    compilerOptions: { target: ts.ScriptTarget.ES2024, module: ts.ModuleKind.NodeNext },
  });
  refuse(diagnostics);
  return outputText.replaceAll(/^(?:import|export) type [^'\n]{1,500} from '\.\/[^'\n]{1,200}';\n/gm, '');
}

/** An alias that is written by its name: that of an object, or of a list of texts. */
interface Named {
  readonly name: string;
  /** What its values are, without comments and names. */
  readonly shape: string;
}

/**
 * The aliases `type Name = Answer<typeof schema>` of a file, written out: unions of texts, and objects whose members
 * have the descriptions of their schemas. A type that has an alias in the file is written by its name. Throws a Mistake
 * for an alias of another form.
 */
async function answersOf(path: string): Promise<string> {
  const file = readFileSync(path, 'utf8');
  const schemas = new Map<string, SchemaShape>();
  for (const [, names = '', from = ''] of file.matchAll(/^import type \{([^}]*)\} from '([^']+)';$/gm)) {
    const module = (await import(new URL(from, pathToFileURL(path)).href)) as Record<string, SchemaShape>;
    for (const [name] of names.matchAll(/\w+/g)) schemas.set(name, module[name] ?? {});
  }
  const aliases = file.split('\n\n').filter((part) => /^export /m.test(part));
  const all = aliases.map((alias) => {
    const form = /^(\/\*\*[^]*\*\/\n)?export type (\w+) = Answer<typeof (\w+)>;\n?$/;
    const [, comment, name = '', of = ''] = form.exec(alias) ?? [];
    const schema = schemas.get(of);
    if (schema === undefined) throw new Mistake(`${path} has an alias that is no Answer<typeof schema>: ${alias}`);
    return { name, schema, comment: comment ?? commentOf([schema], ''), shape: typeOf([schema], null) };
  });
  const texts = all.map(({ name, schema, comment }) => {
    const others = all.filter((other) => other.name !== name);
    const text = typeOf([schema], others);
    return comment + (text.startsWith('{') ? `export interface ${name} ${text}\n` : `export type ${name} = ${text};\n`);
  });
  return texts.join('\n');
}

/**
 * The type of the values that fit one of these schemas. `named` has aliases to use in it; without them it has no
 * comments either.
 */
function typeOf(schemas: readonly SchemaShape[], named: readonly Named[] | null, indent = ''): string {
  const each = schemas.flatMap(alternatives).filter(({ anyOf }) => anyOf === undefined);
  const objects = each.filter(({ properties }) => properties !== undefined);
  const others = each.filter((schema) => !objects.includes(schema)).flatMap((schema) => partsOf(schema, named, indent));
  return joined([...others, ...(objects.length === 0 ? [] : [objectOf(objects, named, indent)])], named ?? []);
}

/** The types of a schema without members: the words of a text, else each that its keyword `type` names. */
function partsOf(schema: SchemaShape, named: readonly Named[] | null, indent: string): readonly string[] {
  const { type = 'unknown', format, items = schema.longItems, additionalProperties } = schema;
  // Its words stand in no schema, as a refusal has words of its own for them.
  const words = 'const' in schema ? [schema.const] : format === 'frequency' ? frequencies : schema.enum;
  if (words !== undefined) return words.map((word) => (typeof word === 'string' ? `'${word}'` : String(word)));
  if (items !== undefined) {
    const text = typeOf([items], named, indent);
    return [`readonly ${/^[^{]* \| /.test(text) ? `(${text})` : text}[]`];
  }
  if (type === 'object' && typeof additionalProperties === 'object')
    return [`Readonly<Record<string, ${typeOf([additionalProperties], null, indent)}>>`];
  return [type].flat().map((one) => (one === 'integer' ? 'number' : String(one)));
}

/** One object with the members of all. A member that one of them may lack is optional. */
function objectOf(objects: readonly SchemaShape[], named: readonly Named[] | null, indent: string): string {
  const inner = `${indent}  `;
  const names = new Set(objects.flatMap(({ properties = {} }) => Object.keys(properties)));
  const members = [...names].map((name) => {
    const of = objects.flatMap(({ properties }) => properties?.[name] ?? []);
    const mark = objects.every(({ required }) => required?.includes(name)) ? '' : '?';
    const key = /^\w+$/.test(name) ? name : `'${name}'`;
    return `${named === null ? '' : commentOf(of, inner)}${inner}readonly ${key}${mark}: ${typeOf(of, named, inner)};`;
  });
  const shape = named === null ? '' : typeOf(objects, null);
  return named?.find((one) => one.shape === shape)?.name ?? `{\n${members.join('\n')}\n${indent}}`;
}

/** A union, with lists of texts by their names. */
function joined(parts: readonly string[], named: readonly Named[]): string {
  const list = named
    .map(({ name, shape }) => ({ name, texts: shape.split(' | ') }))
    .find(({ texts }) => texts.length > 1 && texts.every((text) => parts.includes(text)));
  const short = list === undefined ? parts : [list.name, ...parts.filter((part) => !list.texts.includes(part))];
  return [...new Set(short)]
    .toSorted((a, b) => Number(a === 'null') - Number(b === 'null') || (a < b ? -1 : 1))
    .join(' | ');
}

/** A schema, and those of the union that it may be. */
function alternatives(schema: SchemaShape): readonly SchemaShape[] {
  return [schema, ...(schema.anyOf ?? []).flatMap(alternatives)];
}

/** Descriptions that say no more than the type. */
const idle = new Set(['a text', 'a string', 'true or false']);

/** Maximum length of a list or an object that a comment shows as an example. */
const maxExample = 120;

/** The first description of these schemas as a comment: that of a value, then what a union says of it. */
function commentOf(schemas: readonly SchemaShape[], indent: string): string {
  const [schema] = schemas;
  if (schema === undefined) return '';
  const isChoice = schema.description !== undefined && schema.anyOf?.every(({ type }) => type !== 'null') === true;
  const all = isChoice ? [schema] : alternatives(schema);
  const descriptions = all.flatMap(({ description = 'a text' }) => (idle.has(description) ? [] : description));
  const sentences = descriptions
    .toReversed()
    .map((text) => text.replace(/^[a-z]/, (first) => first.toUpperCase()).replace(/[^.]$/, '$&.'));
  const [example] = alternatives(schema).flatMap(
    ({ examples, properties }) => (properties === undefined && examples) || [],
  );
  if (typeof example === 'string') sentences.push(`For example \`${example}\`.`);
  else if (Object.keys(Object(example)).length > 0) {
    const written = inspect(example, { breakLength: Infinity });
    if (written.length <= maxExample) sentences.push(`For example \`${written}\`.`);
  }
  return sentences.length === 0 ? '' : `${indent}/** ${sentences.join(' ')} */\n`;
}

function refuse(diagnostics: readonly ts.Diagnostic[]): void {
  if (diagnostics.length > 0) throw new Mistake(ts.formatDiagnostics(diagnostics, ts.createCompilerHost({})));
}
