import { beforeAll, expect, test } from '@jest/globals';
import { bulkItem, bulkPath, bulkPayment, singlePath, singlePayment } from '../lab/bodies.ts';
import { testBank } from '../support/test-bank.ts';
import { beforeEaster } from './console-bank.ts';
import { ConsoleClient, hidden } from './console-client.ts';

const bank = testBank(beforeEaster);
let client: ConsoleClient;

beforeAll(() => {
  client = new ConsoleClient(bank.address);
});

const textOf = (html: string): string => html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');

test('C10d: armed faults and quirks that are on stand in the head of every page, each with an off that works', async () => {
  expect((await client.get('/console/accounts')).text).not.toContain('class="switched"');
  await bank.control('POST', '/sandbox/faults', { code: 'SYSTEM_ERROR', path: '/v1/nothing' });
  await bank.control('PUT', '/sandbox/quirks', { quirks: { order: true } });
  for (const path of ['', '/accounts', '/calendar']) {
    const { text } = await client.get(`/console${path}`);
    const head = /<div class="switched">[^]*?<\/div>/.exec(text)?.[0] ?? '';
    expect(textOf(head)).toMatch(/1 armed fault off\s+On: order off/);
  }
  const page = await client.get('/console/accounts');
  const fields = { 'form-token': hidden(page, 'form-token'), 'came-from': '/accounts' };
  await client.post('/console/requests/disarm', fields);
  await client.post('/console/quirks', { ...fields, was: 'order' });
  expect((await client.get('/console/accounts')).text).not.toContain('class="switched"');
  expect((await bank.control('GET', '/sandbox/quirks')).body.quirks).toEqual({});
  expect((await bank.control('GET', '/sandbox/faults')).body.faults).toEqual([]);
});

test('C24: the next step of a payment is a link: a new payment, money into the account', async () => {
  const pageOf = async (id: string) => (await client.get(`/console/payments/${encodeURIComponent(id)}`)).text;
  const amount = { instructedAmount: { amount: '99999999.00', currency: 'NOK' } };
  const id = await bank.pays(singlePath, singlePayment(amount));
  await bank.advance({ runs: 1 });
  expect(await pageOf(id)).toMatch(/<a href="[^"]*console\/accounts\/\d{11}">Put money into the account<\/a>/);
  await bank.advance({ runs: 5 });
  expect(await pageOf(id)).toMatch(/<a href="[^"]*console\/pay">Make a new payment<\/a>/);
});

test('the title of a bulk payment has its sum, and its page its payees', async () => {
  const items = ['Abelsen', 'Borg', 'Carlsen'].map((creditorName, index) =>
    bulkItem(`${index + 1}.50`, { creditorName }),
  );
  const id = await bank.pays(bulkPath, bulkPayment(items));
  const { text } = await client.get(`/console/payments/${encodeURIComponent(id)}`);
  expect(text).toMatch(/<h1>7\.50.NOK in 3 transfers<\/h1>/);
  expect(textOf(text)).toMatch(/To\s+Abelsen ?, Borg ?, Carlsen/);
});
