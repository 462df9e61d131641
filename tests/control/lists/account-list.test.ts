import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { pay, payBulk, payInstantly, sign, signed } from '../../lab/payments.ts';
import { brokenProofs } from '../../lab/proof.ts';
import { rowsIn } from '../../lab/rows.ts';
import { addTransactions } from '../../../engine/accounts/mock-transactions.ts';
import { accountByNumber } from '../../../engine/accounts/rows/accounts.ts';
import { localDate } from '../../../engine/values/local-date.ts';
import { cpuTimeDuring, leastCpuTime } from '../../support/cpu-time.ts';
import { openControl, type Answer, type ControlClient } from '../control-client.ts';
import { busyBank, nowOf } from './busy-bank.ts';
import { fitting } from './fitting.ts';

type Entry = Record<'bookingDate' | 'valueDate' | 'text', string> & {
  readonly amount: { readonly amount: string };
  readonly balance: { readonly amount: string };
  readonly transactionId: string | null;
  readonly paymentId: string | null;
};

let control: ControlClient;
afterEach(() => control.close());

const nora = '09232911044';
const read = (number: string, query = ''): Promise<Answer['body']> =>
  fitting(control, 'GET', `/sandbox/accounts/${encodeURIComponent(number)}${query}`);
/** In hundredths; all accounts here have two digits. */
const minor = ({ amount }: { readonly amount: string }): bigint => BigInt(amount.replace('.', ''));
const told = (entry: Entry): unknown[] => [entry.bookingDate, entry.amount.amount, entry.balance.amount, entry.text];

