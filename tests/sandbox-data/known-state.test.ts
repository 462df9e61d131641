import { describe, expect, test } from '@jest/globals';
import { openBank } from '../../engine/open-bank.ts';
import { randomIds } from '../../engine/bank/ids.ts';
import type { KnownState } from '../../engine/bank/known-state.ts';
import { at, calendar, knownState, manualClock } from '../lab/bank.ts';
import { bodyFaults, changed } from '../pipeline/faults-of.ts';

const small: KnownState = {
  customers: [
    {
      customerNumber: '13039319955',
      name: 'Test Testperson 3',
      type: 'private',
      accounts: [],
    },
    {
      customerNumber: '11111111',
      name: 'Corporation 1 AS',
      type: 'corporate',
      accounts: [
        {
          accountName: 'Driftskonto',
          bban: '34110000016',
          iban: 'NO2034110000016',
          currency: 'NOK',
          product: 'Brukskonto',
          cashAccountType: 'CACC',
          balance: '-250.00',
          creditLine: '1000.00',
          kidAgreement: 'MOD11',
          signaturesRequired: 1,
          paymentsAllowed: false,
        },
      ],
    },
  ],
  agreements: [
    {
      owner: '11111111',
      name: 'Corporation 1 AS',
      engagements: [{ customer: '13039319955', iban: 'NO2034110000016', roles: ['VIEW', 'REGISTER'] }],
    },
  ],
};
const account = 'customers.1.accounts.0';
const engagement = small.agreements[0]?.engagements[0];

test('D1: the default known state passes', () => {
  expect(bodyFaults('known-state', knownState)).toEqual([]);
});

test.each<[string, unknown]>([
  ['every member', small],
  ['nobody at all', { customers: [], agreements: [] }],
])('what passes can be laid: %s', async (_, state) => {
  expect(bodyFaults('known-state', state)).toEqual([]);
  const wall = manualClock(at('2027-03-24'));
  const bank = await openBank({ ledger: ':memory:', wall, ids: randomIds, calendar, knownState: state as KnownState });
  await bank.close();
});

describe('a fault is told with its place and what to write instead', () => {
  test.each<[string, unknown, string | undefined, string]>([
    ['customers', undefined, 'customers', 'is missing'],
    ['customer', [], 'customer', 'the members are $schema, customers, agreements'],
    ['customers.0.customerNumber', 13039319955, 'customers[0].customerNumber', 'Send it as a string'],
    ['customers.0.customerNumber', '88888888', 'customers[0].customerNumber', '11 digits'],
    ['customers.0.type', 'person', 'customers[0].type', 'private, corporate'],
    ['customers.0.accounts', undefined, 'customers[0].accounts', 'empty for a customer without any'],
    [`${account}.balance`, '250', 'customers[1].accounts[0].balance', '100.00'],
    [`${account}.balance`, 250, 'customers[1].accounts[0].balance', 'Send it as a string: "18000.00"'],
    [`${account}.creditLine`, '-1.00', 'customers[1].accounts[0].creditLine', 'below zero'],
    [`${account}.iban`, 'NO2134110000016', 'customers[1].accounts[0].iban', 'IBAN of 34110000016 is NO2034110000016'],
    [`${account}.bban`, '34110000024', 'customers[1].accounts[0].iban', 'IBAN of 34110000024 is NO9534110000024'],
    [`${account}.kidAgreement`, 'MOD97', 'customers[1].accounts[0].kidAgreement', 'MOD10, MOD11'],
    [`${account}.signaturesRequired`, 0, 'customers[1].accounts[0].signaturesRequired', 'from 1 to 10'],
    [`${account}.signaturesRequired`, 1.5, 'customers[1].accounts[0].signaturesRequired', 'whole number'],
    [
      `${account}.signaturesRequired`,
      2,
      'customers[1].accounts[0].signaturesRequired',
      'asks for 2 signatures, and 1 with REGISTER on it can sign',
    ],
    [`${account}.paymentsAllowed`, 'no', 'customers[1].accounts[0].paymentsAllowed', 'true or false'],
    ['agreements.0.owner', '13039319955', 'agreements[0].owner', 'no corporate customer'],
    ['agreements.0.engagements.0.customer', '11111111', 'agreements[0].engagements[0].customer', 'no private customer'],
    [
      'agreements.0.engagements.0.iban',
      'NO9534110000024',
      'agreements[0].engagements[0].iban',
      'no account of "11111111"',
    ],
    ['agreements.0.engagements.0.roles', ['READ'], 'agreements[0].engagements[0].roles[0]', 'VIEW, REGISTER'],
    ['agreements.0.engagements.0.roles', [], 'agreements[0].engagements[0].roles', 'VIEW, REGISTER or both'],
    ['agreements.0.engagements', [engagement, engagement], 'agreements[0].engagements[1]', 'all roles into one'],
  ])('%s: %j', (member, value, path, text) => {
    const faults = bodyFaults('known-state', changed(small, member, value));
    const fault = faults.find((candidate) => candidate.path === path);
    expect(fault?.text).toContain(text);
  });

  test('D4b: a limit below zero that is no text, or whose currency does not exist, has the fault of its form alone', () => {
    const asNumber = changed(small, `${account}.creditLine`, -1);
    expect(bodyFaults('known-state', asNumber).map(({ path }) => path)).toEqual([
      'customers[1].accounts[0].creditLine',
    ]);
    const isBelow = changed(small, `${account}.creditLine`, '-1.00') as object;
    const elsewhere = changed(isBelow, `${account}.currency`, 'XXX');
    expect(bodyFaults('known-state', elsewhere).map(({ path }) => path)).toEqual(['customers[1].accounts[0].currency']);
  });

  test.each([
    [`${account}.iban`, 'NO20 3411 0000 016', 'without blanks'],
    [`${account}.iban`, 'DE89370400440532013000', 'is NO2034110000016.'],
    ['agreements.0.engagements.0.iban', 'NO20 3411 0000 016', 'without blanks'],
  ])('an IBAN is that of its BBAN, without blanks: %s', (member, value, text) => {
    const texts = bodyFaults('known-state', changed(small, member, value)).map((fault) => fault.text);
    expect(texts.join('; ')).toContain(text);
  });

  test('interface, PSU identification 11: PSUs with VIEW alone sign nothing, a private account is signed for by its holder', () => {
    const path = 'agreements.0.engagements.0.roles';
    const twoSignatures = changed(changed(small, `${account}.signaturesRequired`, 2) as object, path, [
      'VIEW',
    ]) as KnownState;
    const [holder, corporation] = twoSignatures.customers;
    const shared = {
      ...holder,
      accounts: [{ ...corporation?.accounts[0], bban: '34110000024', iban: 'NO9534110000024' }],
    };
    const texts = bodyFaults('known-state', { ...twoSignatures, customers: [shared, corporation] });
    expect(texts.map(({ text }) => text.split('. ')[0])).toEqual([
      'The account asks for 2 signatures, and its holder alone signs',
      'The account asks for 2 signatures, and 0 with REGISTER on it can sign',
    ]);
  });

  test('nothing stands twice in the file: each second place is told', () => {
    const twice = { ...small, customers: [...small.customers, ...small.customers] };
    expect(bodyFaults('known-state', twice).map(({ path }) => path)).toEqual([
      'customers[2].customerNumber',
      'customers[3].customerNumber',
      'customers[3].accounts[0].bban',
      'customers[3].accounts[0].iban',
    ]);
  });
});
