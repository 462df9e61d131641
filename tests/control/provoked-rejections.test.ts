import { describe, expect, test } from '@jest/globals';
import {
  bulkItem,
  periodicPayment,
  bulkPath,
  bulkPayment,
  periodicPath,
  singlePath,
  singlePayment,
} from '../lab/bodies.ts';
import { type Made, mondayNoon, provenBank } from '../support/proven-bank.ts';
import type { Reply } from '../lab/server.ts';

const nora = '13039319955';
const sigrid = '17818050100';
const reason = 'the creditor account is closed';

const { bank, initiated, signed, statusOf, inspect } = provenBank(mondayNoon, nora);

const reject = ({ id }: Pick<Made, 'id'>, body: object): Promise<Reply> =>
  bank.control('POST', `/sandbox/payments/${encodeURIComponent(id)}/reject`, body);
const advance = (target: object): Promise<Reply> => bank.advance(target);
const last = (history: readonly { status: string; cause: string }[]): string =>
  `${history.at(-1)?.status} ${history.at(-1)?.cause}`;

describe('P14b: a single payment', () => {
  test('P14b: it is RJCT at its next attempt, for that reason, in history, forecast, status and messages', async () => {
    const made = await signed(singlePath, singlePayment());
    const armed = await reject(made, { reason });
    expect(armed).toMatchObject({ status: 200, body: { status: 'PDNG', occurrences: [{ rejection: reason }] } });
    expect(last(armed.body.history)).toBe(`PDNG payment to be rejected at its next attempt: ${reason}`);
    expect(await statusOf(made)).toMatchObject({ transactionStatus: 'PDNG' });
    expect(await statusOf(made)).not.toHaveProperty('tppMessages');

    const foreseen = await bank.control('GET', '/sandbox/forecast?to=P2D');
    expect(foreseen.body.executions).toMatchObject([
      { outcome: 'reject', reason: expect.stringMatching(`^${reason}, at the first attempt`) },
    ]);
    expect((await advance({ runs: 1 })).body.runs).toMatchObject([{ settled: 0, retried: 0, rejected: 1 }]);
    expect(await statusOf(made)).toMatchObject({
      transactionStatus: 'RJCT',
      tppMessages: [
        {
          category: 'ERROR',
          code: 'PAYMENT_FAILED',
          text: `The payment was rejected at attempt 1 of 5 in run 2027-04-05/4: ${reason}.`,
        },
      ],
      psuMessage: `The payment was rejected: ${reason}.`,
    });
    const seen = await inspect(made);
    expect(last(seen.history)).toBe(`RJCT run 2027-04-05/4, attempt 1, rejected: ${reason}`);
    expect(seen).toMatchObject({ attempts: [{ outcome: 'reject' }], entries: [] });
    expect(await reject(made, { reason })).toMatchObject({ status: 409, body: { code: 'STATUS_INVALID' } });
  });

  test.each([
    ['RCVD', false],
    ['PATC', true],
  ])('P14b: %s is RJCT at once, and the open SCA fails', async (_status, hasOneSignature) => {
    const debtorAccount = { bban: '34330000017', currency: 'NOK' };
    const body = singlePayment(hasOneSignature ? { debtorAccount } : {});
    const psu = hasOneSignature ? sigrid : nora;
    const { body: answer } = await bank.signed('POST', singlePath, {
      body,
      headers: { 'x-psu-identity': psu, 'psu-context': hasOneSignature ? 'CORPORATE' : 'PRIVATE' },
    });
    const made = {
      id: answer.paymentId,
      self: `${singlePath}/${answer.paymentId}`,
      sca: answer._links.scaRedirect.href,
    };
    let open = made.sca;
    if (hasOneSignature) {
      await bank.approve(made.sca, sigrid, { context: 'CORPORATE' });
      open = (await bank.signed('POST', `${made.self}/authorisations`)).body._links.scaRedirect.href;
    }
    const rejected = await reject(made, { reason });
    expect(rejected).toMatchObject({ status: 200, body: { status: 'RJCT' } });
    expect(last(rejected.body.history)).toBe(`RJCT rejected: ${reason}`);
    for (const path of [made.self, `${made.self}/status`]) {
      expect((await bank.signed('GET', path)).body).toMatchObject({
        transactionStatus: 'RJCT',
        tppMessages: [
          {
            category: 'ERROR',
            code: 'PAYMENT_FAILED',
            text: `The payment was rejected before it was signed: ${reason}.`,
          },
        ],
        psuMessage: `The payment was rejected: ${reason}.`,
      });
    }
    const later = await bank.approve(
      open,
      hasOneSignature ? '20818850094' : nora,
      hasOneSignature ? { context: 'CORPORATE' } : {},
    );
    expect(later.searchParams.get('code')).toBe('STATUS_INVALID');
    expect(await reject(made, { reason })).toMatchObject({ status: 409 });
  });

  test('P14b: while it lacks funds it is rejected at the next attempt; a second call replaces the reason', async () => {
    const anne = { bban: '34300000012', currency: 'NOK' };
    const body = singlePayment({ debtorAccount: anne });
    const { body: answer } = await bank.signed('POST', singlePath, {
      body,
      headers: { 'x-psu-identity': '01819050062', 'psu-context': 'PRIVATE' },
    });
    await bank.approve(answer, '01819050062');
    const made = { id: answer.paymentId, self: `${singlePath}/${answer.paymentId}`, sca: '' };
    await advance({ runs: 1 });
    await reject(made, { reason });
    expect((await reject(made, { reason: 'the payee has died.' })).status).toBe(200);
    // What is to come is not why the last attempt failed.
    expect(await statusOf(made)).toMatchObject({
      transactionStatus: 'ACCP',
      fundsAvailable: false,
      tppMessages: [{ category: 'WARNING', text: expect.stringContaining('funds lacking') }],
    });
    await advance({ runs: 1 });
    expect(await statusOf(made)).toMatchObject({
      transactionStatus: 'RJCT',
      tppMessages: [{ text: 'The payment was rejected at attempt 2 of 5 in run 2027-04-05/5: the payee has died.' }],
    });
  });

  test('P14b: a forced status stays what is shown, and a snapshot keeps what is to be rejected', async () => {
    const made = await signed(singlePath, singlePayment({ requestedExecutionDate: '2027-04-07' }));
    await bank.control('POST', `/sandbox/payments/${encodeURIComponent(made.id)}/status`, { status: 'ACWC' });
    expect((await reject(made, { reason })).body).toMatchObject({ status: 'ACSP', forcedStatus: 'ACWC' });
    await bank.control('POST', '/sandbox/snapshots', { name: 'armed' });
    await advance({ to: '2027-04-08' });
    expect((await statusOf(made)).transactionStatus).toBe('RJCT');
    await bank.control('POST', '/sandbox/snapshots/armed/restore');
    expect((await statusOf(made)).transactionStatus).toBe('ACWC');
    await advance({ to: '2027-04-08' });
    expect((await statusOf(made)).transactionStatus).toBe('RJCT');
  });
});

