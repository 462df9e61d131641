import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { anEvent } from '../../api/control/events/event-data.ts';
import { startServer } from '../../api/hosting/server.ts';
import { readConfig } from '../../api/start/config.ts';
import type { Instant } from '../../engine/values/instant.ts';
import { singlePath, singlePayment } from '../lab/bodies.ts';
import { EventClient, type Received } from '../lab/event-client.ts';
import { startTestBank, TestBank, type BankClient } from '../lab/server.ts';
import { formats } from '../support/formats.ts';
import { runs } from '../support/sample.ts';
import { tempFolder } from '../support/temp-folder.ts';

const folder = tempFolder();

/* What happens in a bank, over HTTP: GET /sandbox/events (docs/spec/control-plane.md). */

const now = '2027-03-24T12:00:00+01:00';
const nora = '13039319955';

let bank: TestBank;
const clients: EventClient[] = [];
beforeEach(async () => {
  bank = await startTestBank(now);
});
afterEach(async () => {
  for (const client of clients.splice(0)) client.close();
  await bank.stop();
});

async function follow(lastId?: string, address = bank.address, headers?: Record<string, string>): Promise<EventClient> {
  const client = await EventClient.open(address, lastId, headers);
  clients.push(client);
  return client;
}

/** Nora's payment; returns its id and the link to sign it. */
async function initiate(amount = '100.00', at: BankClient = bank): Promise<{ paymentId: string; link: string }> {
  const body = singlePayment({
    instructedAmount: { amount, currency: 'NOK' },
    requestedExecutionDate: '2027-03-30',
  });
  const answer = await at.initiates(singlePath, body, nora);
  return { paymentId: answer.paymentId, link: answer._links.scaRedirect.href };
}

const advance = (by: object, at: BankClient = bank) => at.advance(by);
const setRate = (rate: number, at: BankClient = bank) => at.control('PUT', '/sandbox/clock', { rate });
const named = (events: readonly Received[], name: string): Received[] => events.filter(({ event }) => event === name);
const statuses = (events: readonly Received[]): string[] => named(events, 'payment').map(({ data }) => data.status);
const rates = (events: readonly Received[]): number[] => named(events, 'clock').map(({ data }) => data.rate);
const numberIn = (id: string): number => Number(id.split('-')[1]);

/** Every client of the stream gets what the API document says. */
const isDescribed = new Ajv2020({ strict: false, formats }).compile(anEvent);

