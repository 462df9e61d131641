import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** A regular expression of the project. */
export interface SourcePattern {
  readonly file: string;
  readonly source: string;
  readonly flags: string;
}

/** An exported function whose first parameter is a text, or bytes, that may come from somebody else. */
export interface TextFunction {
  readonly file: string;
  readonly name: string;
  /** What its first parameter is declared as. */
  readonly takes: string;
  /** Whether it can be called with that parameter alone. */
  readonly alone: boolean;
}

export interface Found {
  readonly patterns: readonly SourcePattern[];
  /** `file: text` of each pattern that is no literal: no test can read it off the source. */
  readonly built: readonly string[];
  readonly functions: readonly TextFunction[];
}

const root = new URL('../../', import.meta.url).pathname;
/** Comments are not read. */
const syntax = { languageVersion: ts.ScriptTarget.Latest, jsDocParsingMode: ts.JSDocParsingMode.ParseNone };
const texts = /^(?:string|Uint8Array|Buffer|unknown|readonly string\[\])$/;

/** Reads the patterns and the functions over texts off every source file of these folders. */
export function findIn(folders: readonly string[]): Found {
  const all = folders.flatMap(sourcesIn).map(findInFile);
  return {
    patterns: all.flatMap(({ patterns }) => patterns),
    built: all.flatMap(({ built }) => built),
    functions: all.flatMap(({ functions }) => functions),
  };
}

/** What was found, by file: more than one test asks. */
const known = new Map<string, Found>();

function findInFile(file: string): Found {
  const before = known.get(file);
  if (before !== undefined) return before;
  const found = { patterns: [] as SourcePattern[], built: [] as string[], functions: [] as TextFunction[] };
  const tree = ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), syntax);
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) found.patterns.push({ file, ...literal(node.text) });
    if (isBuilt(node)) found.built.push(`${file}: ${node.getText(tree)}`);
    if (ts.isFunctionDeclaration(node)) found.functions.push(...textFunction(tree, node, node.name, node));
    if (ts.isVariableStatement(node)) {
      for (const { name, initializer } of node.declarationList.declarations) {
        if (initializer === undefined || !ts.isArrowFunction(initializer)) continue;
        found.functions.push(...textFunction(tree, node, name, initializer));
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  known.set(file, found);
  return found;
}

/** The patterns of JSON schemas by their names, which the validator compiles with the flag `u`. */
export function schemaPatterns(schemas: Readonly<Record<string, unknown>>): SourcePattern[] {
  return Object.entries(schemas).flatMap(([file, schema]) => {
    const sources: string[] = [];
    JSON.stringify(schema, (key, value: unknown) => {
      if (key === 'pattern' && typeof value === 'string') sources.push(value);
      return value;
    });
    return sources.map((source) => ({ file, source, flags: 'u' }));
  });
}

function sourcesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.[jt]s$/.test(name))
    .map((name) => join(folder, name));
}

function literal(text: string): { source: string; flags: string } {
  const end = text.lastIndexOf('/');
  return { source: text.slice(1, end), flags: text.slice(end + 1) };
}

function isBuilt(node: ts.Node): boolean {
  if (!ts.isNewExpression(node) && !ts.isCallExpression(node)) return false;
  return ts.isIdentifier(node.expression) && node.expression.text === 'RegExp';
}

function textFunction(
  tree: ts.SourceFile,
  { modifiers }: { readonly modifiers?: ts.NodeArray<ts.ModifierLike> | undefined },
  name: ts.BindingName | undefined,
  { parameters: [first, ...others] }: ts.SignatureDeclarationBase,
): TextFunction[] {
  const exported = modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false;
  const takes = first?.type?.getText(tree) ?? '';
  if (!exported || name === undefined || !texts.test(takes)) return [];
  const alone = others.every((one) => one.questionToken ?? one.initializer ?? one.dotDotDotToken);
  return [{ file: tree.fileName, name: name.getText(tree), takes, alone }];
}
