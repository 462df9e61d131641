import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { isAbsolute, join, relative, resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { XMLParser } from 'fast-xml-parser';
import { jsonOr } from '../../engine/values/json-text.ts';
import type { GauntletTest } from '../../api/harness/types/gauntlet.ts';
import type { Ended } from './run-suite.ts';

/* Which tests failed, and how many passed: from the reports of the runners. */

/** How many lines of the output stand for a test without a name. */
const lastLines = 12;

/** How many lines of the message of a test are kept. */
const maxMessage = 3;

/** How deep below the folder of the command the reports of a workspace are: `services/pay/build/test-results/test`. */
const maxDepth = 5;

/** Reports that nobody has named: of surefire, failsafe, Gradle and vitest. */
const usualReport = /^(?:junit[\w.-]*|TEST-.*)\.xml$|^output\.(?:json|xml)$/;

export interface TestsOfRun {
  readonly failed: readonly GauntletTest[];
  /** It is null if nothing says it. */
  readonly passed: number | null;
  /** The last lines of the output. */
  readonly last: string;
}

/**
 * Reads what the runners tell of their tests: several reports are one. `since`: ms of the wall clock before which a
 * report is an older one.
 */
export function testsOf({ output, printed }: Ended, command: readonly string[], since: number): TestsOfRun {
  const named = command.map((word) => word.replace(/^-[\w.-]+[=:]/, '')).filter((word) => /\.(?:json|xml)$/.test(word));
  const fresh = (path: string): boolean => {
    const found = statSync(path, { throwIfNoEntry: false });
    return found?.isFile() === true && found.mtimeMs >= since;
  };
  const paths = new Set([...named.map((path) => resolve(path)), ...usualReports(resolve('.'), maxDepth)]);
  const inFiles = [...paths].filter(fresh).flatMap((path) => inText(readFileSync(path, 'utf8')));
  const reports = inFiles.length > 0 ? inFiles : inText(stripVTControlCharacters(printed));
  const text = stripVTControlCharacters(output).replaceAll('\r', '');
  return {
    failed: reports.flatMap(({ failed }) => failed),
    passed: reports.length === 0 ? null : reports.reduce((sum, { passed }) => sum + passed, 0),
    last: linesOf(text).slice(-lastLines).join('\n'),
  };
}

/** The reports where runners put them, in this folder and those below it. */
function usualReports(folder: string, depth: number): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (!entry.isDirectory()) return usualReport.test(entry.name) ? [path] : [];
    const isOfTools = entry.name === 'node_modules' || (entry.name.startsWith('.') && entry.name !== '.vitest');
    return depth === 0 || isOfTools ? [] : usualReports(path, depth - 1);
  });
}

interface Reported {
  readonly failed: readonly GauntletTest[];
  readonly passed: number;
}

/** The reports in a text, which may have other lines too: the JSON of jest and vitest, and the XML of JUnit. */
function inText(text: string): Reported[] {
  const documents = text.split('<?xml').flatMap((part) => between(part, '<testsuite', '</testsuite', '>'));
  const lines = text.split('\n').flatMap((line) => between(line, '{"num', '}', '}'));
  const objects = jsonOr(text, null) === null ? lines : [text];
  return [...documents.flatMap(inXml), ...objects.flatMap(inJson)];
}

/** From the first `begin` to the `end` at or after the last `close`. No text, however long, is gone through twice. */
function between(text: string, begin: string, close: string, end: string): string[] {
  const [from, last] = [text.indexOf(begin), text.lastIndexOf(close)];
  const to = last === -1 ? -1 : text.indexOf(end, last);
  return from === -1 || to < from ? [] : [text.slice(from, to + end.length)];
}

interface JsonReport {
  readonly numPassedTests: number;
  readonly testResults: {
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

/** A report of jest or vitest. JSON of another kind is none. */
function inJson(text: string): Reported[] {
  const { numPassedTests: passed = 0, testResults } = Object(jsonOr(text, null)) as Partial<JsonReport>;
  if (!Array.isArray(testResults)) return [];
  const failed = testResults.flatMap(({ name, status, message = '', assertionResults }) => {
    const file = ownPath(name);
    const tests = assertionResults
      .filter((test) => test.status === 'failed')
      .map(({ fullName, failureMessages: [why = ''] = [] }) => ({ name: fullName, file, message: firstLines(why) }));
    // A file that cannot be loaded, or whose hook failed.
    return tests.length === 0 && status === 'failed' ? [{ name: file, file, message: firstLines(message) }] : tests;
  });
  return [{ failed, passed }];
}

/** An element: its attributes begin with `@`. */
interface Suite {
  readonly testsuites?: Suite;
  readonly testsuite?: readonly Suite[];
  readonly testcase?: readonly Case[];
}

interface Case {
  readonly '@name'?: string;
  readonly '@classname'?: string;
  readonly '@file'?: string;
  readonly skipped?: unknown;
  readonly failure?: readonly Reason[];
  readonly error?: readonly Reason[];
}

type Reason = string | { readonly '@message'?: string; readonly '#text'?: string };

const xml = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseTagValue: false,
  // Entities by their numbers too.
  htmlEntities: true,
  isArray: (name) => ['testsuite', 'testcase', 'failure', 'error'].includes(name),
});

/** A report of JUnit: a skipped test is neither passed nor failed. One that the parser refuses is none. */
function inXml(text: string): Reported[] {
  try {
    const cases = casesOf(xml.parse(text) as Suite).filter(({ skipped }) => skipped === undefined);
    const failed = cases.flatMap((one) => {
      const [why] = [...(one.failure ?? []), ...(one.error ?? [])];
      return why === undefined ? [] : [{ ...nameOf(one), message: firstLines(reasonOf(why)) }];
    });
    return [{ failed, passed: cases.length - failed.length }];
  } catch {
    return [];
  }
}

/** The tests of a suite and of those within it. */
function casesOf({ testsuites, testsuite = [], testcase = [] }: Suite): readonly Case[] {
  return [...testcase, ...[testsuites ?? [], testsuite].flat().flatMap(casesOf)];
}

/** Runners name the groups of a test, its class, or its file beside it. */
function nameOf(one: Case): Pick<GauntletTest, 'name' | 'file'> {
  const { '@name': name = '', '@classname': group = '', '@file': file } = one;
  const isFile = existsSync(group);
  const isPart = group === '' || group === 'test' || isFile || name.startsWith(group);
  return { name: isPart ? name : `${group} > ${name}`, file: ownPath(file ?? (isFile ? group : '')) };
}

/** Why a test failed: `Failed`, as gotestsum writes, says nothing. */
function reasonOf(reason: Reason): string {
  if (typeof reason === 'string') return reason;
  const { '@message': message = '', '#text': text = '' } = reason;
  // node:test writes a quotation mark so.
  return (message === '' || message === 'Failed' ? text : message).replaceAll('&quot;', '"');
}

function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line.trim() !== '');
}

/** The first lines of why a test failed, before its code and its stack. */
function firstLines(text: string): string {
  const [own = ''] = stripVTControlCharacters(text).split(/^[ \t]*(?:at |> \d|\d+ \|)/m);
  const lines = linesOf(own).flatMap((line) => (/^(?:=== |\s*--- FAIL)/.test(line) ? [] : [line.trim()]));
  return lines.slice(0, maxMessage).join('\n');
}

/** The path of a file as it is below the folder of the command. */
function ownPath(path: string): string {
  const plain = path.replace(/^file:\/\//, '');
  return isAbsolute(plain) ? relative(process.cwd(), plain) : plain;
}