describe('P14b: an item of a bulk payment', () => {
  const items = ['1.00', '2.00', '3.00'].map((amount) => bulkItem(amount));

  test('P14b: of a signed one it is RJCT at its next attempt, and the rest settles: PART', async () => {
    const made = await signed(bulkPath, bulkPayment(items));
    const armed = await reject(made, { item: 'payments[1]', reason });
    expect(last(armed.body.history)).toBe(`PDNG payments[1] to be rejected at its next attempt: ${reason}`);
    const { body } = await bank.control('GET', '/sandbox/forecast?to=P1D');
    const foreseen = body.executions.map((one: { item: string; outcome: string }) => `${one.item} ${one.outcome}`);
    expect(foreseen).toEqual(['payments[0] settle', 'payments[1] reject', 'payments[2] settle']);
    await advance({ runs: 1 });
    expect(await statusOf(made)).toMatchObject({
      transactionStatus: 'PART',
      tppMessages: [
        { category: 'ERROR', path: 'payments[1]', text: expect.stringContaining(`2027-04-05/4: ${reason}.`) },
      ],
      psuMessage: `1 of 3 payments was rejected: ${reason}.`,
    });
    const again = await reject(made, { item: 'payments[1]', reason });
    expect(again).toMatchObject({ status: 409, body: { code: 'STATUS_INVALID' } });
  });

  test('P14b: of an unsigned one it is marked, and RJCT when it is signed; the rest goes on', async () => {
    const made = await initiated(bulkPath, bulkPayment(items, { requestedExecutionDate: '2027-04-07' }));
    const marked = await reject(made, { item: 'payments[2]', reason });
    expect(last(marked.body.history)).toBe(`RCVD payments[2] to be rejected when it is signed: ${reason}`);
    await bank.approve(made.sca, nora);
    expect(await statusOf(made)).toMatchObject({
      transactionStatus: 'ACSP',
      tppMessages: [
        {
          category: 'ERROR',
          path: 'payments[2]',
          text: `The item was rejected when the payment was signed: ${reason}.`,
        },
      ],
    });
    const { occurrences } = await inspect(made);
    expect(occurrences.map((one: { status: string }) => one.status)).toEqual(['ACSP', 'ACSP', 'RJCT']);
    const target = { until: { paymentId: made.id, status: 'PART' } };
    expect((await advance(target)).body).toMatchObject({ reached: true, runs: [{ settled: 2, rejected: 0 }] });
  });

  test('P14b: when every item is marked the payment is RJCT as it is signed', async () => {
    const made = await initiated(bulkPath, bulkPayment(items));
    for (const index of items.keys()) await reject(made, { item: `payments[${index}]`, reason: `reason ${index}` });
    const redirect = await bank.approve(made.sca, nora);
    expect(redirect.searchParams.has('code')).toBe(false);
    expect(await statusOf(made)).toMatchObject({
      transactionStatus: 'RJCT',
      psuMessage:
        '1 of 3 payments was rejected: reason 0. 1 of 3 payments was rejected: reason 1. 1 of 3 payments was rejected: reason 2.',
    });
    expect(last((await inspect(made)).history)).toBe('RJCT signed by the PSU, every item rejected');
    expect((await advance({ runs: 1 })).body.runs).toEqual([]);
  });

  test('P14b: the whole payment: every open item is rejected', async () => {
    const made = await signed(bulkPath, bulkPayment(items));
    await reject(made, { reason });
    await advance({ runs: 1 });
    expect(await statusOf(made)).toMatchObject({
      transactionStatus: 'RJCT',
      tppMessages: [{ path: 'payments[0]' }, { path: 'payments[1]' }, { path: 'payments[2]' }],
      psuMessage: `3 of 3 payments were rejected: ${reason}.`,
    });
  });
});

