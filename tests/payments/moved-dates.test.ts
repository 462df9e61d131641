import { afterEach, describe, expect, test } from '@jest/globals';
import { movedDate } from '../../engine/time/rules/banking-calendar.ts';
import { messagesOf } from '../../api/causes/payment-messages.ts';
import { localDate } from '../../engine/values/local-date.ts';
import {
  bulkItem,
  bulkPath,
  bulkPayment,
  periodicPath,
  periodicPayment,
  singlePath,
  singlePayment,
} from '../lab/bodies.ts';
import { calendar } from '../lab/bank.ts';
import { answer, openPage, read as textOfPage } from '../sca/pages.ts';
import { productPath, sepaPayment } from '../lab/products.ts';
import { startTestBank, type TestBank } from '../lab/server.ts';

/*
 * P3c: a date that a closed day or a late signature moved is told until a run has tried the payment. 2027-03-25 to 2027-03-29 is
 * Easter, from Maundy Thursday to Monday; the last run before it is that of Wednesday 2027-03-24 at 15:30.
 */
describe('P3c: the WARNING of a moved date', () => {
  const unsigned = { isPeriodic: false, isSigned: false };
  const signed = { isPeriodic: false, isSigned: true };
  const order = { isPeriodic: true, isSigned: false };
  test.each<[typeof signed, string, string, 'following' | 'preceding', string | null]>([
    [unsigned, '2027-03-24', '2027-03-24', 'following', null],
    [
      signed,
      '2027-03-25',
      '2027-03-30',
      'following',
      '2027-03-25 is closed (Skjærtorsdag). The payment is executed on 2027-03-30, the following banking day.',
    ],
    [
      signed,
      '2027-03-24',
      '2027-03-30',
      'following',
      '2027-03-24 had passed when the payment was signed. The payment is executed on 2027-03-30.',
    ],
    [
      unsigned,
      '2027-03-24',
      '2027-03-30',
      'following',
      '2027-03-24 has passed, and a signature is missing. The payment is executed on 2027-03-30.',
    ],
    [
      unsigned,
      '2027-03-25',
      '2027-03-31',
      'following',
      '2027-03-25 is closed (Skjærtorsdag), and the following banking day, 2027-03-30, has passed, and a signature is missing. The payment is executed on 2027-03-31.',
    ],
    [
      order,
      '2027-03-28',
      '2027-03-24',
      'preceding',
      expect.stringMatching(
        / The payment of 2027-03-28 is executed on 2027-03-24, the preceding banking day\.$/,
      ) as never,
    ],
    [
      order,
      '2027-03-26',
      '2027-03-30',
      'preceding',
      '2027-03-26 is closed (Langfredag), and the preceding banking day, 2027-03-24, has no run left. The payment of 2027-03-26 is executed on 2027-03-30.',
    ],
    [
      { isPeriodic: true, isSigned: true },
      '2027-03-26',
      '2027-03-30',
      'preceding',
      '2027-03-26 is closed (Langfredag), and the preceding banking day, 2027-03-24, had no run left when the payment was signed. The payment of 2027-03-26 is executed on 2027-03-30.',
    ],
  ])('%j, wanted on %s, executed on %s, %s', (payment, wanted, executed, rule, text) => {
    const signedOn = localDate(executed);
    const dates = { wanted: localDate(wanted), executionDate: localDate(executed), rule, signedOn };
    const moved = movedDate(dates, calendar, payment.isSigned);
    const path = payment.isPeriodic ? 'startDate' : 'requestedExecutionDate';
    const notes = { isPeriodic: payment.isPeriodic, moved, late: null, fixing: null };
    expect(messagesOf({ ignored: [], dates: notes, failed: null })).toEqual({
      toTpp: text === null ? [] : [{ category: 'WARNING', code: 'EXECUTION_DATE_INVALID', path, text }],
      toPsu: text === null ? [] : [text],
    });
  });
});

const psu = '13039319955';
const anne = { psu: '01819050062', bban: '34300000012' };
let bank: TestBank;
afterEach(() => bank?.stop());

interface Made {
  readonly id: string;
  readonly self: string;
  readonly sca: string;
  readonly body: Record<string, unknown>;
}

