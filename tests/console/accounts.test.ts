import { beforeAll, describe, expect, test } from '@jest/globals';
import { localDate } from '../../engine/values/local-date.ts';
import { addTransactions, deleteTransactions } from '../../engine/accounts/mock-transactions.ts';
import { accountByNumber } from '../../engine/accounts/rows/accounts.ts';
import { singlePath, singlePayment } from '../lab/bodies.ts';
import { unescapedHtml } from '../support/html.ts';
import { beforeEaster, pay } from './console-bank.ts';
import { ConsoleClient, hidden } from './console-client.ts';
import { testBank } from '../support/test-bank.ts';

const nora = '09232911044';
const company = '74712699947';

describe('the pages of accounts', () => {
  const bank = testBank(beforeEaster);
  let client: ConsoleClient;
  const read = async (path: string) => (await client.get(path)).text;

  beforeAll(async () => {
    client = new ConsoleClient(bank.address);
    await pay(bank, singlePath, singlePayment({ requestedExecutionDate: '2027-03-24' }));
    await bank.advance({ runs: 1 });
  });

  test.each([
    ['Testperson 2', [company], [nora]],
    ['0923 29', [nora], [company]],
    ['NO78 0923', [nora], [company]],
    ['SKATTETREKK', ['86620069552'], [nora]],
    ['<script>', ['No account has “&lt;script&gt;”'], [nora]],
  ])('the list is filtered by %j', async (of, there, missing) => {
    const page = await read(`/console/accounts?of=${encodeURIComponent(of)}`);
    for (const text of there) expect(page).toContain(text);
    for (const text of missing) expect(page).not.toContain(`>${text}<`);
  });

  test('the entries of an account are filtered by text and by amount; the page says how many', async () => {
    const bban = '34110000016';
    const topUp = (amount: string) =>
      bank.control('POST', `/sandbox/accounts/${bban}/top-up`, { amount: { amount, currency: 'NOK' } });
    for (const amount of ['150.25', '150.00', '7.00']) await topUp(amount);
    const found = async (text: string) => {
      const { body } = await bank.control('GET', `/sandbox/accounts/${bban}?${new URLSearchParams({ text })}`);
      return [body.total, body.entries.map((entry: { amount: { amount: string } }) => entry.amount.amount)];
    };
    expect(await found('150')).toEqual([2, ['150.25', '150.00']]);
    expect(await found('150,25')).toEqual([1, ['150.25']]);
    expect(await found('150.2')).toEqual([0, []]);
    expect(await found('innskudd')).toEqual([3, ['150.25', '150.00', '7.00']]);
    const { body } = await bank.control('GET', `/sandbox/accounts/${bban}?text=innskudd&limit=1&offset=1`);
    expect([body.total, body.entries[0].amount.amount]).toEqual([3, '150.00']);
    const whole = (await bank.control('GET', `/sandbox/accounts/${bban}`)).body.entries;
    expect(whole.at(-2).balance).toEqual(body.entries[0].balance);
    const page = await read(`/console/accounts/${bban}?text=150`);
    expect([page.includes('150.25'), page.includes('>7.00')]).toEqual([true, false]);
    expect(await read(`/console/accounts/${bban}?text=nothing`)).toContain('No entry of this period has it.');
  });

  test('an account has its pending and its booked entries, with the balance after each', async () => {
    const account = await bank.bank.ledger.read((reader) => accountByNumber(reader, nora));
    const today = localDate('2027-03-24');
    const reserved = { amount: -500n, currency: 'NOK', bookingDate: null, valueDate: today, details: {} } as const;
    await addTransactions(bank.bank, account?.resource_id ?? '', [reserved]);
    const pending = await read(`/console/accounts/${nora}`);
    expect(pending).toContain('<h2>Pending</h2>');
    expect(pending).toContain('later: it is reserved');
    await deleteTransactions(bank.bank, account?.resource_id ?? '');
    await bank.advance({ runs: 1 });
    const page = await read(`/console/accounts/${nora}`);
    expect(page).not.toContain('<h2>Pending</h2>');
    expect(page.replaceAll(/\s+/g, ' ')).toMatch(/Opening balance/);
  });

  test('a top up is told, and changes the balance; one that is no amount keeps what was entered, with the reason', async () => {
    const path = `/console/accounts/${nora}`;
    const before = (await bank.control('GET', `/sandbox/accounts/${nora}`)).body.available.amount;
    const page = await client.get(path);
    const fields = {
      'form-token': hidden(page, 'form-token'),
      'came-from': hidden(page, 'came-from'),
      currency: 'NOK',
    };
    const [, prefilled = ''] = /name="amount"[^>]* value="([^"]*)"/.exec(page.text) ?? [];
    for (const amount of [prefilled, '1 000,50', '250.50']) {
      const done = await client.post(`${path}/top-up`, { ...fields, amount });
      expect((await client.follow(`${path}/top-up`, done)).text).toContain('available.');
    }
    const after = (await bank.control('GET', `/sandbox/accounts/${nora}`)).body.available.amount;
    expect(Number(after) - Number(before)).toBe(2251);
    for (const amount of ['', '-5', '1.005', '<b>', '9'.repeat(40)]) {
      const refused = await client.follow(`${path}/top-up`, await client.post(`${path}/top-up`, { ...fields, amount }));
      expect(refused.text).toContain('role="alert"');
      expect(refused.text).toContain(`value="${amount.replaceAll('<', '&lt;').replaceAll('>', '&gt;')}"`);
      expect(refused.text).toContain('aria-invalid="true"');
    }
    expect((await bank.control('GET', `/sandbox/accounts/${nora}`)).body.available.amount).toBe(after);
    const blank = await client.follow(
      `${path}/top-up`,
      await client.post(`${path}/top-up`, { ...fields, amount: '  ' }),
    );
    expect(unescapedHtml(blank.text)).toContain(
      '"" is refused: it is no decimal number; NOK amounts have 2 fraction digits',
    );
  });

  test.each([
    '/console/accounts/1234',
    `/console/accounts/${nora}?from=x`,
    `/console/accounts/${nora}?from=2027-04-01&to=2027-03-01`,
    `/console/accounts/${nora}?offset=-1`,
    `/console/accounts/${nora}?offset=99999999999999`,
    '/console/accounts?offset=x&of=%00',
    `/console/accounts/${nora}?from=2099-12-31`,
    `/console/accounts/${nora}?from=0001-01-01&to=9999-12-31`,
  ])('%s is a page, not an error of the bank', async (path) => {
    expect((await client.get(path)).status).toBeLessThan(500);
  });

  test('an account with thousands of entries is a small page', async () => {
    const accountId = (await bank.signed('GET', '/v1/sandbox/accounts')).body.find(
      ({ bban }: { bban: string }) => bban === company,
    ).resourceId;
    const mock = { amount: '-1.00', currency: 'NOK', creditorName: 'Aftenposten' };
    const dates = Array.from({ length: 80 }, (_, index) =>
      new Date(Date.UTC(2027, 0, 1 + index)).toISOString().slice(0, 10),
    );
    const mocks = dates.flatMap((date) =>
      Array.from({ length: 40 }, () => ({ ...mock, valueDate: date, bookingDate: date })),
    );
    const path = `/v1/sandbox/accounts/${encodeURIComponent(accountId)}/transactions`;
    for (let first = 0; first < mocks.length; first += 800) {
      expect((await bank.signed('POST', path, { body: mocks.slice(first, first + 800) })).status).toBe(201);
    }
    const page = await read(`/console/accounts/${company}`);
    expect(page).toContain('of 3');
    expect(page.length).toBeLessThan(120_000);
  });
});
