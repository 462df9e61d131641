import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { loadPriceList } from '../../../api/start/fixtures.ts';
import { paymentColumns } from '../../../api/openapi/columns.ts';
import { storedQuirks } from '../../../engine/bank/bank-context.ts';
import { search } from '../../../engine/inspection/list-payments.ts';
import { initiatePayment } from '../../../engine/payments/initiate-payment.ts';
import { localDate } from '../../../engine/values/local-date.ts';
import { products } from '../../../engine/values/product.ts';
import { order, pay, payBulk, payInstantly, people, sign, tpp, paySigned } from '../../lab/payments.ts';
import { openControl, type Answer, type ControlClient } from '../control-client.ts';
import { busyBank } from './busy-bank.ts';
import { fitting } from './fitting.ts';
import { rowsIn } from '../../lab/rows.ts';

interface Listed {
  readonly paymentId: string;
  readonly service: string;
  readonly status: string;
  readonly amount: { readonly amount: string; readonly currency: string };
  readonly debtor: { readonly number: string };
  readonly creditor: { readonly number: string } | null;
  readonly executionDate: string | null;
  readonly nextAttempt: { readonly id: string; readonly at: string } | null;
  readonly endedAt: string | null;
}

let control: ControlClient;
afterEach(() => control.close());

const list = (query = ''): Promise<{ readonly payments: readonly Listed[]; readonly total: number }> =>
  fitting(control, 'GET', `/sandbox/payments${query}`);
const inspect = async (id: string): Promise<Answer['body']> =>
  (await control.get(`/sandbox/payments/${encodeURIComponent(id)}`)).body;
const ids = (payments: readonly Listed[]): string[] => payments.map(({ paymentId }) => paymentId);