async function initiate(path: string, sent: object, by = psu): Promise<Made> {
  const body = await bank.initiates(path, sent, by);
  return { id: body.paymentId, self: `${path}/${body.paymentId}`, sca: body._links.scaRedirect?.href, body };
}

const advance = (to: string) => bank.advance({ to });
const texts = (body: { tppMessages?: { text: string }[] }): string[] =>
  (body.tppMessages ?? []).map(({ text }) => text);

/** What details, status and the short forms tell about dates, which must be the same; of an unsigned payment the details alone. */
async function told({ id, self }: Made): Promise<string[]> {
  const all: string[][] = [];
  for (const path of [self, `${self}/status`, `/v1/payment/${id}`, `/v1/payment/${id}/status`]) {
    const { status, body } = await bank.signed('GET', path);
    if (status !== 200) continue;
    for (const { code, category } of body.tppMessages ?? []) {
      if (code === 'EXECUTION_DATE_INVALID') expect(category).toBe('WARNING');
    }
    all.push(texts(body).filter((text) => !text.includes('tried again')));
    expect(body.psuMessage ?? '').toContain(texts(body).filter((text) => text.includes('executed on'))[0] ?? '');
  }
  for (const one of all) expect(one).toEqual(all[0]);
  expect(all.length).toBeGreaterThan(1);
  return all[0] ?? [];
}

const easter = '2027-03-25 is closed (Skjærtorsdag). The payment is executed on 2027-03-30, the following banking day.';

