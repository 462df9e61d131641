import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { isAbsolute, join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { isObject } from '../../api/quirks/json.ts';
import { jsonOr } from '../../engine/values/json-text.ts';
import type { GauntletTest } from '../../api/harness/types/gauntlet.ts';
import type { Ended } from './run-suite.ts';

/* Which tests failed, and how many passed: from the report of the runner where one is found, else from the lines of jest. */

/** How many lines of the output stand for a test without a name. */
const lastLines = 12;

/** How many lines of the message of a test are kept. */
const maxMessage = 3;

/** Where runners write `junit.xml` and `TEST-*.xml` that nobody has named. */
const usualFolders = ['.', 'target/surefire-reports', 'build/test-results/test'];

/** How jest prints a file with failed tests, and a failed test, where nobody asked it for a report. */
const jestLine = /^ ?FAIL (?<file>[^\s>]+)(?: \([\d.]+ s\))?$|^ {2}● (?!Console$)(?<name>.+)$/;

export interface TestsOfRun {
  readonly failed: readonly GauntletTest[];
  /** It is null if nothing says it. */
  readonly passed: number | null;
  /** The last lines of the output. */
  readonly last: string;
}

/** Reads what a runner tells of its tests. `since`: ms of the wall clock before which a report is an older one. */
export function testsOf({ output, printed }: Ended, command: readonly string[], since: number): TestsOfRun {
  const text = stripVTControlCharacters(output).replaceAll('\r', '');
  const reports = reportPaths(command)
    .filter((path) => {
      const found = statSync(path, { throwIfNoEntry: false });
      return found?.isFile() === true && found.mtimeMs >= since;
    })
    .map((path) => readFileSync(path, 'utf8'));
  const reported = [...reports, printed].map(inReport).find((found) => found !== null);
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return { ...(reported ?? printedByJest(lines)), last: lines.slice(-lastLines).join('\n') };
}

/** The reports that the command names, or that lie where runners put them. */
function reportPaths(command: readonly string[]): string[] {
  const named = command.map((word) => word.replace(/^-[\w-]+[=:]/, '')).filter((word) => /\.(?:json|xml)$/.test(word));
  const usual = usualFolders
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => {
      const names = readdirSync(folder).filter((name) => /^(?:junit|TEST-.*)\.xml$/.test(name));
      return names.map((name) => join(folder, name));
    });
  return [...named, ...usual];
}

type Reported = Pick<TestsOfRun, 'failed' | 'passed'>;

/** The tests of a report, in the JSON of jest and vitest or the XML of JUnit. Null if it is none. */
function inReport(text: string): Reported | null {
  if (text.includes('<testcase')) return inXml(text);
  const report = jsonOr(text.slice(text.indexOf('{"')), null);
  return isObject(report) && Array.isArray(report['testResults']) ? inJson(report as unknown as JsonReport) : null;
}

interface JsonReport {
  readonly numPassedTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message?: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages?: readonly string[];
    }[];
  }[];
}

function inJson({ numPassedTests: passed, testResults }: JsonReport): Reported {
  const failed = testResults.flatMap(({ name, status, message = '', assertionResults }) => {
    const file = ownPath(name);
    const tests = assertionResults
      .filter((test) => test.status === 'failed')
      .map(({ fullName, failureMessages: [why = ''] = [] }) => ({ name: fullName, file, message: firstLines(why) }));
    // A file that cannot be loaded, or whose hook failed.
    return tests.length === 0 && status === 'failed' ? [{ name: file, file, message: firstLines(message) }] : tests;
  });
  return { failed, passed };
}

function inXml(text: string): Reported {
  const cases = text.split('<testcase').slice(1);
  const failed = cases
    .map((one) => one.split('</testcase>', 1)[0] ?? '')
    .filter((one) => /<(?:failure|error)\b/.test(one))
    .map((one) => {
      const why = attribute(one.slice(one.search(/<(?:failure|error)\b/)), 'message');
      return { name: attribute(one, 'name'), file: ownPath(attribute(one, 'file')), message: firstLines(why) };
    });
  return { failed, passed: cases.length - failed.length };
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/** The first attribute of this name in the text of an element. */
function attribute(element: string, name: string): string {
  const [, , value = ''] = [...element.matchAll(/\s(\w+)="([^"]*)"/g)].find(([, one]) => one === name) ?? [];
  return value.replaceAll(/&(?:#(\d{1,6})|(\w+));/g, (whole, code: string | undefined, entity = '') =>
    code === undefined ? (entities[entity] ?? whole) : String.fromCodePoint(Number(code)),
  );
}

/** The tests that the lines of jest name, each once. Another runner names none. */
function printedByJest(lines: readonly string[]): Reported {
  const failed = new Map<string, GauntletTest>();
  let file = '';
  for (const [at, line] of lines.entries()) {
    const { file: next = file, name } = jestLine.exec(line)?.groups ?? {};
    file = ownPath(next);
    const test = name === 'Test suite failed to run' ? file : name;
    if (test !== undefined && !failed.has(test)) {
      const message = firstLines(lines.slice(at + 1, at + 1 + maxMessage).join('\n'));
      failed.set(test, { name: test, file, message });
    }
  }
  const counted = lines.map((line) => /^Tests: .*?\b(\d{1,7}) passed/.exec(line)?.[1]).find(Boolean);
  return { failed: [...failed.values()], passed: counted === undefined ? null : Number(counted) };
}

/** The first lines of why a test failed, before its code and its stack. */
function firstLines(text: string): string {
  const lines = stripVTControlCharacters(text)
    .split('\n')
    .filter((line) => line.trim() !== '');
  const end = lines.findIndex((line) => /^\s*(?:at |> \d|\d+ \||●|Tests:)/.test(line));
  return lines
    .slice(0, end === -1 ? maxMessage : Math.min(end, maxMessage))
    .map((line) => line.trim())
    .join('\n');
}

/** The path of a file as it is below the folder of the command. */
function ownPath(path: string): string {
  const plain = path.replace(/^file:\/\//, '');
  return isAbsolute(plain) ? relative(process.cwd(), plain) : plain;
}
