import { beforeEach, describe, expect, test } from '@jest/globals';
import { bulkItem, bulkPath, bulkPayment, periodicPath, periodicPayment } from '../lab/bodies.ts';
import { singlePath, singlePayment } from '../lab/bodies.ts';
import { initiate } from '../lab/products.ts';
import { basketOf, basketPath, initiated, psu, scaOf } from '../approval/baskets.ts';
import { testBank } from '../support/test-bank.ts';

/* rules.md Q21: `status-lag`. The clock is frozen at noon of a banking day, so that each SCA is at noon. */
const noon = '2027-03-24T12:00:00.000+01:00';
const shown = '2027-03-24T12:00:26.000+01:00';
const justBefore = '2027-03-24T12:00:25.999+01:00';
const singleSca = { 'x-psu-identity': psu, 'psu-context': 'PRIVATE' };
const later = { requestedExecutionDate: '2027-03-30' };

const bank = testBank(noon, ['--quirks=status-lag=PT26S']);
beforeEach(() => bank.control('POST', '/sandbox/reset', {}));

const advance = (to: string) => bank.advance({ to });
const lag = (value: string | boolean) => bank.quirks({ 'status-lag': value });
const read = async (path: string) => (await bank.signed('GET', path)).body;
const inspected = async (id: string) => (await bank.control('GET', `/sandbox/payments/${id}`)).body;

/** Initiates a payment and signs it; its id. */
describe('a TPP reads RCVD until the lag is over', () => {
  test.each([
    ['single', singlePath, singlePayment(), 'PDNG'],
    ['single, of another day', singlePath, singlePayment(later), 'ACSP'],
    ['bulk', bulkPath, bulkPayment([bulkItem('1.00')]), 'PDNG'],
    ['periodic', periodicPath, periodicPayment(), 'ACSP'],
  ])('register 49: a %s payment: in details, status and short forms', async (_what, path, body, status) => {
    const id = await bank.pays(path, body);
    const paths = [`${path}/${id}`, `${path}/${id}/status`, `/v1/payment/${id}`, `/v1/payment/${id}/status`];
    const seen = async () => [...new Set((await Promise.all(paths.map(read))).map((each) => each.transactionStatus))];
    expect(await seen()).toEqual(['RCVD']);
    await advance(justBefore);
    expect(await seen()).toEqual(['RCVD']);
    await advance(shown);
    expect(await seen()).toEqual([status]);
  });

  test('by default the status is that of the bank at once, and nothing tells of a lag', async () => {
    await lag(false);
    const id = await bank.pays(singlePath, singlePayment());
    expect((await read(`${singlePath}/${id}`)).transactionStatus).toBe('PDNG');
    const { laggingStatus, history } = await inspected(id);
    expect([laggingStatus, history.filter((line: object) => 'shownAt' in line)]).toEqual([undefined, []]);
  });

  test('register 49: the control plane tells the status of the bank and what the TPP reads; the history shows both', async () => {
    const id = await bank.pays(singlePath, singlePayment());
    const whole = await inspected(id);
    expect(whole).toMatchObject({
      status: 'PDNG',
      forcedStatus: null,
      laggingStatus: { status: 'RCVD', until: shown },
    });
    const both = [
      ['RCVD', noon, undefined],
      ['PDNG', noon, shown],
    ];
    // The initiation was at the same instant, and before the SCA.
    const lines = (history: Record<string, string>[]) =>
      history.map((line) => [line['status'], line['at'], line['shownAt']]);
    expect(lines(whole.history)).toEqual(both);
    const page = await (await fetch(`${bank.address}/console/payments/${encodeURIComponent(id)}`)).text();
    expect(page).toMatch(/Its TPP reads <[^>]*>RCVD<[^]*? until /);
    expect(page).toContain('Its TPP reads it from ');
    await advance(shown);
    const after = await inspected(id);
    expect([after.laggingStatus, lines(after.history)]).toEqual([undefined, both]);
  });

  test('register 49: only the status lags: links and messages are those of the bank', async () => {
    const id = await bank.pays(singlePath, singlePayment());
    const { _links: links } = await read(`${singlePath}/${id}`);
    expect([links.self.verbs, links.startAuthorisation]).toEqual([['GET'], undefined]);
    expect((await bank.signed('DELETE', `${singlePath}/${id}`)).status).toBe(405);
  });

  test.each([
    ['settled', '100.00', 'ACSC'],
    ['rejected', '18000.01', 'RJCT'],
  ])('register 49: an instant payment that is %s at once', async (_what, amount, status) => {
    const body = singlePayment({ instructedAmount: { amount, currency: 'NOK' } });
    const { body: made } = await initiate(bank, 'straks', body);
    await bank.approve(made);
    const path = `/v1/payment/${made.paymentId}`;
    const early = await read(path);
    expect([early.transactionStatus, early.tppMessages, early.psuMessage]).toEqual(['RCVD', undefined, undefined]);
    await advance(shown);
    expect((await read(path)).transactionStatus).toBe(status);
  });
});