describe('P3c: a single or bulk payment', () => {
  test.each<[string, string, object]>([
    ['single', singlePath, singlePayment({ requestedExecutionDate: '2027-03-25' })],
    ['SEPA', productPath('sepa'), sepaPayment({ requestedExecutionDate: '2027-03-25' })],
    ['bulk', bulkPath, bulkPayment([bulkItem('1.00')], { requestedExecutionDate: '2027-03-25' })],
  ])('P3c: %s: it is told in every answer until a run has tried it', async (_, path, body) => {
    bank = await startTestBank('2027-03-24T12:00:00+01:00');
    const made = await initiate(path, body);
    expect(texts(made.body)).toEqual([easter]);
    expect(await told(made)).toEqual([easter]);
    await bank.approve(made.sca, psu);
    expect(await told(made)).toEqual([easter]);
    await advance('2027-03-30T05:29:59+02:00');
    expect(await told(made)).toEqual([easter]);
    await advance('2027-03-30T05:30:00+02:00');
    expect(await told(made)).toEqual([]);
  });

  test('P3c: an attempt without funds ends it', async () => {
    bank = await startTestBank('2027-03-24T12:00:00+01:00');
    const debtorAccount = { bban: anne.bban, currency: 'NOK' };
    const made = await initiate(
      singlePath,
      singlePayment({ debtorAccount, requestedExecutionDate: '2027-03-25' }),
      anne.psu,
    );
    await bank.approve(made.sca, anne.psu);
    expect(await told(made)).toEqual([easter]);
    await advance('2027-03-30T05:30:00+02:00');
    expect((await bank.signed('GET', `${made.self}/status`)).body.transactionStatus).toBe('ACCP');
    expect(await told(made)).toEqual([]);
  });

  test('P3c: a payment without a date, made on a closed day, and one that is exempt', async () => {
    bank = await startTestBank('2027-03-25T12:00:00+01:00');
    const made = await initiate(singlePath, singlePayment());
    await bank.approve(made.sca, psu);
    expect(await told(made)).toEqual([easter]);
    const own = await initiate(
      singlePath,
      singlePayment({ creditorAccount: { bban: '70323119469', currency: 'NOK' } }),
    );
    expect([own.body['transactionStatus'], texts(own.body)]).toEqual(['ACSP', [easter]]);
  });

  test('P3c: signed by one of two, and late', async () => {
    bank = await startTestBank('2027-03-23T12:00:00+01:00');
    const [by, headers] = ['17818050100', { 'psu-context': 'CORPORATE' }];
    const debtorAccount = { bban: '34330000017', currency: 'NOK' };
    const body = singlePayment({ requestedExecutionDate: '2027-03-24', debtorAccount });
    const { paymentId } = await bank.initiates(singlePath, body, by, { headers });
    const { body: sca } = await bank.signed('POST', `${singlePath}/${paymentId}/authorisations`, {
      headers: { 'x-psu-identity': by, ...headers },
    });
    await bank.approve(sca, by, { context: 'CORPORATE', agreement: '33333333' });
    await advance('2027-03-27T12:00:00+01:00');
    const { body: read } = await bank.signed('GET', `${singlePath}/${paymentId}/status`);
    expect(read.transactionStatus).toBe('PATC');
    expect(texts(read)).toEqual([
      '2027-03-24 has passed, and a signature is missing. The payment is executed on 2027-03-30.',
    ]);
  });

  test('P3c: signed late, which moved it; forecast, console and control plane say the same day', async () => {
    bank = await startTestBank('2027-03-23T12:00:00+01:00');
    const made = await initiate(singlePath, singlePayment({ requestedExecutionDate: '2027-03-24' }));
    expect(made.body).not.toHaveProperty('tppMessages');
    await advance('2027-03-27T12:00:00+01:00');
    expect(await told(made)).toEqual([
      '2027-03-24 has passed, and a signature is missing. The payment is executed on 2027-03-30.',
    ]);
    await bank.approve(made.sca, psu);
    const late = '2027-03-24 had passed when the payment was signed. The payment is executed on 2027-03-30.';
    expect(await told(made)).toEqual([late]);
    const { body: seen } = await bank.control('GET', '/sandbox/forecast?to=P7D');
    expect(seen.executions).toMatchObject([
      { executionDate: '2027-03-30', reason: expect.stringContaining('signed after that day') },
    ]);
    const { body: inspected } = await bank.control('GET', `/sandbox/payments/${encodeURIComponent(made.id)}`);
    expect(inspected.occurrences).toMatchObject([
      { executionDate: '2027-03-30', moved: expect.stringContaining('signed after') },
    ]);
    await advance('2027-03-30T05:30:00+02:00');
    expect(await told(made)).toEqual([]);
  });

  test('P3c: without a date the day of the initiation was wanted, in the forecast too', async () => {
    bank = await startTestBank('2027-04-09T12:00:00+02:00');
    const made = await initiate(singlePath, singlePayment());
    await advance('2027-04-12T12:00:00+02:00');
    await bank.approve(made.sca, psu);
    expect(await told(made)).toEqual([
      '2027-04-09 had passed when the payment was signed. The payment is executed on 2027-04-12.',
    ]);
    const { body } = await bank.control('GET', '/sandbox/forecast?to=P1D');
    expect(body.executions[0].reason).toMatch(/^Fri 9 Apr, signed after that day, due Mon 12 Apr; /);
  });

  test('P3c, P3b: closed, signed late and after the last run: both are told', async () => {
    bank = await startTestBank('2027-03-24T12:00:00+01:00');
    const made = await initiate(singlePath, singlePayment({ requestedExecutionDate: '2027-03-25' }));
    await advance('2027-03-31T16:00:00+02:00');
    await bank.approve(made.sca, psu);
    expect(await told(made)).toEqual([
      '2027-03-25 is closed (Skjærtorsdag), and the following banking day, 2027-03-30, had passed when the payment was signed. The payment is due on 2027-03-31.',
      expect.stringContaining('No settlement run of 2027-03-31 is left.'),
    ]);
  });

  test('P3c: a date that another channel changes to an open one is no longer told, and an instant payment has none', async () => {
    bank = await startTestBank('2027-03-24T12:00:00+01:00');
    const made = await initiate(singlePath, singlePayment({ requestedExecutionDate: '2027-03-25' }));
    await bank.approve(made.sca, psu);
    const path = `/sandbox/payments/${encodeURIComponent(made.id)}`;
    const changed = await bank.control('PATCH', path, { requestedExecutionDate: '2027-03-31' });
    expect(changed.status).toBe(200);
    expect(await told(made)).toEqual([]);
    const instant = await initiate(productPath('straks'), singlePayment());
    await advance('2027-03-26T12:00:00+01:00');
    expect((await bank.signed('GET', instant.self)).body).not.toHaveProperty('tppMessages');
  });
});