describe('P14b: an occurrence of a standing order', () => {
  const order = (changes: object = {}): object =>
    periodicPayment({ startDate: '2027-04-06', endDate: '2027-04-12', frequency: 'Daily', ...changes });
  const dates = (occurrences: readonly { nominalDate: string; status: string }[]): string[] =>
    occurrences.map(({ nominalDate, status }) => `${nominalDate.slice(8)} ${status}`);

  test('P14b: without a date it is the next one; the order goes on', async () => {
    const made = await signed(periodicPath, order());
    const armed = await reject(made, { reason });
    expect(last(armed.body.history)).toBe(
      `ACSP occurrence of 2027-04-06 to be rejected at its next attempt: ${reason}`,
    );
    await advance({ to: '2027-04-08' });
    expect(dates((await inspect(made)).occurrences).slice(0, 3)).toEqual(['06 RJCT', '07 ACSC', '08 ACSP']);
    expect(await statusOf(made)).toMatchObject({
      transactionStatus: 'ACSP',
      tppMessages: [
        {
          category: 'ERROR',
          text: `The occurrence of 2027-04-06 was rejected at attempt 1 of 5 in run 2027-04-06/1: ${reason}.`,
        },
      ],
      psuMessage: `The payment of 2027-04-06 was rejected: ${reason}.`,
    });
  });

  test('P14b: one to come, which has no execution yet, is rejected in its turn, as the forecast says', async () => {
    const made = await signed(periodicPath, order());
    // A Saturday, which is paid on the Monday.
    const armed = await reject(made, { occurrence: '2027-04-10', reason });
    expect(armed.body.occurrences).toContainEqual(
      expect.objectContaining({ nominalDate: '2027-04-10', status: 'planned', rejection: reason }),
    );
    const { body } = await bank.control('GET', '/sandbox/forecast?to=P14D');
    const told = body.executions.map(
      (one: { nominalDate: string; outcome: string }) => `${one.nominalDate.slice(8)} ${one.outcome}`,
    );
    expect(told).toEqual(['06 settle', '07 settle', '08 settle', '09 settle', '10 reject', '11 settle', '12 settle']);
    await advance({ to: '2027-04-12T05:30:00+02:00' });
    expect(dates((await inspect(made)).occurrences)).toEqual([
      '06 ACSC',
      '07 ACSC',
      '08 ACSC',
      '09 ACSC',
      '10 RJCT',
      '11 ACSC',
      '12 ACSC',
    ]);
    expect((await statusOf(made)).transactionStatus).toBe('ACSC');
  });

  test('P14b: of an unsigned order a date is marked, and without one the order is RJCT at once', async () => {
    const made = await initiated(periodicPath, order());
    expect((await reject(made, { occurrence: '2027-04-07', reason })).body).toMatchObject({ status: 'RCVD' });
    await bank.approve(made.sca, nora);
    await advance({ to: '2027-04-08' });
    expect(dates((await inspect(made)).occurrences).slice(0, 2)).toEqual(['06 ACSC', '07 RJCT']);
    const other = await initiated(periodicPath, order({ startDate: '2027-04-09' }));
    expect((await reject(other, { reason })).body).toMatchObject({ status: 'RJCT' });
    expect(await statusOf(other)).toMatchObject({
      transactionStatus: 'RJCT',
      psuMessage: `The payment was rejected: ${reason}.`,
    });
  });

  test('P14b: one that is final is 409, one that there is not is 400 and names those to come', async () => {
    const made = await signed(periodicPath, order());
    await advance({ to: '2027-04-07' });
    expect(await reject(made, { occurrence: '2027-04-06', reason })).toMatchObject({
      status: 409,
      body: { code: 'STATUS_INVALID' },
    });
    for (const occurrence of ['2027-04-05', '2027-04-13', '2099-12-31']) {
      expect(await reject(made, { occurrence, reason })).toMatchObject({
        status: 400,
        body: {
          code: 'BAD_REQUEST',
          allowed: ['2027-04-07', '2027-04-08', '2027-04-09', '2027-04-10', '2027-04-11', '2027-04-12'],
        },
      });
    }
  });
});