describe('V1: what is told', () => {
  test('a waiting test sees a payment from its initiation to its booking, with requests, SCAs, runs and the clock, in order', async () => {
    const client = await follow();
    expect(client.answer.status).toBe(200);
    expect(client.answer.headers.get('content-type')).toBe('text/event-stream');
    expect(client.answer.headers.get('cache-control')).toBe('no-store');
    expect(client.answer.headers.get('content-encoding')).toBeNull();
    const { paymentId, link } = await initiate();
    await client.until((events) => named(events, 'request').length === 1);
    await bank.approve(link);
    await advance({ until: { paymentId, status: 'ACSC' } });
    const events = await client.until((all) => statuses(all).includes('ACSC') && named(all, 'clock').length === 2);
    const at = '2027-03-24T12:00:00.000+01:00';
    const midnight = '2027-03-30T00:00:00.000+02:00';
    const firstRun = '2027-03-30T05:30:00.000+02:00';
    expect(events.map(({ event, data }) => [event, data])).toEqual([
      ['payment', { paymentId, status: 'RCVD', cause: 'initiation', at }],
      ['sca', { purpose: 'payment', outcome: 'begun', paymentId, at }],
      [
        'request',
        {
          requestId: expect.any(String),
          method: 'POST',
          target: singlePath,
          verdict: 'accepted',
          status: 201,
          code: null,
          at,
        },
      ],
      ['payment', { paymentId, status: 'ACSP', cause: expect.any(String), at }],
      ['sca', { purpose: 'payment', outcome: 'approved', paymentId, at }],
      ['payment', { paymentId, status: 'PDNG', cause: 'due', at: midnight }],
      ['clock', { change: 'advanced', mode: 'frozen', rate: 1, at: midnight }],
      ['payment', { paymentId, status: 'ACSC', cause: 'run 2027-03-30/1, attempt 1', at: firstRun }],
      [
        'run',
        {
          id: '2027-03-30/1',
          settled: 1,
          retried: 0,
          rejected: 0,
          booked: 0,
          registered: 0,
          trigger: 'advance',
          lateMs: null,
          at: firstRun,
        },
      ],
      ['clock', { change: 'advanced', mode: 'frozen', rate: 1, at: firstRun }],
    ]);
    expect(events.map(({ id }) => numberIn(id))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    for (const event of events) expect([event, isDescribed(event), isDescribed.errors]).toEqual([event, true, null]);
    expect(isDescribed({ ...events[0], more: 1 })).toBe(false);
    for (const noTime of ['2027-02-30T12:00:00+01:00', '2027-03-24', '12:00'])
      expect([noTime, isDescribed({ ...events[0], data: { ...events[0]?.data, at: noTime } })]).toEqual([
        noTime,
        false,
      ]);
  });

  test('a refused request, with its code, and without identity numbers or bodies', async () => {
    const client = await follow();
    await bank.raw('GET', `/v1/accounts?psu=${nora}&${'x'.repeat(2_000)}`);
    const [event] = await client.until((events) => events.length > 0);
    expect(event).toMatchObject({
      event: 'request',
      data: { verdict: 'refused', code: 'SIGNATURE_MISSING', status: 400 },
    });
    expect(event?.data.target).toContain('/v1/accounts?psu=***********&xxx');
    expect(event?.data.target.length).toBeLessThan(510);
    expect((await bank.control('GET', `/sandbox/requests/${event?.data.requestId}`)).status).toBe(200);
    expect(isDescribed(event)).toBe(true);
  });

  test('of what a reset takes away, one reset, and its cause; the SCA of a consent', async () => {
    const client = await follow();
    await setRate(2);
    await bank.control('POST', '/sandbox/snapshots', { name: 'one' });
    await bank.control('PUT', '/sandbox/clock', { now: '2027-01-04' });
    await bank.signed('POST', '/v1/bank-offered-consents', { headers: { 'x-psu-identity': nora } });
    await bank.control('POST', '/sandbox/snapshots/one/restore');
    await bank.reset();
    const events = await client.until((all) => named(all, 'reset').length === 3);
    expect(
      events.filter(({ event }) => event !== 'request').map(({ event, data }) => [event, data.cause ?? data]),
    ).toEqual([
      ['clock', { change: 'set', mode: 'frozen', rate: 2, at: '2027-03-24T12:00:00.000+01:00' }],
      ['reset', 'clock set back'],
      ['sca', { purpose: 'consent', outcome: 'begun', paymentId: null, at: '2027-01-04T00:00:00.000+01:00' }],
      ['reset', 'snapshot restored'],
      ['reset', 'reset'],
    ]);
    for (const event of events) expect([event, isDescribed(event)]).toEqual([event, true]);
  });
});

describe('V2: Last-Event-ID', () => {
  test('without it the stream begins now, and its first id stands before any event', async () => {
    await setRate(2);
    const client = await follow();
    expect([client.events, client.retry, numberIn(client.lastId)]).toEqual([[], 1_000, 1]);
    client.close();
    await setRate(3);
    const again = await follow(client.lastId);
    expect(rates(await again.until((events) => events.length > 0))).toEqual([3]);
  });

  test('over random disconnections no event is missed and none comes twice', async () => {
    const client = await follow();
    let rate = 1;
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.nat(6), fc.nat(3)), { minLength: 1, maxLength: 6 }), async (sessions) => {
        const first = rate + 1;
        let received: Received[] = [];
        let lastId = client.lastId;
        for (const [whileOpen, whileGone] of sessions) {
          const session = await follow(lastId);
          for (let count = 0; count < whileOpen; count += 1) await setRate((rate += 1));
          // Cut off wherever it has come to.
          received = [...received, ...session.events];
          lastId = session.lastId;
          session.close();
          for (let count = 0; count < whileGone; count += 1) await setRate((rate += 1));
        }
        await setRate((rate += 1));
        const last = await follow(lastId);
        const rest = await last.until((events) => rates(events).at(-1) === rate);
        last.close();
        const expected = Array.from({ length: rate - first + 1 }, (_, index) => first + index);
        expect(rates([...received, ...rest])).toEqual(expected);
        await client.until((events) => rates(events).at(-1) === rate);
      }),
      { numRuns: runs(6), seed: 2027 },
    );
    expect(rates(client.events)).toEqual(Array.from({ length: rate - 1 }, (_, index) => index + 2));
    const ids = client.events.map(({ id }) => numberIn(id));
    expect(ids).toEqual(ids.map((_, index) => index + 1));
  });

  test('the last 1,000 are kept: the id before them goes on, an older one is answered with reset', async () => {
    const { lastId: start } = await follow();
    tell(1_001);
    const [epoch] = start.split('-');
    const whole = await follow(`${epoch}-1`);
    const events = await whole.until((all) => all.length === 1_000);
    expect([numberIn(events[0]?.id ?? ''), numberIn(events.at(-1)?.id ?? '')]).toEqual([2, 1_001]);
    const late = await follow(start);
    await late.until((all) => all.length > 0);
    await setRate(5);
    const [missed, next] = await late.until((all) => all.length > 1);
    expect(missed).toEqual({
      id: `${epoch}-1001`,
      event: 'reset',
      data: { at: '2027-03-24T12:00:00.000+01:00', cause: 'events missed' },
    });
    expect(next).toMatchObject({ id: `${epoch}-1002`, event: 'clock' });
    expect(isDescribed(missed)).toBe(true);
  });

  test.each([
    '0',
    'x',
    '-1',
    '5d1c09a3b7f2-1',
    'EPOCH-2',
    'EPOCH-01',
    'EPOCH-1e0',
    'EPOCH--1',
    'EPOCH-1, EPOCH-1',
    'EPOCH',
  ])('%s is unknown: reset, and the stream goes on', async (id) => {
    const { lastId } = await follow();
    await setRate(2);
    const client = await follow(id.replaceAll('EPOCH', lastId.split('-')[0] ?? ''));
    await client.until((events) => events.length > 0);
    await setRate(3);
    expect((await client.until((events) => events.length > 1)).map(({ event }) => event)).toEqual(['reset', 'clock']);
  });

  test('an id from before a restart, with the same id seed too, is answered with reset', async () => {
    const flags = ['--ledger', join(folder, 'ledger.sqlite'), '--port', '0', '--log-level', 'silent', '--id-seed', 'x'];
    const config = readConfig({}, [...flags, '--clock-mode', 'frozen', '--clock-now', now]);
    const first = await startServer(config);
    const before = await follow(undefined, first.address);
    await setRate(2, new TestBank(first.address, first.bank, first.stop));
    await before.until((events) => events.length === 1);
    await first.stop();
    const second = await startServer(config);
    await setRate(3, new TestBank(second.address, second.bank, second.stop));
    const after = await follow(before.lastId, second.address);
    expect(await after.until((events) => events.length > 0)).toMatchObject([{ event: 'reset' }]);
    await second.stop();
  });
});

/** So many events at once, as of a run. */
function tell(count: number): void {
  for (let rate = 1; rate <= count; rate += 1) {
    bank.bank.tell({ kind: 'clock', at: 0 as Instant, change: 'set', mode: 'frozen', rate });
  }
}