describe('K6: a known bank', () => {
  beforeEach(async () => {
    control = await openControl('2027-03-24T12:00:00+01:00');
  });

  test('a payment without funds executes when its fifth attempt ends it: the column does not jump back', async () => {
    const { payment } = await paySigned(control.bank, { from: 'anne', to: 'shop', amount: '900.00' });
    const executes = paymentColumns.find(([head]) => head === 'Executes')?.[2] as (of: unknown) => { at: string };
    const shown: string[] = [];
    for (let run = 0; run < 6; run += 1) {
      const [one] = (await list()).payments;
      shown.push(executes(one).at);
      await control.post('/sandbox/clock/advance', { runs: 1 });
    }
    expect(shown).toEqual(shown.toSorted());
    expect((await list()).payments).toMatchObject([
      { paymentId: payment.resource_id, status: 'RJCT', endedAt: shown.at(-1), nextAttempt: null },
    ]);
  });

  test('one of each service, the newest first, with the run that tries it next', async () => {
    const { bank } = control;
    expect(await list()).toEqual({ payments: [], total: 0 });
    const today = await pay(bank, { from: 'nora', to: 'shop', amount: '100.00' });
    await sign(bank, today.payment.resource_id, 'nora');
    // Good Friday: Tuesday the 30th is the next banking day.
    const later = await pay(bank, { from: 'nora', to: 'even', amount: '20.00' }, localDate('2027-03-26'));
    await sign(bank, later.payment.resource_id, 'nora');
    const bulk = await payBulk(
      bank,
      [
        { from: 'nora', to: 'even', amount: '1.10' },
        { from: 'nora', to: 'shop', amount: '2.20' },
      ],
      localDate('2027-04-01'),
    );
    const plan = { frequency: 'Monthly', startDate: localDate('2027-04-15') } as const;
    const rent = await order(bank, { from: 'even', to: 'shop', amount: '7.00' }, plan);
    const straks = await payInstantly(bank, { from: 'nora', to: 'even', amount: '3.00' });
    await sign(bank, straks.payment.resource_id, 'nora');
    const { payments, total } = await list();
    expect(total).toBe(5);
    expect(payments[4]).toEqual({
      paymentId: today.payment.resource_id,
      service: 'payments',
      product: 'norwegian-domestic-credit-transfers',
      status: 'PDNG',
      amount: { amount: '100.00', currency: 'NOK' },
      debtor: { number: people.nora.bban, name: 'Test Testperson 3' },
      creditor: { number: people.shop.bban, name: 'shop', inThisBank: false },
      initiatedAt: '2027-03-24T12:00:00.000+01:00',
      executionDate: '2027-03-24',
      nextAttempt: { id: '2027-03-24/4', at: '2027-03-24T13:30:00.000+01:00' },
      endedAt: null,
    });
    expect(payments[3]).toMatchObject({
      paymentId: later.payment.resource_id,
      status: 'ACSP',
      executionDate: '2027-03-30',
      nextAttempt: { id: '2027-03-30/1', at: '2027-03-30T05:30:00.000+02:00' },
    });
    expect(payments[2]).toMatchObject({
      paymentId: bulk.payment.resource_id,
      status: 'RCVD',
      amount: { amount: '3.30', currency: 'NOK' },
      creditor: null,
      nextAttempt: null,
    });
    expect(payments[1]).toMatchObject({
      paymentId: rent.payment.resource_id,
      service: 'periodic-payments',
      executionDate: '2027-04-15',
      nextAttempt: null,
    });
    expect(payments[0]).toMatchObject({ paymentId: straks.payment.resource_id, status: 'ACSC', nextAttempt: null });
    expect(ids((await list('?status=PDNG')).payments)).toEqual([today.payment.resource_id]);
    expect(ids((await list('?status=ACSP')).payments)).toEqual([later.payment.resource_id]);
    // S2b: at midnight, by the clock alone.
    await control.post('/sandbox/clock/advance', { to: '2027-03-30' });
    expect(ids((await list('?status=PDNG')).payments)).toEqual([later.payment.resource_id]);
    expect((await list('?status=ACSP')).total).toBe(0);
    // A search finds what the list shows (control-plane.md C11).
    for (const [q, found] of [
      ['pdng', [later]],
      ['ACSP', []],
      ['2027-04-15', [rent]],
    ] as const) {
      const { payments } = await search(bank, q, 5);
      expect([q, payments.map(({ paymentId }) => paymentId)]).toEqual([
        q,
        found.map((each) => each.payment.resource_id),
      ]);
    }
  });

  test('S4: what lacked funds is tried by the next run, of the next banking day at last', async () => {
    await paySigned(control.bank, { from: 'anne', to: 'shop', amount: '900.00' });
    const told: unknown[] = [];
    for (let runs = 0; runs < 6; runs += 1) {
      const { payments } = await list();
      told.push(payments.map(({ status, nextAttempt }) => `${status} ${nextAttempt?.id}`)[0]);
      await control.post('/sandbox/clock/advance', { runs: 1 });
    }
    expect(told).toEqual([
      'PDNG 2027-03-24/4',
      'ACCP 2027-03-24/5',
      'ACCP 2027-03-30/1',
      'ACCP 2027-03-30/2',
      'ACCP 2027-03-30/3',
      'RJCT undefined',
    ]);
  });

  test('R9: of a standing order the next date, and none once it has ended; P13: of an unsigned one that if signed now', async () => {
    const { bank } = control;
    const plan = {
      frequency: 'Monthly',
      startDate: localDate('2027-04-15'),
      endDate: localDate('2027-05-31'),
    } as const;
    const signed = await order(bank, { from: 'nora', to: 'shop', amount: '7.00' }, plan);
    await sign(bank, signed.payment.resource_id, 'nora');
    const waiting = await order(bank, { from: 'nora', to: 'shop', amount: '8.00' }, plan);
    const dates = async () =>
      (await list()).payments.map(({ executionDate, nextAttempt }) => [executionDate, nextAttempt?.id]);
    const [unsigned, first] = [[waiting.payment.resource_id], [signed.payment.resource_id]];
    expect(await dates()).toEqual([
      ['2027-04-15', undefined],
      ['2027-04-15', '2027-04-15/1'],
    ]);
    await control.post('/sandbox/clock/advance', { to: '2027-04-15T06:00:00+02:00' });
    expect(await dates()).toEqual([
      ['2027-04-15', undefined],
      ['2027-05-18', '2027-05-18/1'],
    ]);
    expect(ids((await list('?from=2027-04-15&to=2027-04-15')).payments)).toEqual(unsigned);
    expect(ids((await list('?from=2027-05-18')).payments)).toEqual(first);
    await control.post('/sandbox/clock/advance', { to: '2027-06-01' });
    expect(await dates()).toEqual([
      [null, undefined],
      [null, undefined],
    ]);
    expect((await list('?from=2000-01-01')).total).toBe(0);
    expect((await list('?status=ACSC&service=periodic-payments')).total).toBe(1);
  });

  test('an account is the debtor or a creditor, by BBAN or IBAN; that of a number abroad too', async () => {
    const { bank } = control;
    const out = await pay(bank, { from: 'nora', to: 'shop', amount: '1.00' });
    const bulk = await payBulk(bank, [
      { from: 'even', to: 'shop', amount: '1.10' },
      { from: 'even', to: 'nora', amount: '2.20' },
    ]);
    await pay(bank, { from: 'kari', to: 'even', amount: '2.00' });
    const both = [bulk.payment.resource_id, out.payment.resource_id];
    for (const account of ['09232911044', 'NO7809232911044', 'NO78 0923 2911 044']) {
      expect(ids((await list(`?account=${encodeURIComponent(account)}`)).payments)).toEqual(both);
    }
    expect((await list('?account=09232911044&service=bulk-payments')).total).toBe(1);
    expect((await list('?account=86011117947')).total).toBe(0);
    expect((await list('?account=0532013000')).total).toBe(0);
  });

  test('P5: a number abroad without an IBAN is found as the list shows it', async () => {
    await control.close();
    control = await openControl('2027-03-24T12:00:00+01:00', { prices: await loadPriceList() });
    const body = {
      instructedAmount: { amount: '10.00', currency: 'USD' },
      creditorName: 'Somebody',
      creditorAgent: 'CHASUS33',
      creditorAccount: { bban: '0532013000', currency: 'USD' },
      debtorAccount: { bban: people.nora.bban, currency: 'NOK' },
    } as const;
    await initiatePayment(control.bank, {
      tpp,
      psu: { psuIdentity: people.nora.psu },
      psuContext: 'PRIVATE',
      returnTo: { redirectUri: 'https://tpp.example/back', sessionId: null },
      product: products.crossBorder,
      initiation: { service: 'payments', body },
    });
    const { payments } = await list('?account=0532013000');
    expect(payments).toMatchObject([
      { amount: { amount: '10.00', currency: 'USD' }, creditor: { number: '0532013000', name: 'Somebody' } },
    ]);
    expect((await list('?account=CHASUS33')).total).toBe(0);
  });

  test.each<[string, string]>([
    ['status=NOPE', 'status'],
    ['status=ACTC', 'status'],
    ['status=', 'status'],
    ['status=pdng', 'status'],
    ['service=nope', 'service'],
    ['account=NO9386011117948', 'account'],
    ['account=no9386011117948', 'account'],
    ['account=8601.11.17947', 'account'],
    ['account=nobody', 'account'],
    ["account=' or 1=1 --", 'account'],
    ['from=2027-02-30', 'from'],
    ['from=2027-04-02&to=2027-04-01', 'to'],
    ['limit=0', 'limit'],
    ['limit=501', 'limit'],
    ['offset=-1', 'offset'],
  ])('a filter that cannot be is 400, with what there is: %s', async (query, name) => {
    const { status, body } = await control.get(`/sandbox/payments?${encodeURI(query)}`);
    expect({ status, body }).toMatchObject({ status: 400, body: { errors: [{ path: name }] } });
    expect(body.detail).toContain(name);
    expect(body.allowed).toBeTruthy();
  });

  test('an unknown parameter, or one that is there twice, is 400', async () => {
    const unknown = await control.get('/sandbox/payments?state=ACSC');
    expect(unknown).toMatchObject({ status: 400, body: { allowed: expect.arrayContaining(['status', 'limit']) } });
    expect((await control.get('/sandbox/payments?limit=1&limit=2')).status).toBe(400);
  });

  test('P5: the check digit of a BBAN is judged under its quirk', async () => {
    expect((await list('?account=86011117948')).total).toBe(0);
    await control.close();
    control = await openControl('2027-03-24T12:00:00+01:00', { quirks: storedQuirks('bban-mod11') });
    expect((await control.get('/sandbox/payments?account=86011117948')).status).toBe(400);
    expect((await list('?account=86011117947')).total).toBe(0);
  });

  test('after a restore it is what it was, after a reset it is empty', async () => {
    await pay(control.bank, { from: 'nora', to: 'shop', amount: '1.00' });
    const before = await list();
    await control.post('/sandbox/snapshots', { name: 'one' });
    await pay(control.bank, { from: 'nora', to: 'shop', amount: '2.00' });
    expect((await list()).total).toBe(2);
    await control.post('/sandbox/snapshots/one/restore');
    expect(await list()).toEqual(before);
    await control.post('/sandbox/reset');
    expect(await list()).toEqual({ payments: [], total: 0 });
  });
});

