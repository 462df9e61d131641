import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import ts from 'typescript';
import { pageBlocks, pagesOf } from '../../support/markdown.ts';
import { asTypeScript, clientOfPage, exampleOfPage } from './page-programs.ts';
import { Project } from './project.ts';

/* The types of the packed package, as the compiler finds them in projects of three kinds. */
let project: Project;
beforeAll(async () => {
  project = await Project.lay();
  const typed = asTypeScript(exampleOfPage());
  for (const name of ['strict/one.mts', 'strict/other.cts', 'bundled/one.ts', 'node10/one.ts'])
    project.write(name, typed);
  const uses = readFileSync('tests/harness/wrong-uses.ts', 'utf8').replace('../../api/harness/index.ts', 'sandbank');
  expect(uses.match(/@ts-expect-error \d+:/g)?.length).toBeGreaterThanOrEqual(30);
  for (const name of ['strict/wrong-uses.mts', 'bundled/wrong-uses.ts']) project.write(name, uses);
  const matcher = `import { expect } from '@jest/globals';\nimport 'sandbank/jest';\n// @ts-expect-error a number of attempts\nvoid expect(1).toBeRejectedAfter('5');\n// @ts-expect-error a nominal date\nvoid expect(1).toRejectOccurrence(5);\nvoid expect(1).toRejectOccurrence('2027-05-15');\n`;
  for (const name of ['strict/matcher.mts', 'strict/matcher.cts', 'node10/matcher.ts']) project.write(name, matcher);
  for (const [line, text] of samplesOfPage()) project.write(`strict/page-line-${line}.mts`, text);
  const signing = clientOfPage();
  for (const name of ['strict/client.mts', 'bundled/client.ts', 'node10/client.ts']) {
    project.write(name, signing.replace('[certificate, key]', '[certificate = "", key = ""]'));
  }
  const strict = { strict: true, noEmit: true, target: 'es2022', types: ['node'], exactOptionalPropertyTypes: true };
  // Stricter than strict, so that a line of the page compiles in every project.
  const nodenext = { ...strict, noUncheckedIndexedAccess: true, module: 'nodenext', moduleResolution: 'nodenext' };
  // As most projects have it; the strict one judges our declarations and jest's together.
  const bundler = { ...strict, module: 'esnext', moduleResolution: 'bundler', skipLibCheck: true };
  // As ts-jest has it in older projects: it reads main, types and typesVersions, and no exports.
  const node10 = { ...strict, module: 'es2022', moduleResolution: 'node10', ignoreDeprecations: '6.0' };
  const ofPage = pageBlocks('docs/tests/setup.md').find(({ text }) => text.includes('"compilerOptions"'));
  expect({ compilerOptions: nodenext }).toMatchObject(JSON.parse(ofPage?.text ?? '') as object);
  project.write('node10/tsconfig.json', JSON.stringify({ compilerOptions: node10, include: ['*.ts'] }));
  project.write('strict/tsconfig.json', JSON.stringify({ compilerOptions: nodenext, include: ['*.mts', '*.cts'] }));
  project.write('bundled/tsconfig.json', JSON.stringify({ compilerOptions: bundler, include: ['*.ts'] }));
}, 120_000);
afterAll(() => project.remove());

/** The JavaScript of docs/tests.md and docs/tests as TypeScript, by its number. One without imports is a part of a test. */
function samplesOfPage(): readonly (readonly [line: number, text: string])[] {
  const samples = pagesOf('tests').flatMap((path) => pageBlocks(path).filter(({ language }) => language === 'js'));
  expect(samples.length).toBeGreaterThan(12);
  return samples.map(({ text }, line) => {
    if (/^(?:import|export) /m.test(text)) return [line, asTypeScript(text)];
    const imports = [
      "import { expect } from '@jest/globals';",
      "import { type Bank, connectBank as connect, createBank as open } from 'sandbank';",
      "import 'sandbank/jest';",
    ];
    return [
      line,
      `${imports.join('\n')}\nexport async function part(bank: Bank, createBank: typeof open, connectBank: typeof connect) {\n${text}\n}\n`,
    ];
  });
}

/** What others declare, read once for all projects. */
const declared = new Map<string, ts.SourceFile>();
const ofOthers = /\/node_modules\/(?:typescript|@types\/node|undici-types|@sinclair\/typebox)\//;

