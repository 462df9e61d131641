import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { isAbsolute, join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { GauntletTest } from '../../api/harness/types/gauntlet.ts';
import type { Ended } from './run-suite.ts';

/* Which tests failed, and how many passed: from the report of the runner where one is found, else from its output. */

/** How many lines of the output stand for a test without a name. */
const lastLines = 12;

/** Where runners write `junit.xml` and `TEST-*.xml` that nobody has named. */
const usualFolders = ['.', 'target/surefire-reports', 'build/test-results/test'];

/** How a runner prints a failed test. Its file stands in the same line, in one before it, or in one after it. */
interface Printed {
  readonly before?: RegExp;
  readonly test: RegExp;
  readonly after?: RegExp;
}

const printed: Readonly<Record<string, Printed>> = {
  jest: { before: /^ ?FAIL (?<file>[^\s>]+)(?: \([\d.]+ s\))?$/, test: /^ {2}● (?!Console$)(?<name>.+)$/ },
  vitest: { test: /^ ?FAIL {2}(?:\|[^|]*\| )?(?<file>\S+)(?: > (?<name>.+)| \[.*\])?$/ },
  node: { before: /^test at (?<file>.+?):\d+:\d+$/, test: /^✖ (?!failing tests)(?<name>.+?) \(\d+(?:\.\d+)?ms\)$/ },
  tap: {
    test: /^\s*not ok \d+ - (?<name>(?!.*\.[cm]?[jt]s$).+)$/,
    after: /^\s*location: '(?<file>.+?):\d+:\d+'$/,
  },
  mocha: { test: /^ {2}\d+\) (?<name>.+?):?$/ },
  pytest: { test: /^(?:FAILED|ERROR) (?<file>[^\s:]+)::(?<name>.+?)(?: - .*)?$/ },
  go: { test: /^\s*--- FAIL: (?<name>\S+)/ },
  junit: { test: /^\s*JUnit Jupiter:(?<name>.+)$/ },
};

/** The line in which a runner counts, and the count of those that passed. */
const counts: readonly (readonly [line: RegExp, count: RegExp])[] = [
  [/^ *Tests:? /, /\b(\d{1,7}) passed/],
  [/^(?:ℹ|#) pass /, / (\d{1,7})$/],
  [/^ *\d{1,7} passing/, /\b(\d{1,7}) /],
  [/^=+ .*passed/, /\b(\d{1,7}) passed/],
  [/^\[ *\d{1,7} tests successful/, /\b(\d{1,7}) /],
];

export interface TestsOfRun {
  readonly failed: readonly GauntletTest[];
  /** Null: nothing says it. */
  readonly passed: number | null;
  /** The last lines of the output. */
  readonly last: string;
}

/** Reads what a runner tells of its tests. `since`: ms of the wall clock before which a report is an older one. */
export function testsOf({ output, printed: out }: Ended, command: readonly string[], since: number): TestsOfRun {
  // mocha writes a group and its test in two lines.
  const text = stripVTControlCharacters(output)
    .replaceAll('\r', '')
    .replaceAll(/^( {2}\d{1,5}\) .*[^:\n])\n {7,}(?=\S)/gm, '$1 ');
  const reported = [...reportsIn(command, since), out].map(inReport).find((found) => found !== null);
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const last = lines.slice(-lastLines).join('\n');
  if (reported !== undefined) return { ...reported, last };
  return { failed: failedIn(lines), passed: passedIn(lines), last };
}

/** How many tests passed, by the first line that counts them; null: none does. */
function passedIn(lines: readonly string[]): number | null {
  for (const line of lines) {
    for (const [form, count] of counts) {
      const found = form.test(line) ? count.exec(line)?.[1] : undefined;
      if (found !== undefined) return Number(found);
    }
  }
  return null;
}

/** The texts of the reports that the command names, or that lie where runners put them. */
function reportsIn(command: readonly string[], since: number): string[] {
  const named = command.map((word) => word.replace(/^-[\w-]+[=:]/, '')).filter((word) => /\.(?:json|xml)$/.test(word));
  const usual = usualFolders
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => {
      const files = readdirSync(folder).filter((name) => /^(?:junit|TEST-.*)\.xml$/.test(name));
      return files.map((name) => join(folder, name));
    });
  return [...named, ...usual].flatMap((path) => {
    try {
      return statSync(path).mtimeMs >= since ? [readFileSync(path, 'utf8')] : [];
    } catch {
      return [];
    }
  });
}

type Reported = Pick<TestsOfRun, 'failed' | 'passed'>;

/** The tests of a report, in the JSON of jest and vitest or the XML of JUnit; null: it is none. */
function inReport(text: string): Reported | null {
  if (text.includes('<testcase')) return inXml(text);
  const begin = text.indexOf('{"');
  if (begin < 0 || !text.includes('"testResults"')) return null;
  try {
    return inJson(JSON.parse(text.slice(begin)) as JsonReport);
  } catch {
    return null;
  }
}

interface JsonReport {
  readonly numPassedTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

function inJson({ numPassedTests: passed, testResults }: JsonReport): Reported {
  const failed = testResults.flatMap(({ name, status, assertionResults }) => {
    const file = ownPath(name);
    const tests = assertionResults
      .filter((test) => test.status === 'failed')
      .map(({ fullName }) => ({ name: fullName, file }));
    // A file that cannot be loaded, or whose hook failed.
    return tests.length === 0 && status === 'failed' ? [{ name: file, file }] : tests;
  });
  return { failed, passed };
}

function inXml(text: string): Reported {
  const cases = [...text.matchAll(/<testcase\b([^>]*?)(\/>|>([^]*?)<\/testcase>)/g)];
  const isFailed = (body = ''): boolean => /<(?:failure|error)\b/.test(body);
  const failed = cases
    .filter(([, , , body]) => isFailed(body))
    .map(([, attributes = '']) => {
      return { name: attribute(attributes, 'name'), file: ownPath(attribute(attributes, 'file')) };
    });
  return { failed, passed: cases.length - failed.length };
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

function attribute(text: string, name: string): string {
  const value = new RegExp(`\\b${name}="([^"]*)"`).exec(text)?.[1] ?? '';
  return value.replaceAll(/&(\w+);/g, (whole, entity: string) => entities[entity] ?? whole);
}

/** The failed tests that the lines of an output name, each once. */
function failedIn(lines: readonly string[]): GauntletTest[] {
  const found = new Map<string, GauntletTest>();
  let [file, last] = ['', ''];
  for (const line of lines) {
    for (const { before, test, after } of Object.values(printed)) {
      file = before?.exec(line)?.groups?.['file'] ?? file;
      const fileAfter = after?.exec(line)?.groups?.['file'];
      if (fileAfter !== undefined && found.get(last)?.file === '')
        found.set(last, { name: last, file: ownPath(fileAfter) });
      const { groups } = test.exec(line) ?? {};
      if (groups === undefined) continue;
      const { file: own = file, name = own } = groups;
      // A hook or a file that could not be loaded.
      last = name === 'Test suite failed to run' ? own : name;
      if ((found.get(last)?.file ?? '') === '') found.set(last, { name: last, file: ownPath(own) });
    }
  }
  // node:test names groups and tests first, and then each test with its file.
  const all = [...found.values()];
  const known = all.filter((one) => one.file !== '');
  return known.length > 0 ? known : all;
}

/** The path of a file as it is below the folder of the command. */
function ownPath(path: string): string {
  const plain = path.replace(/^file:\/\//, '');
  return isAbsolute(plain) ? relative(process.cwd(), plain) : plain;
}
