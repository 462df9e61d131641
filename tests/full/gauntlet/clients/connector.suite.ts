import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { type Bank, createBank } from 'sandbank';
import { Connector } from './connector.ts';

const [kari, account, own] = ['02818550068', '34400000036', '34400000028'];
let bank: Bank;
let connector: Connector;
before(async () => {
  bank = await createBank({ now: '2027-04-13T12:00:00+02:00', port: 0 });
});
beforeEach(async () => {
  await bank.reset();
  connector = new Connector(bank.tpp({ name: 'connector' }), bank.url);
});
after(() => bank.close());

async function connect(): Promise<void> {
  let page: string | null = await connector.begin();
  for (let tries = 0; tries < 3 && page !== null; tries += 1)
    page = await connector.cameBack(await bank.psu(kari).approve(page));
}

void test('connects a customer', async () => {
  await connect();
  const accounts = await connector.accounts();
  assert.equal(accounts.length, 2);
  for (const id of accounts) assert.match(id, /^enc!!/);
});

void test('a customer without a card has none', async () => {
  await connect();
  assert.equal(await connector.cards(), 0);
});

void test('finds the KID of a payment', async () => {
  await bank.tpp().pay({ from: account, to: own, amount: '5.00', kid: '1234567897' });
  await bank.clock.advance('2027-04-14T12:00:00+02:00');
  await connect();
  const [, paying = ''] = (await connector.accounts()).toSorted();
  assert.equal(await connector.lastKid(paying), '1234567897');
});

void test('an answer is signed by the bank', async () => {
  await using signing = await createBank({ now: '2027-04-13T12:00:00+02:00', quirks: ['signed-answers'] });
  const own = new Connector(signing.tpp({ name: 'connector' }), signing.url);
  for (let page: string | null = await own.begin(), tries = 0; tries < 3 && page !== null; tries += 1)
    page = await own.cameBack(await signing.psu(kari).approve(page));
  const { certificate } = (await (await signing.fetch('/sandbox/bank-certificate')).json()) as {
    readonly certificate: string;
  };
  await own.readSigned(certificate);
});

void test('an answer is JSON', async () => {
  await connect();
  assert.match(await connector.rawType(), /^application\/json/i);
});
