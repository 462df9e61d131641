import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { inspect } from 'node:util';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { root } from './bundle-program.ts';

/** The parts of a file of declarations. */
interface DeclarationParts {
  /** Files with types, from the room: they import nothing but each other. */
  readonly sources: readonly string[];
  /** A file whose types follow from schemas and from lists of the bank: each is written out. */
  readonly answers?: string;
  /** Constants, each with the name of its type. */
  readonly constants?: Readonly<Record<string, string>>;
}

/** Writes the declarations of an entry of a room of `api` into `dist`, as one text without imports. Throws an Error if it had one. */
export async function declare(room: string, entry: string, parts: DeclarationParts): Promise<void> {
  const { sources, answers, constants = {} } = parts;
  const pathOf = (source: string): string => join(root, 'api', room, source);
  const texts = [
    ...sources.map((source) => declarationsOf(pathOf(source))),
    ...(answers === undefined ? [] : [await answersOf(pathOf(answers))]),
    ...Object.entries(constants).map(([name, type]) => `export declare const ${name}: ${type};\n`),
  ];
  const text = texts.join('\n');
  if (/^(import|export type \*) /m.test(text)) throw new Error(`the declarations of ${room}/${entry} import something`);
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

/** The part of a JSON schema that describes the members of its type. */
interface Described {
  readonly type?: unknown;
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Described>>;
  readonly items?: Described;
  /** The items of a list that the validator checks one by one. */
  readonly longItems?: Described;
  readonly anyOf?: readonly Described[];
}

/**
 * The type aliases of a file, written out: unions of texts, and objects whose members have the descriptions of their schemas. A type that
 * has an alias in the file is written by its name. Throws an Error for a type that no schema gives.
 */
async function answersOf(path: string): Promise<string> {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), (file) => readFileSync(file, 'utf8'));
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const program = ts.createProgram([path], { ...options, types: [] });
  const source = program.getSourceFile(path);
  if (source === undefined) throw new Error(`there is no ${path}`);
  refuse(program.getSemanticDiagnostics(source));
  const checker = program.getTypeChecker();
  const aliases = source.statements.filter((statement) => ts.isTypeAliasDeclaration(statement));
  const all = aliases.map((alias) => ({ name: alias.name.text, type: checker.getTypeAtLocation(alias) }));
  const shapes = new AnswerWriter(checker, []);
  const named = all.map(({ name, type }) => ({ name, shape: shapes.write(type, []) }));
  const texts = aliases.map(async (alias, index) => {
    const { name = '', type } = all[index] ?? {};
    if (type === undefined) throw new Error(`${name} has no type`);
    const schemas = await schemasOf(alias, source);
    const others = named.filter((other) => other.name !== name);
    const text = new AnswerWriter(checker, others).write(type, schemas);
    const comment = alias.getFullText(source).slice(0, alias.getLeadingTriviaWidth(source)).trim();
    const described = comment.endsWith('*/')
      ? `${comment.slice(comment.lastIndexOf('/**'))}\n`
      : commentOf(schemas, '');
    return (
      described + (text.startsWith('{') ? `export interface ${name} ${text}\n` : `export type ${name} = ${text};\n`)
    );
  });
  return (await Promise.all(texts)).join('\n');
}

/** The schema of `type Name = Answer<typeof schema>`, from the module that the file imports it from; none of another alias. */
async function schemasOf({ type }: ts.TypeAliasDeclaration, source: ts.SourceFile): Promise<readonly Described[]> {
  const [query] = ts.isTypeReferenceNode(type) ? (type.typeArguments ?? []) : [];
  if (query === undefined || !ts.isTypeQueryNode(query)) return [];
  const name = query.exprName.getText(source);
  const declaration = source.statements.find(
    (statement) =>
      ts.isImportDeclaration(statement) &&
      statement.importClause?.namedBindings !== undefined &&
      ts.isNamedImports(statement.importClause.namedBindings) &&
      statement.importClause.namedBindings.elements.some((element) => element.name.text === name),
  ) as ts.ImportDeclaration | undefined;
  const from = (declaration?.moduleSpecifier as ts.StringLiteral | undefined)?.text ?? '';
  const module = (await import(new URL(from, pathToFileURL(source.fileName)).href)) as Record<string, Described>;
  return [module[name] ?? {}];
}

/** Writes types of answers as TypeScript. */
class AnswerWriter {
  readonly #checker: ts.TypeChecker;
  /** Types that are written by their names. */
  readonly #named: readonly { readonly name: string; readonly shape: string }[];

