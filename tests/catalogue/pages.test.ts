import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { catalogue } from '../../api/catalogue/catalogue.ts';
import { parseScenario } from '../../scripts/play/read-scenario.ts';
import { scenarioPage, scenariosPage } from '../../scripts/play/scenario-page.ts';
import { startTestBank, type TestBank } from '../support/server.ts';

const run = promisify(execFile);
let bank: TestBank;

beforeAll(async () => {
  bank = await startTestBank('2031-06-06T12:00:00+02:00');
});
afterAll(() => bank.stop());

const page = (name: string): string => readFileSync(`docs/scenarios/${name}.md`, 'utf8');

test('docs/scenarios.md and docs/scenarios are fresh: node scripts/scenarios-md.ts', () => {
  expect(readFileSync('docs/scenarios.md', 'utf8')).toBe(scenariosPage());
  const names = catalogue().map(({ name }) => `${name}.md`);
  expect(readdirSync('docs/scenarios').toSorted()).toEqual(names.toSorted());
  for (const scenario of catalogue()) expect(page(scenario.name)).toBe(scenarioPage(scenario));
});

/** Kept values in paths, headers and bodies, an empty header, a link that is followed. */
test.each(['signing-basket', 'unattended-limit', 'transactions', 'corporate'])(
  'the lines of the page %s work when they are copied to bash in order',
  async (name) => {
    const scenario = catalogue().find((one) => one.name === name);
    const lines = shellLines(page(name)).replace('http://127.0.0.1:8080', bank.address);
    const told = `curl() { command curl -w '%{stderr}%{http_code}\\n' "$@"; }`;
    const { stderr } = await run('bash', ['-euc', `${told}\n${lines}`]);
    const steps = scenario?.steps.map(({ expect: { status } }) => String(status)) ?? [];
    expect(stderr.trim().split('\n')).toEqual(['200', ...steps, '200']);
  },
);

test('the scenario of the page about writing one is read as it stands there', () => {
  const [, text = ''] = /```json\n([^]*?)```/.exec(readFileSync('docs/scenarios.md', 'utf8')) ?? [];
  expect(parseScenario(text, 'page').name).toBe('mine');
});

function shellLines(markdown: string): string {
  return [...markdown.matchAll(/```sh\n([^]*?)```/g)].map(([, lines = '']) => lines).join('');
}