/** What `tsc -p` says of a project, but for mistakes in the declarations of the language, of Node, and of what jest is made with. */
function typeErrors(folder: string): string[] {
  const read = (file: string): string => readFileSync(file, 'utf8');
  const { config } = ts.readConfigFile(join(folder, 'tsconfig.json'), read) as { config: unknown };
  const { options, fileNames, errors } = ts.parseJsonConfigFileContent(config, ts.sys, folder);
  const host = ts.createCompilerHost(options);
  const { getSourceFile } = host;
  host.getSourceFile = (file, language, ...rest) => {
    const key = `${file} ${JSON.stringify(language)}`;
    const found = declared.get(key) ?? getSourceFile.call(host, file, language, ...rest);
    if (found !== undefined && ofOthers.test(file)) declared.set(key, found);
    return found;
  };
  const program = ts.createProgram(fileNames, options, host);
  const judged = program.getSourceFiles().filter(({ fileName }) => !ofOthers.test(fileName));
  expect(judged.map(({ fileName }) => fileName)).toEqual(
    expect.arrayContaining([expect.stringMatching(/\/sandbank\/dist\/api\/harness\/index\.d\.[cm]ts$/)]),
  );
  const found = [
    ...[...errors, ...program.getOptionsDiagnostics(), ...program.getGlobalDiagnostics()],
    ...judged.flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)]),
  ];
  return found.map((each) => ts.formatDiagnostic(each, host));
}

describe('the package, in an empty project', () => {
  test.each(['strict', 'bundled', 'node10'])(
    'its types hold in a project that is %s, and refuse wrong uses',
    (name) => {
      expect(typeErrors(join(project.path, name))).toEqual([]);
    },
    60_000,
  );

  test('its types of answers are written out: none is any, and each member says what it is', () => {
    const { statements } = declarationsOf(join(project.own, 'dist/api/harness/index.d.mts'));
    expect(statements.filter((each) => ts.isImportDeclaration(each))).toEqual([]);
    expect(statements.flatMap((each) => anyIn(each))).toEqual([]);
    const membersOf = (name: string) =>
      statements
        .flatMap((each) => (ts.isInterfaceDeclaration(each) && each.name.text === name ? [...each.members] : []))
        .map((member) => wordsOf(member));
    const words = membersOf('InspectedPayment');
    expect(words.length).toBeGreaterThan(14);
    expect(words).toContain('status: PaymentStatus; The status as the bank has it.');
    expect(words).toContain(
      'nextAttempt: RunAt | null; A settlement run. The run that tries it next, or null if it is unsigned or over.',
    );
    expect(words.filter((text) => text.endsWith('; '))).toEqual(['tpp: {…}; ']);
    // One object for the payments of all products: what only some have is optional.
    expect(membersOf('ReadPayment')).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^debtorAccount: /),
        'frequency?: Frequency; How often to pay. For example `Monthly`.',
        'payments?: readonly ReadTransfer[]; A list of one payment or more.',
      ]),
    );
  });
});

test('the written types of answers and those of the schemas take the values of each other', () => {
  const own = resolve('api/harness/types/answers.ts');
  const names = declarationsOf(own).statements.flatMap((each) =>
    ts.isTypeAliasDeclaration(each) ? each.name.text : [],
  );
  expect(names.length).toBeGreaterThan(40);
  const lines = names.flatMap((name) => [
    `export const written${name} = (value: own.${name}): written.${name} => value;`,
    `export const own${name} = (value: written.${name}): own.${name} => value;`,
  ]);
  const imports = [
    `import type * as own from '${own}';`,
    `import type * as written from '${join(project.own, 'dist/api/harness/index.d.mts')}';`,
  ];
  project.write('answers.mts', [...imports, ...lines].join('\n'));
  const { config } = ts.readConfigFile('tsconfig.json', (file) => readFileSync(file, 'utf8')) as { config: unknown };
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, resolve('.'));
  const program = ts.createProgram([join(project.path, 'answers.mts')], {
    ...options,
    types: [],
    rewriteRelativeImportExtensions: false,
  });
  const found = program.getSemanticDiagnostics(program.getSourceFile(join(project.path, 'answers.mts')));
  expect(found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toEqual([]);
}, 60_000);

function declarationsOf(file: string): ts.SourceFile {
  return ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.ES2024, true);
}

/** The lines of a declaration in which a type is any. */
function anyIn(node: ts.Node): string[] {
  if (node.kind === ts.SyntaxKind.AnyKeyword) return [node.parent.getText()];
  return ts.forEachChild(node, (child) => (anyIn(child).length > 0 ? anyIn(child) : undefined)) ?? [];
}

/** Name, type and comment of a member, as an editor shows them. */
function wordsOf(member: ts.TypeElement): string {
  const { type } = member as ts.PropertySignature;
  const comments = ts.getJSDocCommentsAndTags(member).map(({ comment }) => ts.getTextOfJSDocComment(comment) ?? '');
  const text = (type?.getText() ?? '').replace(/\{[^]*\}/, '{…}');
  const mark = member.questionToken === undefined ? '' : '?';
  return `${member.name?.getText() ?? ''}${mark}: ${text}; ${comments.join(' ')}`;
}