describe('K8: a known bank', () => {
  beforeEach(async () => {
    control = await openControl('2027-03-24T12:00:00+01:00');
  });

  test('all accounts of all customers, with their balances', async () => {
    const { accounts } = await fitting(control, 'GET', '/sandbox/accounts');
    expect(accounts[0]).toEqual({
      number: nora,
      iban: 'NO7809232911044',
      name: 'Totalkonto',
      owner: { number: '13039319955', name: 'Test Testperson 3' },
      currency: 'NOK',
      booked: { amount: '18000.00', currency: 'NOK' },
      available: { amount: '18000.00', currency: 'NOK' },
      expected: { amount: '18000.00', currency: 'NOK' },
      creditLine: { amount: '0.00', currency: 'NOK' },
    });
    expect(accounts).toHaveLength(18);
    expect(accounts.map(({ currency }: { currency: string }) => currency)).toContain('EUR');
  });

  test('one with its entries: the balance after each, what is pending apart', async () => {
    const rent = await pay(control.bank, { from: 'nora', to: 'shop', amount: '100.00' });
    await sign(control.bank, rent.payment.resource_id, 'nora');
    await control.post('/sandbox/clock/advance', { runs: 2 });
    const wages = await payBulk(
      control.bank,
      [
        { from: 'nora', to: 'even', amount: '20.00' },
        { from: 'nora', to: 'shop', amount: '30.00' },
      ],
      localDate('2027-03-30'),
    );
    await sign(control.bank, wages.payment.resource_id, 'nora');
    const back = await pay(control.bank, { from: 'even', to: 'nora', amount: '7.50' });
    await sign(control.bank, back.payment.resource_id, 'even');
    await control.post('/sandbox/clock/advance', { to: '2027-03-30T06:00:00+02:00' });
    const own = await control.bank.ledger.read((reader) => accountByNumber(reader, nora));
    const reserved = {
      amount: -1_000n,
      currency: 'NOK',
      bookingDate: null,
      details: { creditorName: 'Kiosk' },
    } as const;
    await addTransactions(control.bank, own?.resource_id ?? '', [{ ...reserved, valueDate: localDate('2027-03-30') }]);
    const { entries, pending, ...account } = await read(nora);
    expect(entries.map(told)).toEqual([
      ['2027-03-23', '18000.00', '18000.00', 'Opening balance'],
      ['2027-03-24', '-100.00', '17900.00', 'shop'],
    ]);
    expect(entries[0]).toMatchObject({ transactionId: null, paymentId: null });
    expect(entries[1]).toMatchObject({ paymentId: rent.payment.resource_id, valueDate: '2027-03-24' });
    expect(entries[1].transactionId).toMatch(/^enc!!/);
    // Late on the 24th, and so tried before what is due on the 30th (S3).
    expect(pending).toEqual([
      {
        valueDate: '2027-03-24',
        amount: { amount: '7.50', currency: 'NOK' },
        text: 'Test Testperson 2',
        paymentId: back.payment.resource_id,
        isPosted: true,
      },
      {
        valueDate: '2027-03-30',
        amount: { amount: '-50.00', currency: 'NOK' },
        text: 'Samlepost, 2 betalinger, NOK 50.00',
        paymentId: wages.payment.resource_id,
        isPosted: true,
      },
      {
        valueDate: '2027-03-30',
        amount: { amount: '-10.00', currency: 'NOK' },
        text: 'Kiosk',
        paymentId: null,
        isPosted: false,
      },
    ]);
    expect(account).toMatchObject({ booked: { amount: '17900.00' }, available: { amount: '17847.50' } });
    await control.post('/sandbox/clock/advance', { runs: 1 });
    const after = await read('NO78 0923 2911 044', '?from=2027-03-30&to=2027-03-30');
    expect(after.entries.map(told)).toEqual([
      ['2027-03-30', '7.50', '17907.50', 'Test Testperson 2'],
      ['2027-03-30', '-50.00', '17857.50', 'Samlepost, 2 betalinger, NOK 50.00'],
    ]);
    expect(after.pending).toMatchObject([{ isPosted: false }]);
    expect((await read(nora, '?to=2027-03-23')).entries.map(told)).toEqual([entries[0]].map(told));
    expect((await read(nora, '?from=2030-01-01')).entries).toEqual([]);
    expect(await read(nora, '?from=1990-01-01&to=2099-12-31')).toEqual(await read(nora));
  });

  test("S6: a top-up is booked at once, today, told by the balance and by the TPP's transactions", async () => {
    const answer = await fitting(control, 'POST', `/sandbox/accounts/${nora}/top-up`, {
      amount: { amount: '5000.00', currency: 'NOK' },
    });
    expect(answer).toMatchObject({ number: nora, booked: { amount: '23000.00' }, available: { amount: '23000.00' } });
    const { entries, pending } = await read('NO7809232911044');
    expect(entries.map(told).at(-1)).toEqual(['2027-03-24', '5000.00', '23000.00', 'Innskudd']);
    expect(pending).toEqual([]);
    expect((await control.get('/sandbox/ledger/proof')).body).toMatchObject({
      ok: true,
      currencies: { NOK: { sum: { amount: '0.00' } } },
    });
    expect(await brokenProofs(control.bank)).toEqual({});
  });

  test.each<[string, unknown, string]>([
    ['another currency', { amount: { amount: '1.00', currency: 'EUR' } }, 'Send NOK'],
    ['nothing', { amount: { amount: '0.00', currency: 'NOK' } }, 'greater than zero'],
    ['three decimals', { amount: { amount: '1.000', currency: 'NOK' } }, '3 fraction digits'],
    ['too many digits', { amount: { amount: '12345678901234.00', currency: 'NOK' } }, 'at most 13'],
    ['no amount', {}, 'amount'],
    ['something more', { amount: { amount: '1.00', currency: 'NOK' }, text: 'gift' }, 'text'],
  ])('a top-up of %s is 400 and changes nothing', async (_what, body, words) => {
    const before = await read(nora);
    const answer = await control.post(`/sandbox/accounts/${nora}/top-up`, body);
    expect(answer).toMatchObject({ status: 400, body: { code: 'FORMAT_ERROR' } });
    expect(JSON.stringify(answer.body)).toContain(words);
    expect(await read(nora)).toEqual(before);
  });

  test('P4: a top-up beyond what a balance can hold is 400', async () => {
    const much = { amount: { amount: '9999999999999.99', currency: 'NOK' } };
    const answers = [];
    for (let time = 0; time < 101; time += 1)
      answers.push(await control.post(`/sandbox/accounts/${nora}/top-up`, much));
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(90);
    expect(answers.at(-1)).toMatchObject({ status: 400, body: { code: 'FORMAT_ERROR' } });
    expect((await control.get('/sandbox/ledger/proof')).body.ok).toBe(true);
  });

  test.each(['86011117947', 'NO9386011117948', 'nothing', "' or 1=1 --", '%00', '../info'])(
    'an unknown account is 404, in words that help: %s',
    async (number) => {
      const path = `/sandbox/accounts/${encodeURIComponent(number)}`;
      for (const answer of [
        await control.get(path),
        await control.post(`${path}/top-up`, { amount: { amount: '1.00', currency: 'NOK' } }),
      ]) {
        expect(answer).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
        expect(answer.body.detail).toContain('GET /sandbox/accounts lists them');
      }
    },
  );

  test.each<[string, string]>([
    ['from=2027-04-01&to=2027-03-01', 'to'],
    ['from=2027-02-30', 'from'],
    ['to=tomorrow', 'to'],
    ['from=', 'from'],
    ['limit=501', 'limit'],
    ['offset=-1', 'offset'],
  ])('a period or a page that cannot be is 400: %s', async (query, name) => {
    const { status, body } = await control.get(`/sandbox/accounts/${nora}?${query}`);
    expect({ status, errors: body.errors }).toMatchObject({ status: 400, errors: [{ path: name }] });
    expect(body).toHaveProperty('allowed');
  });

  test('an unknown parameter is refused, and a deleted account is gone', async () => {
    expect((await control.get('/sandbox/accounts?limit=1')).status).toBe(400);
    const { body } = await control.get(`/sandbox/accounts/${nora}?page=1`);
    expect(body.allowed).toEqual(['from', 'to', 'text', 'limit', 'offset']);
  });

  test('after a restore and a reset it is what it was', async () => {
    const fresh = await read(nora);
    await control.post('/sandbox/snapshots', { name: 'before' });
    await fitting(control, 'POST', `/sandbox/accounts/${nora}/top-up`, { amount: { amount: '1.00', currency: 'NOK' } });
    await signed(control.bank, 'nora', payInstantly(control.bank, { from: 'nora', to: 'even', amount: '5.00' }));
    expect(await read(nora)).not.toEqual(fresh);
    await control.post('/sandbox/snapshots/before/restore');
    expect(await read(nora)).toEqual(fresh);
    await fitting(control, 'POST', `/sandbox/accounts/${nora}/top-up`, { amount: { amount: '1.00', currency: 'NOK' } });
    await control.post('/sandbox/reset');
    expect((await read(nora)).entries.map(told)).toEqual(fresh.entries.map(told));
  });
});