describe('P14b: what is refused, and changes nothing', () => {
  test.each<[string, object, object]>([
    ['no reason', {}, { code: 'FORMAT_ERROR', errors: [{ path: 'reason' }] }],
    ['a blank reason', { reason: '  ' }, { code: 'FORMAT_ERROR', errors: [{ path: 'reason' }] }],
    ['a reason that clearing does not carry', { reason: 'closed \u{1f512}' }, { code: 'FORMAT_ERROR' }],
    ['a reason that is too long', { reason: 'x'.repeat(141) }, { code: 'FORMAT_ERROR' }],
    ['an item that is no path', { item: '1', reason }, { code: 'FORMAT_ERROR', errors: [{ path: 'item' }] }],
    [
      'an item beyond the last',
      { item: 'payments[2]', reason },
      { code: 'BAD_REQUEST', allowed: { first: 'payments[0]', last: 'payments[1]' } },
    ],
    [
      'an occurrence of a bulk payment',
      { occurrence: '2027-04-06', reason },
      { code: 'BAD_REQUEST', errors: [{ path: 'occurrence' }] },
    ],
    ['a date that is none', { occurrence: '2027-02-30', reason }, { code: 'FORMAT_ERROR' }],
    ['another member', { reason, when: 'now' }, { code: 'FORMAT_ERROR' }],
  ])('%s', async (_what, body, problem) => {
    const made = await signed(bulkPath, bulkPayment([bulkItem('1.00'), bulkItem('2.00')]));
    const before = await inspect(made);
    expect(await reject(made, body)).toMatchObject({ status: 400, body: problem });
    expect(await inspect(made)).toEqual(before);
  });

  test('P14b: an item of a single payment is 400, an unknown payment 404', async () => {
    const made = await signed(singlePath, singlePayment());
    expect(await reject(made, { item: 'payments[0]', reason })).toMatchObject({ status: 400 });
    expect(await reject({ id: 'nothing' }, { reason })).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  });

  test('P14b: a payment of another bank is not there', async () => {
    const made = await signed(singlePath, singlePayment());
    await bank.control('POST', '/sandbox/banks', { name: 'other', now: '2027-04-05' });
    const path = `/banks/other/sandbox/payments/${encodeURIComponent(made.id)}/reject`;
    expect(await bank.control('POST', path, { reason })).toMatchObject({ status: 404 });
  });
});
