import { readFileSync } from 'node:fs';
import { expect } from '@jest/globals';

/** The whole test of docs/tests.md. */
export function exampleOfPage(): string {
  const page = readFileSync('docs/tests.md', 'utf8');
  const [, whole = ''] = /```js\n(.*?)```/s.exec(page) ?? [];
  expect(whole).toContain("from 'sandbank'");
  // The README has its first test.
  for (const line of exampleOfReadme().trim().split('\n')) expect(asCommonJs(whole)).toContain(line);
  return whole;
}

/** The whole test of README.md. */
export function exampleOfReadme(): string {
  const [, whole = 'none'] = /```js\n(.*?)```/s.exec(readFileSync('README.md', 'utf8')) ?? [];
  return whole;
}

/** The client of docs/signing.md, which reads its PEM files and its base from the command line. */
export function clientOfPage(): string {
  const [, lines = ''] = /```js\n(import \{ signingFetch.*?)```/s.exec(readFileSync('docs/signing.md', 'utf8')) ?? [];
  const [imported = '', ...rest] = lines.split('\n');
  const files = 'const [certificate, key] = process.argv.slice(3).map((file) => readFileSync(file, "utf8"));';
  const shown = 'console.log(answer.status, Object.keys(Object(await answer.json())));';
  const base = "process.argv[2] ?? ''";
  const text = [imported, "import { readFileSync } from 'node:fs';", files, ...rest, shown, ''].join('\n');
  return text.replace("'http://127.0.0.1:7263'", base);
}

/** With the type of the bank, which the page has in a comment: the compiler knows no types from comments in TypeScript. */
export function asTypeScript(program: string): string {
  return program.replace(/\/\*\* @type.*\nlet bank;/, "let bank: import('sandbank').Bank;");
}

/** Imports of names alone as `require`. */
export function asCommonJs(text: string): string {
  return text
    .replaceAll(/^import (\{.*\}) from (.*);$/gm, 'const $1 = require($2);')
    .replaceAll(/^import ('.*');$/gm, 'require($1);');
}
