import { beforeAll, expect, test } from '@jest/globals';
import { singlePath, singlePayment } from '../lab/bodies.ts';
import { startTestBank } from '../lab/server.ts';
import { unescapedHtml } from '../support/html.ts';
import { testBank } from '../support/test-bank.ts';
import { ConsoleClient } from './console-client.ts';

const bank = testBank('2027-03-23T11:00:00+01:00');
let client: ConsoleClient;

beforeAll(() => {
  client = new ConsoleClient(bank.address);
});

/** A payment to an account number, of which the payer named nobody; its id. */
async function pays(number: string, changes: object = {}): Promise<string> {
  const creditorAccount = { bban: number, currency: 'NOK' };
  return bank.pays(singlePath, singlePayment({ creditorAccount, creditorName: 'Payee', ...changes }));
}

async function textOf(path: string): Promise<string> {
  const { text } = await client.get(path);
  const main = /<main[^]*<\/main>/.exec(text)?.[0] ?? '';
  return unescapedHtml(main.replaceAll(/<[^>]*>/g, ' ')).replaceAll(/\s+/g, ' ');
}

const pageOf = (id: string): string => `/console/payments/${encodeURIComponent(id)}`;

test('D1c: the head of a payment to a blocked account says that it will be rejected, as its picture and the list do', async () => {
  const id = await pays('99130000009', { requestedExecutionDate: '2027-03-27' });
  const { body } = await bank.control('GET', `/sandbox/payments/${encodeURIComponent(id)}`);
  expect(body.why).toMatch(/; is rejected Tue 30 Mar, 05:30: the creditor account is blocked$/);
  const page = await textOf(pageOf(id));
  expect(page).toMatch(
    /waits for its day ?\. Asked for Sat 27 Mar, [^;]*; will be rejected Tue 30 Mar, 05:30: the creditor account is blocked ?\./,
  );
  expect(page).not.toContain('if funds suffice');
  expect(await textOf('/console/payments')).toMatch(/9913.00.00009 .* will be rejected Tue 30 Mar, 05:30/);
});

test('S4: the head of a payment without funds says how its last attempt will end', async () => {
  const instructedAmount = { amount: '99999999.00', currency: 'NOK' };
  const id = await bank.pays(singlePath, singlePayment({ instructedAmount, requestedExecutionDate: '2027-03-24' }));
  expect(await textOf(pageOf(id))).toMatch(/ill be rejected Wed 24 Mar, 15:30: [\d,.]+ NOK short ?\./);
});

test('D1c: the page of a returned payment says that it came back, and has the credit among its entries', async () => {
  const id = await pays('99110000002');
  await bank.advance({ runs: 1 });
  const before = await textOf(pageOf(id));
  expect(before).toContain('It is settled, and comes back on Wed 24 Mar: account closed.');
  expect((await client.get(pageOf(id))).text).toContain('role="slider"');
  await bank.advance({ to: '2027-03-31' });
  const page = await textOf(pageOf(id));
  expect(page).toContain('It came back on Wed 24 Mar: account closed.');
  expect(page).not.toContain('The next run books it.');
  // Now is no longer on the line of its days, and the handle stands at now.
  expect((await client.get(pageOf(id))).text).not.toContain('role="slider"');
  const books = /In the books[^]*/.exec(page)?.[0] ?? '';
  expect(books).toMatch(/Entries/);
  const rows = (await client.get(pageOf(id))).text.split('In the books')[1]?.match(/<tbody>[^]*?<\/tbody>/)?.[0];
  expect(rows?.match(/<tr>/g)).toHaveLength(3);
});

test('D1c: the calendar names money that comes back, and marks what is rejected in place of its amount', async () => {
  await using own = await startTestBank('2027-03-23T11:00:00+01:00');
  for (const number of ['99110000002', '99130000009']) {
    const creditorAccount = { bban: number, currency: 'NOK' };
    const instructedAmount = { amount: '80.00', currency: 'NOK' };
    await own.pays(singlePath, singlePayment({ creditorAccount, instructedAmount }));
  }
  await own.advance({ runs: 1 });
  const { text } = await new ConsoleClient(own.address).get('/console/calendar');
  const shown = text.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
  expect(shown).toMatch(/Wed 24 5 runs 80\.00.NOK comes back/);
  expect(shown).not.toContain('of lives');
  expect(shown.match(/-80/g)).toHaveLength(1);
});