/** Every payment, page by page. */
async function all(query = '', limit = 500): Promise<Listed[]> {
  const found: Listed[] = [];
  for (;;) {
    const { payments, total } = await list(`?limit=${limit}&offset=${found.length}${query}`);
    found.push(...payments);
    if (found.length >= total) return found;
    if (payments.length === 0) throw new Error(`${found.length} of ${total}`);
  }
}

test.each([3])(
  'a bank in which everything happened (seed %i): each filter finds what the list shows, each page what is its own',
  async (seed) => {
    control = await busyBank(seed, '2027-06-10');
    const everything = await all();
    expect(everything.length).toBeGreaterThan(40);
    expect(new Set(ids(everything)).size).toBe(everything.length);
    expect(await all('', 7)).toEqual(everything);
    expect((await list()).payments).toEqual(everything.slice(0, 50));
    const order = await rowsIn(
      control.bank,
      `select p.resource_id from payment p join status_change s on s.payment_id = p.id
        group by p.id order by min(s.id) desc`,
    );
    expect(ids(everything)).toEqual(order.map((row) => row['resource_id']));

    // As GET /sandbox/payments/{id} has it.
    const details = new Map<string, Answer['body']>();
    for (const { paymentId, ...listed } of everything) {
      const whole = await inspect(paymentId);
      details.set(paymentId, whole);
      expect(listed).toMatchObject({ service: whole.service, product: whole.product, status: whole.status });
      const next = whole.occurrences.find(({ status }: { status: string }) =>
        ['planned', 'ACSP', 'ACCP'].includes(status),
      );
      const isOrder = whole.service === 'periodic-payments';
      // What is unsigned and due already moves when it is signed.
      if (!isOrder) expect(listed.executionDate).toBe(whole.executionDate);
      else if (whole.status === 'ACSP') expect(listed.executionDate).toBe(next?.executionDate ?? null);
    }

    const statuses = ['RCVD', 'PATC', 'ACSP', 'PDNG', 'ACCP', 'ACSC', 'PART', 'RJCT', 'CANC'];
    const byStatus: Listed[] = [];
    for (const status of statuses) {
      const found = await all(`&status=${status}`);
      expect(found).toEqual(everything.filter((listed) => listed.status === status));
      byStatus.push(...found);
    }
    expect(byStatus.length).toBe(everything.length);
    const seen = new Set(byStatus.map(({ status }) => status));
    expect([...seen]).toEqual(expect.arrayContaining(['RCVD', 'ACSP', 'ACSC', 'RJCT', 'CANC']));

    for (const service of ['payments', 'periodic-payments', 'bulk-payments']) {
      expect(await all(`&service=${service}`)).toEqual(everything.filter((listed) => listed.service === service));
    }
    for (const [from, to] of [
      ['2027-04-01', '2027-05-01'],
      ['2027-06-05', '2027-06-20'],
      ['2027-03-30', '2027-03-30'],
    ]) {
      const within = everything.filter(
        ({ executionDate: date }) => date !== null && date >= String(from) && date <= String(to),
      );
      expect(await all(`&from=${from}&to=${to}`)).toEqual(within);
    }
    for (const { bban } of Object.values(people)) {
      const concerned = everything.filter(({ paymentId, debtor, creditor }) => {
        const items: { creditorAccount: { bban: string } }[] = details.get(paymentId).initiation.payments ?? [];
        return [debtor.number, creditor?.number, ...items.map((item) => item.creditorAccount.bban)].includes(bban);
      });
      expect(ids(await all(`&account=${bban}`))).toEqual(ids(concerned));
    }

    // The run that is told is the first one that tries it: what happens, not what is forecast.
    const told = everything.filter(({ nextAttempt }) => nextAttempt !== null);
    expect(told.length).toBeGreaterThan(3);
    const untold = everything.filter(({ nextAttempt }) => nextAttempt === null);
    await control.post('/sandbox/clock/advance', { by: 'P40D' });
    for (const { paymentId, nextAttempt } of told) {
      const before = details.get(paymentId).attempts.length;
      const { attempts, status } = await inspect(paymentId);
      const tried = attempts.slice(before).map(({ run }: { run: string }) => run);
      const first = tried.toSorted()[0];
      if (first === undefined) expect([status, String(nextAttempt?.at) > '2027-07-10']).toEqual([status, true]);
      else expect([paymentId, first]).toEqual([paymentId, nextAttempt?.id]);
    }
    for (const { paymentId } of untold) {
      expect((await inspect(paymentId)).attempts.length).toBe(details.get(paymentId).attempts.length);
    }
  },
  60_000,
);