describe('P3c: the date of an unsigned payment whose day has passed', () => {
  test.each<[string, string, object, string]>([
    ['single', singlePath, singlePayment({ requestedExecutionDate: '2027-04-07' }), '2027-04-08'],
    ['SEPA', productPath('sepa'), sepaPayment({ requestedExecutionDate: '2027-04-07' }), '2027-04-08'],
    ['bulk', bulkPath, bulkPayment([bulkItem('1.00')], { requestedExecutionDate: '2027-04-07' }), '2027-04-08'],
    // 10 April is a Saturday: an instant payment is executed on it, another one on Monday.
    ['single, read on a closed day', singlePath, singlePayment({ requestedExecutionDate: '2027-04-09' }), '2027-04-12'],
    ['instant, read on a closed day', productPath('straks'), singlePayment(), '2027-04-10'],
  ])('P3c: %s: five places tell the same, and a signature gives it', async (kind, path, body, day) => {
    bank = await startTestBank('2027-04-06T12:00:00+02:00');
    const made = await initiate(path, body);
    await advance(kind.includes('closed') ? '2027-04-10T12:00:00+02:00' : '2027-04-08T12:00:00+02:00');
    const id = encodeURIComponent(made.id);
    const { body: inspected } = await bank.control('GET', `/sandbox/payments/${id}`);
    const { body: list } = await bank.control('GET', '/sandbox/payments');
    const console = await (await fetch(`${bank.address}/console/payments/${id}`)).text();
    expect([inspected.executionDate, list.payments[0].executionDate]).toEqual([day, day]);
    expect(/<dt>Executes<\/dt>\s*<dd><time datetime="(.{10})"/.exec(console)?.[1]).toBe(day);
    const found = async (from: string, to: string): Promise<number> =>
      (await bank.control('GET', `/sandbox/payments?from=${from}&to=${to}`)).body.total;
    expect([await found(day, day), await found('2027-04-01', '2027-04-07')]).toEqual([1, 0]);

    const page = await answer(await openPage(made.sca), { action: 'identify', psu });
    expect(textOfPage(await page.text())).toContain(`${Number(day.slice(8))} Apr 2027`);
    if (path !== productPath('straks'))
      expect(await told(made)).toEqual([expect.stringContaining(`executed on ${day}`)]);

    await bank.approve(made.sca, psu);
    expect((await bank.control('GET', `/sandbox/payments/${id}`)).body.executionDate).toBe(day);
    expect(await found(day, day)).toBe(1);
  });

  test('P3c: one that was rejected before its signature keeps its own date', async () => {
    bank = await startTestBank('2027-04-06T12:00:00+02:00');
    const made = await initiate(singlePath, singlePayment({ requestedExecutionDate: '2027-04-07' }));
    const path = `/sandbox/payments/${encodeURIComponent(made.id)}`;
    await bank.control('POST', `${path}/reject`, { reason: 'blocked' });
    await advance('2027-04-08T12:00:00+02:00');
    expect((await bank.control('GET', path)).body).toMatchObject({ status: 'RJCT', executionDate: '2027-04-07' });
    expect((await bank.control('GET', '/sandbox/payments?to=2027-04-07')).body.total).toBe(1);
  });
});

