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
  await bank.control('POST', '/sandbox/faults', { code: 'SYSTEM_ERROR', path: '/v1/signing-baskets' });
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

test('C15b: what a PSU sees leads back to the console, in a browser that was there', async () => {
  await bank.initiates(singlePath, singlePayment({ instructedAmount: { amount: '2.25', currency: 'NOK' } }));
  const [{ id: scaId }] = (await bank.control('GET', '/sandbox/sca')).body.scas;
  const { address } = (await bank.control('GET', '/sandbox/access/13039319955')).body;
  const access = new URL(address).pathname;
  const stranger = new ConsoleClient(bank.address);
  for (const [path, back] of [
    [`/sca/${scaId}`, `/console/sca/${scaId}`],
    [access, '/console/consents'],
  ] as const) {
    expect((await stranger.get(path)).text).not.toContain('Back to the console');
    const { text } = await client.get(`${path}?lang=nb`);
    const [, href = ''] = /<header[^]*?href="([^"]*)"[^>]*>Til konsollen</.exec(text) ?? [];
    const to = new URL(href, bank.address + path).pathname;
    expect([to, (await client.get(to)).status]).toEqual([back, 200]);
  }
});

test('a transfer that needs no signature says so; one that waits says that nobody has signed yet', async () => {
  const signed = async (body: object): Promise<string> => {
    const { paymentId } = await bank.initiates(singlePath, singlePayment(body));
    return textOf((await client.get(`/console/payments/${encodeURIComponent(paymentId)}`)).text);
  };
  await bank.pays(singlePath, singlePayment({ instructedAmount: { amount: '1.25', currency: 'NOK' } }));
  const own = { creditorAccount: { bban: '70323119469', currency: 'NOK' } };
  expect(await signed(own)).toContain('Signed by nobody: no signature was needed');
  expect(await signed({ instructedAmount: { amount: '3.25', currency: 'NOK' } })).toContain('Signed by nobody yet');
});

test('consents have their buttons under Actions, and none under State', async () => {
  await bank.control('POST', '/sandbox/consents', { tpp: 'shop', psu: '13039319955' });
  const { text } = await client.get('/console/consents?which=all');
  const cells = (head: string) => text.match(new RegExp(`<td data-head="${head}"[^]*?</td>`, 'g')) ?? [];
  expect(cells('Actions').filter((cell) => cell.includes('<button'))).toHaveLength(1);
  expect(cells('State').filter((cell) => cell.includes('<button'))).toEqual([]);
});

test('the first page leads to the requests that were refused, and to no others', async () => {
  for (let count = 0; count < 2; count += 1) await bank.signed('GET', '/v1/accounts');
  const { text } = await client.get('/console');
  const [, href = ''] = /href="([^"]*)"\s*>See \d+ refused requests</.exec(text) ?? [];
  const list = await client.get(new URL(href, `${bank.address}/console`).href.slice(bank.address.length));
  const answers = list.text.match(/<td data-head="Answer"[^]*?<\/td>/g) ?? [];
  expect(answers.length).toBeGreaterThan(1);
  expect(answers.filter((cell) => !/>4\d\d</.test(cell))).toEqual([]);
});