  constructor(checker: ts.TypeChecker, named: readonly { readonly name: string; readonly shape: string }[]) {
    this.#checker = checker;
    this.#named = named;
  }

  /** `schemas`: what describes the type, several of a union. None: it is written without comments. */
  write(type: ts.Type, schemas: readonly Described[], indent = ''): string {
    const each = type.isUnion() ? type.types : [type];
    const parts = each.filter(({ flags }) => (flags & ts.TypeFlags.Undefined) === 0);
    return this.#joined(parts.map((part) => this.#part(part, schemas, indent)));
  }

  #part(type: ts.Type, schemas: readonly Described[], indent: string): string {
    if (type.isStringLiteral()) return `'${type.value}'`;
    const plain = ts.TypeFlags.String | ts.TypeFlags.Number | ts.TypeFlags.BooleanLike | ts.TypeFlags.Null;
    if ((type.flags & (plain | ts.TypeFlags.Unknown)) !== 0) return this.#checker.typeToString(type);
    if (this.#checker.isArrayType(type)) {
      const [item] = this.#checker.getTypeArguments(type as ts.TypeReference);
      const items = schemas.flatMap(({ items, longItems }) => items ?? longItems ?? []);
      const text = item === undefined ? '' : this.write(item, items, indent);
      return `readonly ${/^[^{]* \| /.test(text) ? `(${text})` : text}[]`;
    }
    if ((type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) === 0)
      throw new Error(`${this.#checker.typeToString(type)} is no type of an answer`);
    return this.#object(type, schemas, indent);
  }

  #object(type: ts.Type, schemas: readonly Described[], indent: string): string {
    const [byName] = this.#checker.getIndexInfosOfType(type);
    if (byName !== undefined) return `Readonly<Record<string, ${this.write(byName.type, [], indent)}>>`;
    const inner = `${indent}  `;
    const found = schemas.flatMap(alternatives);
    const order = found.flatMap(({ properties = {} }) => Object.keys(properties));
    const members = this.#checker.getPropertiesOfType(type).map((member) => {
      const of = found.flatMap(({ properties }) => properties?.[member.name] ?? []);
      const text = this.write(this.#checker.getTypeOfSymbol(member), of, inner);
      const mark = (member.flags & ts.SymbolFlags.Optional) === 0 ? '' : '?';
      const line = `${inner}readonly ${/^\w+$/.test(member.name) ? member.name : `'${member.name}'`}${mark}: ${text};`;
      return { name: member.name, text: commentOf(of, inner) + line };
    });
    const sorted = members.toSorted((a, b) => order.indexOf(a.name) - order.indexOf(b.name));
    const written = `{\n${sorted.map(({ text }) => text).join('\n')}\n${indent}}`;
    return this.#named.find(({ shape }) => shape === this.#shapeOf(type))?.name ?? written;
  }

  #shapeOf(type: ts.Type): string {
    return new AnswerWriter(this.#checker, []).write(type, []);
  }

  /** A union, with lists of texts by their names. */
  #joined(parts: readonly string[]): string {
    const list = this.#named
      .map(({ name, shape }) => ({ name, texts: shape.split(' | ') }))
      .find(({ texts }) => texts.length > 1 && texts.every((text) => parts.includes(text)));
    const short = list === undefined ? parts : [list.name, ...parts.filter((part) => !list.texts.includes(part))];
    const isBoolean = short.includes('true') && short.includes('false');
    const all = isBoolean ? ['boolean', ...short.filter((part) => part !== 'true' && part !== 'false')] : short;
    return all.toSorted((a, b) => Number(a === 'null') - Number(b === 'null') || (a < b ? -1 : 1)).join(' | ');
  }
}

/** A schema, and those of the union that it may be. */
function alternatives(schema: Described): readonly Described[] {
  return [schema, ...(schema.anyOf ?? []).flatMap(alternatives)];
}

/** Descriptions that say no more than the type. */
const idle = new Set(['a text', 'a string', 'true or false']);

/** Maximum length of a list or an object that a comment shows as an example. */
const maxExample = 120;

/** The first description of these schemas as a comment: that of a value, then what a union says of it. */
function commentOf(schemas: readonly Described[], indent: string): string {
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
  if (diagnostics.length > 0) throw new Error(ts.formatDiagnostics(diagnostics, ts.createCompilerHost({})));
}
