import { expect, test } from '@jest/globals';
import { controlForEach } from './control-client.ts';
import { sql } from 'kysely';
import { localDate } from '../../engine/values/local-date.ts';
import { bulkItem, bulkPath, bulkPayment } from '../lab/bodies.ts';
import { order, pay, sign, paySigned } from '../lab/payments.ts';
import { startTestBank } from '../lab/server.ts';
import type { Answer } from './control-client.ts';

const now = '2027-03-24T12:00:00.000+01:00';
const control = controlForEach(now);

const inspect = (id: string): Promise<Answer> => control.get(`/sandbox/payments/${encodeURIComponent(id)}`);
const advanceTo = (to: string): Promise<Answer> => control.post('/sandbox/clock/advance', { to });

test('S10: a payment with all that happened to it: history, attempts with the funds seen, entries', async () => {
  const { payment } = await pay(control.bank, { from: 'anne', to: 'even', amount: '20.00' }, localDate('2027-03-26'));
  const id = payment.resource_id;
  await sign(control.bank, id, 'anne');
  await advanceTo('2027-03-30T06:00:00+02:00');
  const topUp = await pay(control.bank, { from: 'nora', to: 'anne', amount: '100.00' });
  await sign(control.bank, topUp.payment.resource_id, 'nora');
  // Due since the 26th, and so judged before the top-up in the second run (S3): the third one pays.
  await advanceTo('2027-03-30T11:30:00+02:00');
  const { body } = await inspect(id);
  expect(body).toMatchObject({
    paymentId: id,
    service: 'payments',
    product: 'norwegian-domestic-credit-transfers',
    tpp: { id: 'PSDNO-FSA-987654321', name: 'Test TPP' },
    status: 'ACSC',
    executionDate: '2027-03-30',
    initiation: { instructedAmount: { amount: '20.00', currency: 'NOK' }, requestedExecutionDate: '2027-03-26' },
    occurrences: [{ nominalDate: '2027-03-30', executionDate: '2027-03-30', status: 'ACSC' }],
  });
  expect(body.history.map(({ status, at, cause }: Record<string, string>) => [status, at, cause])).toEqual([
    ['RCVD', now, 'initiation'],
    ['ACSP', now, 'signed by the PSU'],
    ['PDNG', '2027-03-30T00:00:00.000+02:00', 'due'],
    ['ACCP', '2027-03-30T05:30:00.000+02:00', 'run 2027-03-30/1, attempt 1'],
    ['ACSC', expect.any(String), expect.stringContaining('run 2027-03-30/')],
  ]);
  expect(body.attempts[0]).toEqual({
    run: '2027-03-30/1',
    at: '2027-03-30T05:30:00.000+02:00',
    nominalDate: '2027-03-30',
    available: { amount: '12.00', currency: 'NOK' },
    needed: { amount: '20.00', currency: 'NOK' },
    outcome: 'retry',
    reason: '8.00 NOK short at the first attempt, run of Tue 30 Mar, 05:30',
  });
  expect(body.attempts.at(-1)).toMatchObject({ available: { amount: '112.00' }, outcome: 'settle' });
  expect(body.entries).toEqual([
    expect.objectContaining({
      account: '34300000012',
      amount: { amount: '-20.00', currency: 'NOK' },
      valueDate: '2027-03-30',
      booked: false,
    }),
    expect.objectContaining({
      account: '74712699947',
      amount: { amount: '20.00', currency: 'NOK' },
      bookingDate: null,
    }),
  ]);
  await control.post('/sandbox/clock/advance', { runs: 1 });
  expect((await inspect(id)).body.entries[0]).toMatchObject({ bookingDate: '2027-03-30', booked: true });
});

test('a periodic payment: what was laid, and the next twelve as planned (R9)', async () => {
  const plan = { startDate: localDate('2027-03-31'), frequency: 'Monthly' } as const;
  const { payment } = await order(control.bank, { from: 'nora', to: 'shop', amount: '5.00' }, plan);
  const unsigned = (await inspect(payment.resource_id)).body.occurrences;
  expect(unsigned).toHaveLength(12);
  expect(unsigned[0]).toEqual({ nominalDate: '2027-03-31', executionDate: '2027-03-31', status: 'planned' });
  await sign(control.bank, payment.resource_id, 'nora');
  await advanceTo('2027-03-31T06:00:00+02:00');
  const { body } = await inspect(payment.resource_id);
  expect([body.status, body.executionDate]).toEqual(['ACSP', null]);
  expect(
    body.occurrences.map(({ nominalDate, status }: Record<string, string>) => `${nominalDate} ${status}`).slice(0, 4),
  ).toEqual(['2027-03-31 ACSC', '2027-04-30 ACSP', '2027-05-31 planned', '2027-06-30 planned']);
  expect(body.occurrences).toHaveLength(14);
  expect(body.entries.map(({ account }: { account: string }) => account)).toEqual(['09232911044', 'Clearing NOK']);
});