describe('several signatures', () => {
  const first = { 'x-psu-identity': '17818050100', 'psu-context': 'CORPORATE' };
  const account = { debtorAccount: { bban: '34330000017', currency: 'NOK' } };
  const corporate = { context: 'CORPORATE', agreement: '33333333' };

  test('register 49: each is shown this long after its SCA', async () => {
    const id = await initiated(bank, 1, account, { headers: first });
    const path = `${singlePath}/${id}`;
    const sign = async (by: string) => {
      const headers = { 'x-psu-identity': by, 'psu-context': 'CORPORATE' };
      const { body } = await bank.signed('POST', `${path}/authorisations`, { headers });
      await bank.approve(body, by, corporate);
    };
    const status = async () => (await read(path)).transactionStatus;
    await sign('17818050100');
    await advance('2027-03-24T12:00:10+01:00');
    await sign('20818850094');
    const seen = [await status()];
    for (const second of ['25.999', '26', '35.999', '36']) {
      await advance(`2027-03-24T12:00:${second}+01:00`);
      seen.push(await status());
    }
    expect(seen).toEqual(['RCVD', 'RCVD', 'PATC', 'PATC', 'PDNG']);
  });
});

test('register 49: a signing basket shows what its payments show', async () => {
  const ids = [await initiated(bank, 1), await initiated(bank, 2)];
  const { body } = await basketOf(bank, ids);
  await bank.approve(await scaOf(bank, body.basketId));
  const status = async () => (await read(`${basketPath}/${body.basketId}`)).transactionStatus;
  expect(await status()).toBe('RCVD');
  await advance(shown);
  expect(await status()).not.toBe('RCVD');
});

describe('what does not lag', () => {
  test('Q21: a payment without SCA', async () => {
    const toOwn = { creditorAccount: { bban: '70323119469', currency: 'NOK' }, creditorName: 'Test Testperson 3' };
    await bank.pays(singlePath, singlePayment(toOwn));
    const again = { ...toOwn, instructedAmount: { amount: '3.00', currency: 'NOK' } };
    const { body } = await bank.signed('POST', singlePath, { body: singlePayment(again), headers: singleSca });
    expect([body._links.scaRedirect, body.transactionStatus]).toEqual([undefined, 'PDNG']);
    expect((await read(`${singlePath}/${body.paymentId}`)).transactionStatus).toBe('PDNG');
  });

  test('Q21: a forced status, and a cancelled payment', async () => {
    const id = await bank.pays(singlePath, singlePayment(later));
    const path = `${singlePath}/${id}`;
    const force = await bank.control('POST', `/sandbox/payments/${id}/status`, { status: 'ACTC' });
    expect([force.body.laggingStatus, (await read(path)).transactionStatus]).toEqual([undefined, 'ACTC']);
    expect(force.body.history.at(-1)).not.toHaveProperty('shownAt');
    const cancelled = await bank.control('POST', `/sandbox/payments/${id}/cancel`, {});
    expect([cancelled.body.laggingStatus, (await read(path)).transactionStatus]).toEqual([undefined, 'CANC']);
    expect(cancelled.body.history.at(-1)).not.toHaveProperty('shownAt');
  });

  test('Q21: what can be done: a payment that reads RCVD is deleted as a signed one', async () => {
    const id = await bank.pays(singlePath, singlePayment(later));
    const { status, body } = await bank.signed('DELETE', `${singlePath}/${id}`);
    expect([status, body.transactionStatus]).toEqual([202, 'RCVD']);
    expect((await inspected(id)).status).toBe('ACSP');
  });
});

test.each(['P2D', 'PT86401S', 'PT0S', 'P1M', 'PT0.5S', '26', ''])(
  'Q21: the lag %j is refused with what would do',
  async (value) => {
    const { status, body } = await lag(value);
    expect([status, body.errors]).toEqual([
      400,
      [
        {
          path: 'quirks.status-lag',
          detail: expect.stringMatching(/^status-lag: expected PT26S, a duration of PT1S to P1D/),
        },
      ],
    ]);
  },
);

test('Q21: a lag of a day is taken, and a run that comes before it is over settles the payment as ever', async () => {
  await lag('P1D');
  const id = await bank.pays(singlePath, singlePayment());
  await bank.advance({ runs: 1 });
  expect((await read(`${singlePath}/${id}`)).transactionStatus).toBe('RCVD');
  const { status, laggingStatus, history } = await inspected(id);
  expect([status, laggingStatus.until]).toEqual(['ACSC', '2027-03-25T12:00:00.000+01:00']);
  expect(history.at(-1)).toMatchObject({ status: 'ACSC', shownAt: laggingStatus.until });
});

test('Q21b: the ledger is the same with and without the lag, and its books are right', async () => {
  const id = await bank.pays(singlePath, singlePayment());
  const hash = async () => (await bank.control('GET', '/sandbox/ledger/hash?ids=included')).body.hash;
  const before = await hash();
  await read(`${singlePath}/${id}`);
  await lag(false);
  expect((await read(`${singlePath}/${id}`)).transactionStatus).toBe('PDNG');
  expect(await hash()).toBe(before);
  expect((await bank.control('GET', '/sandbox/ledger/proof')).body.ok).toBe(true);
});
