import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { catalogue } from '../../api/catalogue/catalogue.ts';
import { topics } from '../../api/catalogue/scenario.ts';
import { parseScenario } from '../../scripts/play/read-scenario.ts';
import { withMadePart } from '../../scripts/cli/made-part.ts';
import { scenarioList, scenarioPage } from '../../scripts/play/scenario-page.ts';
import { someOf } from '../support/sample.ts';
import { hasProgram, testWith } from '../support/test-with.ts';
import { testBank } from '../support/test-bank.ts';

const runFile = promisify(execFile);

/** Runs a script until a line of it fails. Without SHLVL, bash takes a pipe for a remote login, and reads the machine's bashrc: not with --norc. */
const runScript = (script: string, ...words: readonly string[]): Promise<{ stdout: string; stderr: string }> =>
  runFile('bash', ['--norc', '-euc', script, '-', ...words]);
const bank = testBank('2031-06-06T12:00:00+02:00');

const page = (name: string): string => readFileSync(`docs/scenarios/${name}.md`, 'utf8');

test('docs/scenarios.md and docs/scenarios are fresh: npm run generate', () => {
  const list = readFileSync('docs/scenarios.md', 'utf8');
  expect(list).toBe(withMadePart(list, scenarioList()));
  for (const topic of topics) expect(list).toContain(`\`${topic}\``);
  const names = catalogue().map(({ name }) => `${name}.md`);
  expect(readdirSync('docs/scenarios').toSorted()).toEqual(names.toSorted());
  for (const scenario of catalogue()) expect(page(scenario.name)).toBe(scenarioPage(scenario));
});

const tools = ['bash', 'curl', 'jq'];
const missing = tools.filter((tool) => !hasProgram(tool));

/** Kept values in paths, headers and bodies, an empty header, a link that is followed; the other pages are made of the same. */
const run = ['first-payment', 'signing-basket', 'unattended-limit', 'transactions', 'corporate'];

testWith(missing.length === 0, missing.join(' and ')).each(someOf('pages in bash', run, 2))(
  'the lines of the page %s work when they are copied to bash in order (needs curl and jq)',
  async (name) => {
    const steps = catalogue().find((one) => one.name === name)?.steps ?? [];
    const lines = shellLines(page(name)).replace('http://127.0.0.1:7263', bank.address);
    const told = `curl() { command curl -w '%{stderr}%{http_code}\\n' "$@"; }`;
    const { stderr } = await runScript(`${told}\n${lines}`);
    // Its bank is made first, and taken away at the end.
    const expected = ['200', ...steps.map(({ expect: { status } }) => String(status)), '200'];
    expect(stderr.trim().split('\n')).toEqual(expected);
  },
);

testWith(missing.length === 0, missing.join(' and ')).each([
  ['\\((a)\\)', '(a)'],
  ['(?:x|(?=\\())\\(?(a)', '(a)'],
  ['[(\\]]?(a)(b)?', '(a)'],
  ['(?<!x)(?<letter>a)', '(a)'],
])('jq keeps the first group of the pattern %s as play does', async (match, text) => {
  const [one] = catalogue();
  if (one === undefined) throw new Error('no scenario');
  const step = {
    says: 'x',
    method: 'GET',
    path: '/',
    expect: { status: 200 },
    keep: { my_text: { at: 'text', match } },
  };
  const next = { ...step, path: '/{my_text}', keep: {} };
  const page = scenarioPage(
    parseScenario(Buffer.from(JSON.stringify({ ...one, ends: '{my_text}', steps: [step, next] })), 'test'),
  );
  expect(page).toContain('"$BANK/$my_text"');
  const line = page.split('\n').find((each) => each.startsWith('my_text=')) ?? '';
  const { stdout } = await runScript(`answer=$1; ${line}; printf %s "$my_text"`, JSON.stringify({ text }));
  expect(stdout).toBe(new RegExp(match).exec(text)?.[1]);
});

test('the scenario of the page about writing one is read as it stands there', () => {
  const [, text = ''] = /```json\n([^]*?)```/.exec(readFileSync('docs/scenarios.md', 'utf8')) ?? [];
  expect(parseScenario(Buffer.from(text), 'page').name).toBe('mine');
});

function shellLines(markdown: string): string {
  return [...markdown.matchAll(/```sh\n([^]*?)```/g)].map(([, lines = '']) => lines).join('');
}