test('K7: of a bulk payment attempts, occurrences and entries name the item that they are about', async () => {
  await using bank = await startTestBank('2027-03-24T12:00:00+01:00');
  const body = bulkPayment([bulkItem('17000.00'), bulkItem('5000.00'), bulkItem('10.00')]);
  const headers = { 'x-psu-identity': '13039319955', 'psu-context': 'PRIVATE' };
  const made = await bank.signed('POST', bulkPath, { headers, body });
  await bank.approve(made.body);
  await bank.advance({ runs: 1 });
  const seen = (await bank.control('GET', `/sandbox/payments/${made.body.paymentId}`)).body;
  const lines = ({ item, outcome, status }: Record<string, string>) => `${item} ${outcome ?? status}`;
  expect(seen.attempts.map(lines)).toEqual(['payments[0] settle', 'payments[1] retry', 'payments[2] settle']);
  expect(seen.occurrences.map(lines)).toEqual(['payments[0] ACSC', 'payments[1] ACCP', 'payments[2] ACSC']);
  expect(new Set(seen.entries.map(({ item }: Record<string, string>) => item))).toEqual(
    new Set(['payments[0]', 'payments[2]']),
  );
});

test('the id is taken with its ! and = encoded or not; another is 404', async () => {
  const { payment } = await pay(control.bank, { from: 'nora', to: 'even', amount: '1.00' });
  for (const form of [
    payment.resource_id,
    encodeURIComponent(payment.resource_id),
    payment.resource_id.replaceAll('!', '%21'),
  ]) {
    expect((await control.get(`/sandbox/payments/${form}`)).status).toBe(200);
  }
  expect((await inspect(`${payment.resource_id}=`)).status).toBe(404);
});

test('S5: the books are proven from the entries', async () => {
  await paySigned(control.bank, { from: 'nora', to: 'shop', amount: '100.00' });
  await control.post('/sandbox/clock/advance', { runs: 1 });
  const { body } = await control.get('/sandbox/ledger/proof');
  expect([body.ok, body.executions]).toEqual([true, { settled: 1, unbalanced: 0 }]);
  expect(body.currencies.NOK.sum).toEqual({ amount: '0.00', currency: 'NOK' });
  expect(Object.keys(body.currencies).sort()).toEqual(['EUR', 'NOK']);
  const nora = body.accounts.find(({ bban }: { bban: string }) => bban === '09232911044');
  expect(nora).toMatchObject({
    ok: true,
    stored: { amount: '17900.00' },
    recomputed: { amount: '17900.00' },
    entries: 2,
  });
});

test.each([
  [
    'a balance that its entries do not give',
    `update account set balance_minor = balance_minor + 1 where bban = '09232911044'`,
  ],
  [
    'money from nowhere',
    `insert into entry (account_id, amount_minor, direct_posting_id, booking_date, value_date) values (1, 5, 1, '2027-03-23', '2027-03-23')`,
  ],
  ['a settled execution without entries', `update execution set status = 'ACSC'`],
])('S5: the proof fails on %s', async (_what, tamper) => {
  await paySigned(control.bank, { from: 'nora', to: 'shop', amount: '100.00' });
  expect((await control.get('/sandbox/ledger/proof')).body.ok).toBe(true);
  await control.bank.ledger.write((tx) => sql.raw(tamper).execute(tx));
  expect((await control.get('/sandbox/ledger/proof')).body.ok).toBe(false);
});

test('D3b, D4: the PSUs of the known state with their accounts, engagements and what sets them apart', async () => {
  const { body } = await control.get('/sandbox/info');
  const psu = (number: string) =>
    body.psus.find(({ customerNumber }: { customerNumber: string }) => customerNumber === number);
  expect(psu('13039319955').accounts.map(({ bban }: { bban: string }) => bban)).toContain('09232911044');
  expect(psu('18129215603').engagements).toEqual([
    expect.objectContaining({ agreement: expect.objectContaining({ owner: '11111111' }), roles: ['VIEW', 'REGISTER'] }),
    expect.objectContaining({ account: expect.objectContaining({ bban: '34110000024' }) }),
  ]);
  expect(psu('01819050062').note).toContain('short of funds');
  expect(body.psus.map(({ customerNumber }: { customerNumber: string }) => customerNumber)).not.toContain('11111111');
});

