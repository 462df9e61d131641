import { readFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { knownStateSchema } from '../../api/openapi/known-state-schema.ts';
import { loadKnownState } from '../../api/start/fixtures.ts';

interface State {
  readonly customers: readonly { readonly accounts: readonly object[] }[];
  readonly agreements: readonly { readonly engagements: readonly object[] }[];
}
const state = JSON.parse(readFileSync('fixtures/known-state.json', 'utf8')) as State;
// Strict: a format that it does not know is an error.
const fits = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true }).compile(knownStateSchema());
const folder = mkdtempSync(join(tmpdir(), 'sandbank-seed-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The path of a file with this content. */
function written(content: object): string {
  const file = join(folder, 'seed.json');
  writeFileSync(file, JSON.stringify(content));
  return file;
}

/** The known state with another member in its first account. */
function withAccount(members: object): State {
  const [first, ...others] = state.customers;
  const [account, ...rest] = first?.accounts ?? [];
  return { ...state, customers: [{ ...first, accounts: [{ ...account, ...members }, ...rest] }, ...others] };
}

/** The known state with another member in its first engagement. */
function withEngagement(members: object): State {
  const [first, ...others] = state.agreements;
  const [engagement, ...rest] = first?.engagements ?? [];
  return { ...state, agreements: [{ ...first, engagements: [{ ...engagement, ...members }, ...rest] }, ...others] };
}

test('fixtures/known-state.schema.json is fresh: npm run generate', () => {
  expect(JSON.parse(readFileSync('fixtures/known-state.schema.json', 'utf8'))).toEqual(knownStateSchema());
});

test('it is a JSON Schema of its own, which the known state fits', () => {
  expect(fits(state)).toBe(true);
  expect(fits({ $schema: './known-state.schema.json', ...state })).toBe(true);
});

describe('D4b: a seed file with `$schema`', () => {
  test('is read without that member', async () => {
    const $schema = './node_modules/sandbank/dist/fixtures/known-state.schema.json';
    expect(await loadKnownState(written({ $schema, ...state }))).toEqual(await loadKnownState('known-state'));
  });

  test.each<[path: string, content: object]>([
    ['customers[0].accounts[0].balance', withAccount({ balance: 12 })],
    ['customers[0].accounts[0].saldo', withAccount({ saldo: '12.00' })],
    ['customers[0].accounts[0].cashAccountType', withAccount({ cashAccountType: 'CASH' })],
    ['customers[0].accounts[0].accountName', withAccount({ accountName: 'Lån \u{1f600}' })],
    ['customers[0].accounts[0].accountName', withAccount({ accountName: '  ' })],
    ['agreements[0].engagements[0].iban', withEngagement({ iban: 'NO93' })],
    ['agreements', { customers: [] }],
    ['$schema', { $schema: 7, ...state }],
  ])('is refused by the schema and by the bank, which names the path: %s', async (path, content) => {
    expect(fits(content)).toBe(false);
    const file = written(content);
    const refusal = `the fixtures ${file} cannot be used: ${path}: `;
    await expect(loadKnownState(file)).rejects.toThrow(refusal);
  });
});
