import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { commandSections } from '../../../scripts/cli/commands-page.ts';
import { withMadePart } from '../../../scripts/cli/made-part.ts';
import { optionsOf } from '../../../scripts/cli/arguments.ts';
import { allCommands } from '../../../scripts/commands/index.ts';
import { harText } from '../../../scripts/drift/har-file.ts';
import { memoryBank } from '../../lab/bank.ts';
import { greetedAddress } from '../../lab/greeted-address.ts';
import { baseRecording } from '../../drift/planted.ts';
import { program } from '../../support/program.ts';
import { runMain } from '../../support/recorded-terminal.ts';
import { platformIds } from '../../../api/start/platform.ts';
import { testBank } from '../../support/test-bank.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { builtDist } from '../package/built.ts';

const commands = await allCommands();
// Of the build: the gauntlet runs the file often.
const dist = await builtDist();
const home = process.cwd();
const folder = tempFolder();
const page = readFileSync('docs/commands.md', 'utf8');
const bank = testBank('2027-03-24T12:00:00+01:00', [], { platform: platformIds() });

beforeAll(async () => {
  // Where data/tpp and files are made.
  process.chdir(folder);
  mkdirSync('data');
  await (await memoryBank('2027-03-24', { ledger: 'data/ledger.sqlite' })).close();
  const { entries } = await baseRecording();
  const recording = harText({ version: '1.2', creator: { name: 'a test', version: '1' } }, entries);
  writeFileSync('recording.har', recording);
  const [harness, bank] = [join(dist, 'api/harness/index.mjs'), 'await using bank = await createBank();'];
  const reads = `test('reads', async () => { ${bank} await bank.tpp().fetch('/v1/accounts'); });`;
  writeFileSync('read.test.mjs', `import test from 'node:test';\nimport { createBank } from '${harness}';\n${reads}`);
});
afterAll(async () => {
  process.chdir(home);
});

test('docs/commands.md is fresh: npm run generate', () => {
  expect(page).toBe(withMadePart(page, commandSections(commands)));
});

test.each(commands)('$name has --json, and an example that the page shows', (command) => {
  expect(Object.keys(command.flags).map((flag) => flag.split(' ')[0])).toContain('--json');
  expect(command.examples?.length).toBeGreaterThan(0);
  for (const flag of optionsOf(command.flags)) expect(page).toContain(`--${flag.name()}`);
  for (const line of command.examples ?? []) expect(`  ${line}`.length).toBeLessThanOrEqual(80);
});

const runs = ['serve', 'open', 'proxy'];

test('the page has the examples, and these tests run them', () => {
  const shown = commands.flatMap(({ examples = [] }) => examples);
  const blocks = [...page.matchAll(/```sh\n([^`]*)```/g)].flatMap((match) => (match[1] ?? '').trim().split('\n'));
  expect(blocks).toEqual(shown);
});

/** One after the other: later examples of a chapter need the earlier ones. */
test.each(commands.flatMap(({ examples = [] }) => examples))('%s', async (line) => {
  const [typed = '', file] = line.split(' > ');
  const args = wordsOf(typed).slice(1);
  if (runs.includes(args[0] ?? '')) {
    const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
    expect(await greetedAddress(child.stdout)).toMatch(/^http:/);
    const exit = once(child, 'exit');
    child.kill('SIGTERM');
    expect(await exit).toEqual([0, null]);
    return;
  }
  const { code, lines: said, errors } = await runMain(args, { env: { BANK: bank.address, PATH: process.env['PATH'] } });
  expect([code, said.length > 0, code === 0 ? [] : errors]).toEqual([0, true, []]);
  if (args.includes('--json')) expect(JSON.parse(said.join('\n'))).toBeInstanceOf(Object);
  if (file !== undefined) writeFileSync(file, said.join('\n'));
});

/** The words of a line as a shell has them; the examples quote with ' only. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].map((match) => match[1] ?? match[2] ?? '');
}

test('a shell reads the examples as this test does', async () => {
  const example = "sandbank sign POST /v1/bank-offered-consents -H 'PSU-IP-Address:' --json";
  const script = `printf '%s\\n' ${example}`;
  const { stdout } = await promisify(execFile)('sh', ['-c', script]);
  expect(stdout.trimEnd().split('\n')).toEqual(wordsOf(example));
});
