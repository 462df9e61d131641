import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { KnownState } from '../../engine/bank/known-state.ts';
import { runMain } from '../support/recorded-terminal.ts';
import { startTestBank, type TestBank } from '../lab/server.ts';
import { tempFolder } from '../support/temp-folder.ts';

/* `fixtures` of POST /sandbox/banks and /sandbox/reset: a known state as an object, or a name that `/sandbox/info` reports. */
const usual = JSON.parse(readFileSync('fixtures/known-state.json', 'utf8')) as KnownState;
/** The known state with a first customer of another name. */
const renamed = (name: string): KnownState => ({
  ...usual,
  customers: usual.customers.map((customer, at) => (at === 0 ? { ...customer, name } : customer)),
});

const folder = tempFolder();
let file: string;
let bank: TestBank;
beforeAll(async () => {
  file = join(folder, 'mine.json');
  writeFileSync(file, JSON.stringify(renamed('Of The Server')));
  bank = await startTestBank('2027-03-24T12:00:00+01:00', ['--fixtures', file]);
});
afterAll(async () => {
  await bank.stop();
});

interface Info {
  readonly configuration: { readonly fixtures: string };
  readonly psus: readonly { readonly name: string }[];
}
const info = async (base = ''): Promise<Info> => (await bank.control('GET', `${base}/sandbox/info`)).body as Info;
const firstOf = async (base = ''): Promise<string | undefined> => (await info(base)).psus[0]?.name;

test('a bank is made of an object, which its reset goes back to by name; its info reports a name that makes another', async () => {
  const made = await bank.control('POST', '/sandbox/banks', { name: 'own', fixtures: renamed('Own Name') });
  expect(made).toMatchObject({ status: 200, body: { name: 'own', fixtures: 'banks/own' } });
  expect(await firstOf('/banks/own')).toBe('Own Name');
  await bank.control('POST', '/banks/own/sandbox/reset', { fixtures: 'known-state' });
  expect(await firstOf('/banks/own')).toBe(usual.customers[0]?.name);
  await bank.control('POST', '/banks/own/sandbox/reset');
  expect(await firstOf('/banks/own')).toBe(usual.customers[0]?.name);
  const { fixtures } = (await info('/banks/own')).configuration;
  await bank.control('POST', '/banks/own/sandbox/reset', { fixtures });
  expect(await firstOf('/banks/own')).toBe('Own Name');
  expect(await bank.control('POST', '/sandbox/banks', { name: 'copy', fixtures })).toMatchObject({
    body: { fixtures },
  });
  expect(await firstOf('/banks/copy')).toBe('Own Name');
});

test('the name that the info of the server reports is one, also where a file has been named at its start', async () => {
  const { fixtures } = (await info()).configuration;
  expect(fixtures).toBe(file);
  expect(await bank.control('POST', '/sandbox/banks', { name: 'same', fixtures })).toMatchObject({ status: 200 });
  expect(await firstOf('/banks/same')).toBe('Of The Server');
  expect((await bank.control('POST', '/sandbox/reset', { fixtures })).body).toMatchObject({ fixtures });
});

test('any other path is none, also of a file that is there', async () => {
  const other = join(folder, 'other.json');
  writeFileSync(other, JSON.stringify(usual));
  for (const fixtures of [
    other,
    `./${file}`,
    `${file}/../mine.json`,
    'fixtures/known-state.json',
    '/etc/passwd',
    'banks/nope',
  ]) {
    for (const [path, body] of [
      ['/sandbox/banks', { name: 'x', fixtures }],
      ['/sandbox/reset', { fixtures }],
    ] as const) {
      const { status, body: problem } = await bank.control('POST', path, body);
      expect([fixtures, status, problem.allowed]).toEqual([fixtures, 400, ['a-year-of-life', 'known-state', 'twins']]);
    }
  }
});

test.each<[string, unknown, string | undefined, RegExp]>([
  ['an empty object', {}, 'fixtures.customers', /customers/],
  ['a member that is unknown', { ...usual, nope: 1 }, 'fixtures.nope', /nope/],
  ['an account without its number', { customers: [{ accounts: [{}] }], agreements: [] }, undefined, /accountName/],
  ['a list', [], 'fixtures', /the name of a set of fixtures, or a known state as an object/],
  ['a number', 7, 'fixtures', /the name of a set of fixtures, or a known state as an object/],
  ['null', null, 'fixtures', /the name of a set of fixtures, or a known state as an object/],
  ['an empty name', '', 'fixtures', /fixtures/],
])('%s is refused by its path, and nothing is made', async (_what, fixtures, path, text) => {
  for (const [where, body] of [
    ['/sandbox/banks', { name: 'bad', fixtures }],
    ['/sandbox/reset', { fixtures }],
  ] as const) {
    const { status, body: problem } = await bank.control('POST', where, body);
    expect([status, problem.errors?.[0]?.path]).toEqual([400, path ?? expect.stringMatching(/^fixtures\.customers/)]);
    expect(JSON.stringify(problem)).toMatch(text);
  }
  expect((await bank.control('GET', '/banks/bad/sandbox/info')).status).toBe(404);
  expect(await firstOf()).toBe('Of The Server');
});

test('D4b: `$schema` in an object is for editors: the bank does not keep it', async () => {
  const seed = { $schema: './known-state.schema.json', ...renamed('With A Schema') };
  await bank.control('POST', '/sandbox/banks', { name: 'schema', fixtures: seed });
  expect(await firstOf('/banks/schema')).toBe('With A Schema');
  const wrong = { name: 'bad', fixtures: { ...seed, $schema: 7 } };
  const { body } = await bank.control('POST', '/sandbox/banks', wrong);
  expect(body.errors?.[0]?.path).toBe('fixtures.$schema');
});

test('the bank at the root is reset to an object, which later resets keep; new banks have the fixtures of the server', async () => {
  const answer = await bank.control('POST', '/sandbox/reset', { fixtures: renamed('Once') });
  expect(answer).toMatchObject({ status: 200, body: { fixtures: 'as given' } });
  await bank.control('POST', '/sandbox/reset');
  expect(await firstOf()).toBe('Once');
  await bank.control('POST', '/sandbox/banks', { name: 'after' });
  expect(await firstOf('/banks/after')).toBe('Of The Server');
  const back = await bank.control('POST', '/sandbox/reset', { fixtures: renamed('Of The Server') });
  expect(back).toMatchObject({ status: 200, body: { fixtures: file } });
  expect(await firstOf()).toBe('Of The Server');
});

test('bank create --fixtures FILE sends what is in the file', async () => {
  const own = join(folder, 'own.json');
  writeFileSync(own, JSON.stringify(renamed('From A File')));
  const run = (...words: string[]) => runMain(words, { env: { BANK: bank.address } });
  expect(await run('bank', 'create', 'filed', '--fixtures', own)).toMatchObject({ code: 0 });
  expect(await firstOf('/banks/filed')).toBe('From A File');
  for (const [name, content] of [
    ['none.json', null],
    ['list.json', '[]'],
    ['broken.json', '{'],
  ] as const) {
    const path = join(folder, name);
    if (content !== null) writeFileSync(path, content);
    const { code, errors } = await run('bank', 'create', 'nope', '--fixtures', path);
    expect([code, errors]).toEqual([2, [expect.stringContaining(`--fixtures ${path} `)]]);
  }
});