test.each([1])(
  'the balance after each entry is the sum of all before it, over a random year (seed %i)',
  async (seed) => {
    control = await busyBank(seed, '2028-03-22');
    const now = await nowOf(control.bank);
    const { accounts } = await fitting(control, 'GET', '/sandbox/accounts');
    let lines = 0;
    for (const { number } of accounts as { readonly number: string }[]) {
      const { entries, pending, ...account } = await read(number);
      let sum = 0n;
      for (const entry of entries as Entry[]) {
        sum += minor(entry.amount);
        expect(minor(entry.balance)).toBe(sum);
      }
      lines += entries.length;
      expect(minor(account.booked)).toBe(sum);
      const open = (pending as Entry[]).reduce((total, entry) => total + minor(entry.amount), 0n);
      expect(minor(account.available) - minor(account.creditLine)).toBe(sum + open);
      // By SQL of its own: what was booked to the account until the end of each day.
      const days = await rowsIn(
        control.bank,
        `select booking_date, sum(sum(amount_minor)) over (order by booking_date) as sum_minor from entry
        where account_id = (select id from account where bban = '${number}' and closed_at is null)
        and coalesce(booked_at, 0) <= ${now} group by booking_date order by booking_date`,
      );
      for (const { booking_date: date, sum_minor: total } of days) {
        const last = (entries as Entry[]).findLast((entry) => entry.bookingDate <= String(date));
        expect([number, date, last === undefined ? 0n : minor(last.balance)]).toEqual([number, date, total]);
      }
      const [middle, last] = [entries.at(entries.length / 3), entries.at((entries.length * 2) / 3)];
      if (middle === undefined || last === undefined) continue;
      const part = await read(number, `?from=${middle.bookingDate}&to=${last.bookingDate}`);
      expect(part.entries).toEqual(
        (entries as Entry[]).filter(
          ({ bookingDate }) => bookingDate >= middle.bookingDate && bookingDate <= last.bookingDate,
        ),
      );
      expect(part.pending).toEqual(pending);
      expect([account.total, part.total]).toEqual([entries.length, part.entries.length]);
      const pages = [];
      for (let offset = 0; offset < part.total; offset += 7) {
        const query = `?from=${middle.bookingDate}&to=${last.bookingDate}&limit=7&offset=${offset}`;
        pages.unshift(...(await read(number, query)).entries);
      }
      expect(pages).toEqual(part.entries);
    }
    expect(lines).toBeGreaterThan(200);
    expect(await brokenProofs(control.bank)).toEqual({});
  },
  60_000,
);

test('K8: a period of more than 10,000 entries is refused before any is read; a page of it costs what it shows', async () => {
  control = await openControl('2027-03-24T12:00:00+01:00');
  const own = await control.bank.ledger.read((reader) => accountByNumber(reader, nora));
  const day = localDate('2027-03-23');
  const one = { amount: 1n, currency: 'NOK', bookingDate: day, valueDate: day, details: { debtorName: 'K' } } as const;
  await addTransactions(
    control.bank,
    own?.resource_id ?? '',
    Array.from({ length: 9_999 }, () => one),
  );
  const path = `/sandbox/accounts/${nora}`;
  const whole = await cpuTimeDuring(() => control.get(path));
  expect((await control.get(path)).body).toMatchObject({ total: 10_000 });
  const page = await leastCpuTime(3, () => cpuTimeDuring(() => control.get(`${path}?limit=100`)));
  await addTransactions(control.bank, own?.resource_id ?? '', [one]);
  const refused = await leastCpuTime(3, () => cpuTimeDuring(() => control.get(path)));
  expect((await control.get(path)).body).toMatchObject({ status: 400, allowed: { entries: '10000' } });
  expect({ page: page < whole / 3, refused: refused < whole / 3 }).toEqual({ page: true, refused: true });
  const { entries, total } = (await control.get(`${path}?limit=2&offset=1`)).body;
  expect([entries.map(told), total]).toEqual([
    [
      ['2027-03-23', '0.01', '18099.98', 'K'],
      ['2027-03-23', '0.01', '18099.99', 'K'],
    ],
    10_001,
  ]);
}, 60_000);