describe('P3c: a standing order', () => {
  test('P3c: a startDate on a closed day is told as a single payment is, and each later occurrence while it is the next', async () => {
    bank = await startTestBank('2027-03-24T12:00:00+01:00');
    const made = await initiate(periodicPath, periodicPayment({ startDate: '2027-03-25', frequency: 'Weekly' }));
    const of = (day: string, to: string, why: string): string =>
      `${day} is closed (${why}). The payment of ${day} is executed on ${to}, the following banking day.`;
    expect(texts(made.body)).toEqual([of('2027-03-25', '2027-03-30', 'Skjærtorsdag')]);
    expect(made.body['tppMessages']).toMatchObject([{ path: 'startDate' }]);
    await bank.approve(made.sca, psu);
    expect(await told(made)).toEqual([of('2027-03-25', '2027-03-30', 'Skjærtorsdag')]);
    await advance('2027-03-30T12:00:00+02:00');
    // The next is Thursday 1 April, which is open.
    expect(await told(made)).toEqual([]);
    await advance('2027-04-29T12:00:00+02:00');
    expect(await told(made)).toEqual([of('2027-05-06', '2027-05-07', 'Kristi himmelfartsdag')]);
    await advance('2027-05-07T12:00:00+02:00');
    expect(await told(made)).toEqual([]);
  });

  test('P3c: an occurrence that is not the first date is told before it is signed too', async () => {
    bank = await startTestBank('2027-03-01T12:00:00+01:00');
    const made = await initiate(periodicPath, periodicPayment({ startDate: '2027-03-07', dayOfExecution: '26' }));
    expect(texts(made.body)).toEqual([
      '2027-03-26 is closed (Langfredag). The payment of 2027-03-26 is executed on 2027-03-30, the following banking day.',
    ]);
  });

  test.each<[string, string, RegExp]>([
    ['has no run left', '2027-03-24T16:00:00+01:00', /, 2027-03-24, has no run left\. .* executed on 2027-03-30\.$/],
    ['is past', '2027-03-25T12:00:00+01:00', /, 2027-03-24, has no run left\. .* executed on 2027-03-30\.$/],
    ['has a run left', '2027-03-24T12:00:00+01:00', / is executed on 2027-03-24, the preceding banking day\.$/],
  ])(
    'P3c, R6: preceeding, whose day %s: both days are told, and every place shows the same',
    async (_, now, expected) => {
      bank = await startTestBank(now);
      const body = periodicPayment({ startDate: '2027-03-26', executionRule: 'preceeding' });
      const made = await initiate(periodicPath, body);
      expect(texts(made.body)).toEqual([expect.stringMatching(expected)]);
      const [message = ''] = texts(made.body);
      const day = / executed on (\S{10})/.exec(message)?.[1];

      const { body: schedule } = await bank.control('POST', '/sandbox/schedule?count=2', body);
      expect(schedule.occurrences[0]).toMatchObject({ nominalDate: '2027-03-26', executionDate: day });
      const isClamped = day === '2027-03-30';
      const id = encodeURIComponent(made.id);
      const planned = await bank.control('GET', `/sandbox/payments/${id}`);
      expect(planned.body.occurrences[0]).toMatchObject({ status: 'planned', executionDate: day });
      const why = 'Fri 26 Mar, closed: Skjærtorsdag and Langfredag';
      const movedTo = (text: string) => `${why}, ${text} Wed 24 Mar, due Tue 30 Mar`;
      const onTime = `${why}, due Wed 24 Mar (preceding)`;
      const unsigned = isClamped ? movedTo('no run is left on') : onTime;
      expect([schedule.occurrences[0].reason, planned.body.occurrences[0].moved]).toEqual([unsigned, unsigned]);
      const { body: list } = await bank.control('GET', '/sandbox/payments');
      expect(list.payments[0].executionDate).toBe(day);

      await bank.approve(made.sca, psu);
      expect(await told(made)).toEqual([
        message.replace('has no run left', 'had no run left when the payment was signed'),
      ]);
      const { body: seen } = await bank.control('GET', '/sandbox/forecast?to=P7D');
      expect(seen.executions[0]).toMatchObject({ nominalDate: '2027-03-26', executionDate: day });
      const signed = await bank.control('GET', `/sandbox/payments/${id}`);
      expect(signed.body.occurrences[0]).toMatchObject({ executionDate: day });
      expect(signed.body.occurrences[0].moved).toBe(isClamped ? movedTo('signed too late for') : onTime);
      await advance('2027-03-30T12:00:00+02:00');
      expect(await told(made)).toEqual([]);
    },
  );

  test('P3c: signed later than it was made, the run that is left decides', async () => {
    bank = await startTestBank('2027-03-24T12:00:00+01:00');
    const made = await initiate(
      periodicPath,
      periodicPayment({ startDate: '2027-03-26', executionRule: 'preceeding' }),
    );
    await advance('2027-03-25T12:00:00+01:00');
    await bank.approve(made.sca, psu);
    expect(await told(made)).toEqual([
      expect.stringMatching(/had no run left when the payment was signed\..* on 2027-03-30\.$/),
    ]);
  });
});

