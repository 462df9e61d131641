import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { tempFolder } from '../support/temp-folder.ts';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { knownStateSchema } from '../../api/openapi/known-state-schema.ts';
import { loadKnownState } from '../../api/start/fixtures.ts';

interface State {
  readonly customers: readonly { readonly accounts: readonly object[]; readonly cards?: readonly object[] }[];
  readonly agreements: readonly { readonly engagements: readonly object[] }[];
}
const state = JSON.parse(readFileSync('fixtures/known-state.json', 'utf8')) as State;
// Strict: a format that it does not know is an error.
const fits = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true }).compile(knownStateSchema());
const folder = tempFolder();

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

/** The known state with another member in its first card. */
function withCard(members: object): object {
  const [first, ...others] = state.customers;
  const [card] = first?.cards ?? [];
  return { ...state, customers: [{ ...first, cards: [{ ...card, ...members }] }, ...others] };
}

/** The known state with a transaction of this amount on its first account. */
function withTransaction(amount: string): object {
  return withAccount({ transactions: [{ amount, daysAgo: 3, remittanceInformationUnstructured: 'Kiosk' }] });
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
  expect(fits({ ...state, $schema: 'elsewhere.json' })).toBe(true);
});

test('D4b: each listed known state names the schema, which its form fits', () => {
  for (const name of ['known-state', 'twins', 'a-year-of-life']) {
    const listed = JSON.parse(readFileSync(`fixtures/${name}.json`, 'utf8')) as object;
    expect(listed).toHaveProperty('$schema', './known-state.schema.json');
    expect([name, fits(listed)]).toEqual([name, true]);
  }
});

test('D4b: every amount that the bank takes fits the schema', async () => {
  const taken = [
    withAccount({ balance: '-1.00', creditLine: '5.00' }),
    withAccount({ balance: '0.00', creditLine: '0.00' }),
    withAccount({ balance: '1234567890123.00' }),
    withAccount({ balance: '250', currency: 'JPY' }),
    withAccount({ balance: '-0.001', currency: 'BHD' }),
    withAccount({ balance: '0.00001', currency: 'XDR' }),
    withCard({ balance: '-12.50', creditLimit: '0.00' }),
    withTransaction('-0.01'),
    withTransaction('10.00'),
  ];
  for (const content of taken) {
    expect([content, fits(content)]).toEqual([content, true]);
    expect(await loadKnownState(written(content))).toMatchObject({ agreements: state.agreements });
  }
});

describe('D4b: a seed file with `$schema`', () => {
  test('is read without that member', async () => {
    const $schema = './node_modules/sandbank/dist/fixtures/known-state.schema.json';
    expect(await loadKnownState(written({ ...state, $schema }))).toEqual(await loadKnownState('known-state'));
  });

  test.each<[path: string, content: object]>([
    ['customers[0].accounts[0].balance', withAccount({ balance: 12 })],
    ['customers[0].accounts[0].saldo', withAccount({ saldo: '12.00' })],
    ['customers[0].accounts[0].cashAccountType', withAccount({ cashAccountType: 'CASH' })],
    ['customers[0].accounts[0].accountName', withAccount({ accountName: 'Lån \u{1f600}' })],
    ['customers[0].accounts[0].accountName', withAccount({ accountName: '  ' })],
    ['agreements[0].engagements[0].iban', withEngagement({ iban: 'NO93' })],
    ['agreements[0].engagements[0].iban', withEngagement({ iban: 'DE89370400440532013000' })],
    ...['a lot', '', '1,00', '1.', '01.00', '+1.00', '-0.00', ' 1.00', '1e3', '12345678901234.00'].map(
      (balance): [string, object] => ['customers[0].accounts[0].balance', withAccount({ balance })],
    ),
    ['customers[0].accounts[0].creditLine', withAccount({ creditLine: '-1.00' })],
    ['customers[0].accounts[0].creditLine', withAccount({ creditLine: 'a lot' })],
    ['customers[0].cards[0].creditLimit', withCard({ creditLimit: '-1.00' })],
    ['customers[0].cards[0].balance', withCard({ balance: 'nothing' })],
    ['customers[0].accounts[0].transactions[0].amount', withTransaction('a lot')],
    ['customers[0].accounts[0].transactions[0].amount', withTransaction('0.00')],
    ['customers[0].accounts[0].bban', withAccount({ bban: '0923.29.11044' })],
    ['customers[0].accounts[0].iban', withAccount({ iban: 'no7809232911044' })],
    ['agreements', { customers: [] }],
    ['$schema', { ...state, $schema: 7 }],
  ])('is refused by the schema and by the bank, which names the path: %s', async (path, content) => {
    expect(fits(content)).toBe(false);
    const file = written(content);
    const refusal = `the fixtures ${file} cannot be used: ${path}: `;
    await expect(loadKnownState(file)).rejects.toThrow(refusal);
  });

  test('a misspelt member is one fault, with the member that it means', async () => {
    const [customer, ...others] = state.customers as [{ readonly accounts: readonly [object, ...object[]] }];
    const { balance, ...account } = customer.accounts[0] as { readonly balance: string };
    const mistyped = { ...account, balanse: balance };
    const content = { ...state, customers: [{ ...customer, accounts: [mistyped] }, ...others] };
    const file = written(content);
    await expect(loadKnownState(file)).rejects.toThrow(
      `the fixtures ${file} cannot be used: customers[0].accounts[0].balanse: "balanse" is no member here. Write balance.`,
    );
    const { length } = await loadKnownState(file).then(String, ({ message }: Error) => message.split('; '));
    expect(length).toBe(1);
  });
});

test('an unknown name of fixtures: the nearest, and what there is', async () => {
  await expect(loadKnownState('known-sate')).rejects.toThrow(
    /^there are no fixtures known-sate; the nearest is known-state\. There are a-year-of-life, known-state, twins, or give a path$/,
  );
  await expect(loadKnownState('fees')).rejects.toThrow(/^there are no fixtures fees\. There are /);
});