test('info: version, settings, quirks with what they do, addresses', async () => {
  const { body } = await control.get('/sandbox/info');
  expect(body).toMatchObject({
    name: 'sandbank',
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    configuration: { port: 7263 },
  });
  expect(body.quirks).toContainEqual({
    name: 'december-month',
    default: false,
    on: false,
    value: null,
    form: null,
    usual: null,
    bounds: null,
    effect: expect.stringContaining('R5'),
    rule: 'R5',
    register: [],
    banks: [],
  });
  // As the document has them: the name comes first.
  const members = ['name', 'default', 'on', 'value', 'form', 'usual', 'bounds', 'effect', 'rule', 'register', 'banks'];
  expect(Object.keys(body.quirks[0])).toEqual(members);
  expect(Object.keys(body.ledger)).toEqual(['sqlite', 'now', 'mode', 'fixtures']);
  expect(body.addresses.interface[0]).toMatch(/^http:\/\/localhost:\d+\/v1$/);
});

test('S11: a payment that is not final says what it waits for, in each status', async () => {
  await using bank = await startTestBank('2027-03-24T12:00:00+01:00');
  const made = async (order: object): Promise<string> => {
    const { body } = await bank.control('POST', '/sandbox/payments', { to: '90491105991', ...order });
    expect(body.refusal).toBeNull();
    return body.payment.paymentId;
  };
  const [nora, anne, two] = ['09232911044', '34300000012', '34330000017'];
  const ids = {
    unsigned: await made({ from: nora, amount: '1.00', sign: false }),
    partly: await made({ from: two, amount: '2.00', sign: ['17818050100'] }),
    due: await made({ from: nora, amount: '3.00' }),
    later: await made({ from: nora, amount: '4.00', on: '2027-03-25' }),
    standing: await made({ from: nora, amount: '5.00', on: '2027-03-27', every: 'Monthly' }),
    short: await made({ from: anne, amount: '60.00' }),
    several: await made({
      to: undefined,
      from: '34110000016',
      payments: ['90000000.00', '7.00'].map((amount) => ({ to: '90491105991', amount })),
    }),
  };
  const told = async () =>
    Object.fromEntries(
      await Promise.all(
        Object.entries(ids).map(async ([name, id]) => {
          const { status, why } = (await bank.control('GET', `/sandbox/payments/${id}`)).body;
          return [name, `${status} ${why}`] as const;
        }),
      ),
    );
  const easter = 'closed: Skjærtorsdag to Andre påskedag; settles Tue 30 Mar, 05:30, if funds suffice';
  const waiting = {
    unsigned: 'RCVD 1 signature is missing: Test Testperson 3 can sign',
    partly: 'PATC Sigrid Signerer has signed; 1 signature is missing: Tor Signerer can sign',
    later: `ACSP asked for Thu 25 Mar, ${easter}`,
    standing:
      'ACSP asked for Sat 27 Mar, closed: weekend, Første påskedag and Andre påskedag; settles Tue 30 Mar, 05:30, if funds suffice',
  };
  expect(await told()).toEqual({
    ...waiting,
    due: 'PDNG settles Wed 24 Mar, 13:30, if funds suffice',
    short: 'PDNG settles Wed 24 Mar, 13:30, if funds suffice',
    several: 'PDNG settles Wed 24 Mar, 13:30, if funds suffice',
  });
  await bank.advance({ runs: 1 });
  expect(await told()).toEqual({
    ...waiting,
    due: 'ACSC null',
    short:
      'ACCP 48.00 NOK short at the first attempt, run of Wed 24 Mar, 13:30; next attempt: run of Wed 24 Mar, 15:30',
    several: expect.stringMatching(/^PART .* short at the first attempt.*; next attempt: run of Wed 24 Mar, 15:30$/),
  });
});

test('C1: with a public address that has a path, info, landing page and llms.txt stay below it', async () => {
  await using bank = await startTestBank('2027-03-24T12:00:00+01:00', ['--public-url', 'https://team.example/bank/']);
  await bank.control('POST', '/sandbox/banks', { name: 'ci' });
  for (const [base, own] of [
    ['', 'https://team.example/bank'],
    ['/banks/ci', 'https://team.example/bank/banks/ci'],
  ] as const) {
    const { body } = await bank.control('GET', `${base}/sandbox/info`);
    expect(body.addresses).toEqual({
      interface: [`${own}/v1`, `${own}/api-sandbox/v1`],
      sca: `${own}/sca`,
      control: `${own}/sandbox`,
      unsigned: `${own}/sandbox/as/{tpp}/v1`,
      health: 'https://team.example/bank/health',
      ready: 'https://team.example/bank/ready',
    });
    for (const page of ['/', '/llms.txt']) {
      const told = await (await fetch(bank.address + base + page, { headers: { accept: 'text/plain' } })).text();
      const paths = told.match(/(?<=^(?:- )?|\]\()\/[a-z][\w./-]*/gm) ?? [];
      expect(paths.length).toBeGreaterThan(6);
      expect(paths.filter((path) => !path.startsWith('/bank/'))).toEqual([]);
      expect(told).toContain('/bank/health, /bank/ready');
    }
  }
});