describe('P3c: POST /sandbox/schedule?signedAt=', () => {
  const body = periodicPayment({ startDate: '2027-03-26', executionRule: 'preceeding' });
  test.each<[string, string]>([
    ['2027-03-01', '2027-03-24'],
    ['2027-03-24T15:29:59%2B01:00', '2027-03-24'],
    ['2027-03-24T15:30:00+01:00', '2027-03-30'],
    ['2027-03-26', '2027-03-30'],
  ])('P3c: signed at %s, the first payment is executed on %s', async (signedAt, day) => {
    bank = await startTestBank('2020-03-24T12:00:00+01:00');
    const { status, body: schedule } = await bank.control('POST', `/sandbox/schedule?signedAt=${signedAt}`, body);
    expect([status, schedule.occurrences[0].executionDate]).toEqual([200, day]);
  });

  const monthly = periodicPayment({ startDate: '2027-04-15', frequency: 'Monthly' });
  const daily = periodicPayment({ startDate: '2027-03-25', frequency: 'Daily', executionRule: 'preceeding' });
  const closed = periodicPayment({ startDate: '2027-03-25', frequency: 'Daily' });
  const ended = periodicPayment({ startDate: '2027-03-01', endDate: '2027-05-15', frequency: 'Monthly' });
  test.each<[string, object, string, string | null]>([
    ['Monthly', monthly, '2027-04-20T12:00:00+02:00', '2027-05-15'],
    ['Daily, preceeding', daily, '2027-03-26T12:00:00+01:00', '2027-03-26'],
    // Not passed: its execution is still to come.
    ['Daily, following', closed, '2027-03-26T12:00:00+01:00', '2027-03-25'],
    ['after its last date', ended, '2027-05-10T12:00:00+02:00', null],
  ])(
    'P3c, P13: %s: what passed before the signature is left out, as the signed payment has it',
    async (_, wanted, signedAt, first) => {
      const made = '2027-03-01T12:00:00+01:00';
      bank = await startTestBank(made);
      const { sca, id } = await initiate(periodicPath, wanted);
      await advance(signedAt);
      const path = `/sandbox/schedule?count=3&signedAt=${encodeURIComponent(signedAt)}`;
      const { body: schedule } = await bank.control('POST', path, wanted);
      const dates = (all: { nominalDate: string; executionDate: string }[]) =>
        all.map(({ nominalDate, executionDate }) => [nominalDate, executionDate]);
      expect(schedule.occurrences[0]?.nominalDate ?? null).toBe(first);
      const inspected = async () => dates((await bank.payment(id)).occurrences).slice(0, 3);
      expect(dates(schedule.occurrences)).toEqual(await inspected());
      if (first === null) return;
      await bank.approve(sca, psu);
      expect(dates(schedule.occurrences)).toEqual(await inspected());
    },
  );

  test('P3c: without signedAt those that have passed are listed, as planned', async () => {
    bank = await startTestBank('2027-03-31T12:00:00+02:00');
    const { body: schedule } = await bank.control('POST', '/sandbox/schedule?count=1', body);
    expect(schedule.occurrences).toMatchObject([{ nominalDate: '2027-03-26', executionDate: '2027-03-24' }]);
  });

  test('P3c: what is no instant of the bank clock is refused with its name', async () => {
    bank = await startTestBank('2027-03-24T12:00:00+01:00');
    for (const wrong of ['', 'now', 'P1D', '2027-02-30', '1988-12-31', '2100-01-02', '9999-12-31', '%00']) {
      const { status, body: problem } = await bank.control('POST', `/sandbox/schedule?signedAt=${wrong}`, body);
      expect([wrong, status, problem.errors?.[0]?.path]).toEqual([wrong, 400, 'signedAt']);
    }
    expect((await bank.control('POST', '/sandbox/schedule?signedAt=2027-03-24&signedAt=2027-03-25', body)).status).toBe(
      400,
    );
  });
});
