import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test } from '@jest/globals';
import { keepBody, sizeOf, type Entry } from '../../api/journal/entry.ts';
import { Journal } from '../../api/journal/journal.ts';
import type { Instant } from '../../engine/values/instant.ts';
import { bulkItem, bulkPath, bulkPayment, singlePath } from '../lab/bodies.ts';
import { memoryBank } from '../lab/bank.ts';
import { kept, listed } from '../support/journal.ts';
import { BankClient, startTestBank, type TestBank } from '../lab/server.ts';

/* What the journal of a bank holds at most: 500 entries, 64 KB of each body, 16 MB. */

const megabyte = 1024 * 1024;
const start = '2027-03-24T12:00:00+01:00';

const servers: TestBank[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
});

async function open(...flags: string[]): Promise<TestBank> {
  const server = await startTestBank(start, flags);
  servers.push(server);
  return server;
}

/** A named bank of the server. */
async function named(server: TestBank, name: string): Promise<BankClient> {
  const { status } = await server.control('POST', '/sandbox/banks', { name });
  if (status !== 200) throw new Error(`${status}`);
  return new BankClient(`${server.address}/banks/${name}`);
}

/** Unsigned requests with this body; their ids, the first one first. */
async function refusedWith(bank: BankClient, times: number, body: Uint8Array): Promise<string[]> {
  const ids = Array.from({ length: times }, () => randomUUID());
  for (const id of ids) await bank.raw('POST', singlePath, { 'x-request-id': id }, body);
  return ids;
}

function entry(key: string, bytes: number): Entry {
  const arrival = { wall: 0 as Instant, at: null };
  const received = { method: 'POST', target: '/v1', rawHeaders: [], body: keepBody(Buffer.alloc(bytes, 'x')) };
  const answered = { packet: null, status: 400, isDelivered: true, answer: null, facts: {}, touched: [] };
  return { key, arrival, ...received, ...answered, beforeReset: false };
}

describe('over HTTP', () => {
  test('J1: the last 500 of a bank, and no other bank loses any for it', async () => {
    const bank = await open();
    const other = await named(bank, 'quiet');
    await other.raw('GET', '/v1/accounts');
    const ids = Array.from({ length: 510 }, () => randomUUID());
    for (const id of ids) await bank.raw('GET', '/v1/accounts', { 'x-request-id': id });
    const entries = await listed(bank);
    expect(entries.map(({ requestId }) => requestId)).toEqual(ids.slice(10).reverse());
    expect(await listed(other)).toHaveLength(1);
    expect((await bank.control('GET', `/sandbox/requests/${ids[9]}`)).status).toBe(404);
  }, 30_000);

  test('64 KB of a body, which says how long it was', async () => {
    const bank = await open();
    const whole = Buffer.alloc(64 * 1024, 'x');
    const [id = ''] = await refusedWith(bank, 1, whole);
    expect((await kept(bank, id))[0]).toMatchObject({ body: whole.toString(), bodyLength: 65_536 });
    const cut = Buffer.alloc(64 * 1024 + 8, 'x');
    const [other = ''] = await refusedWith(bank, 1, cut);
    const [long] = await kept(bank, other);
    expect(long).toMatchObject({ body: 'x'.repeat(64 * 1024), bodyLength: 65_544 });
    const [letters = ''] = await refusedWith(bank, 1, Buffer.from(`x${'ø'.repeat(40_000)}`));
    expect((await kept(bank, letters))[0].body).toBe(`x${'ø'.repeat(32_767)}`);
  });

  test('64 KB of an answer, as text when it was cut', async () => {
    const bank = await open();
    const psu = { 'x-psu-identity': '13039319955', 'psu-context': 'PRIVATE' };
    const items = Array.from({ length: 800 }, (_, index) => bulkItem(`${index + 1}.00`));
    const { body } = await bank.signed('POST', bulkPath, { headers: psu, body: bulkPayment(items) });
    const id = randomUUID();
    const path = `${bulkPath}/${encodeURIComponent(body.paymentId)}`;
    const read = await bank.signed('GET', path, { headers: { ...psu, 'x-request-id': id } });
    const text = JSON.stringify(read.body);
    expect([read.status, text.length > 66_000]).toEqual([200, true]);
    const [{ answer }] = await kept(bank, id);
    expect(answer).toHaveLength(64 * 1024);
    expect(text.startsWith(answer.replace(/\*+$/, ''))).toBe(true);
  });

  test('16 MB of a bank: its oldest go, and no other bank loses any for it', async () => {
    const bank = await open();
    const other = await named(bank, 'loud');
    const body = Buffer.alloc(64 * 1024, 'x');
    const [only] = await refusedWith(bank, 1, body);
    const last = await refusedWith(other, 270, body);
    expect((await listed(bank)).map(({ requestId }) => requestId)).toEqual([only]);
    const theirs = (await listed(other)).map(({ requestId }) => requestId);
    expect(theirs.length).toBeGreaterThan(220);
    expect(theirs.length).toBeLessThan(257);
    expect(theirs).toEqual(last.reverse().slice(0, theirs.length));
  }, 30_000);

  test('it outlives a reset and an initialize, and not the bank', async () => {
    const server = await open();
    const bank = await named(server, 'first');
    const id = randomUUID();
    await bank.raw('GET', '/v1/accounts', { 'x-request-id': id });
    await bank.reset();
    expect((await bank.signed('POST', '/v1/sandbox/initialize')).status).toBeLessThan(300);
    expect((await kept(bank, id))[0]).toMatchObject({ code: 'SIGNATURE_MISSING', at: '2027-03-24T12:00:00.000+01:00' });
    await server.control('DELETE', '/sandbox/banks/first');
    const again = await named(server, 'first');
    expect(await listed(again)).toEqual([]);
  }, 30_000);
});

test('a request is kept before it is told, and an error in telling it goes no further', async () => {
  const failures: unknown[] = [];
  const broken = new Error('cannot follow');
  const broke = (): never => {
    failures.push(journal.list().map(({ key }) => key));
    throw broken;
  };
  const failed = (error: unknown): void => void failures.push(error);
  const journal = new Journal(await memoryBank(start), { kept: broke, failed, controlToken: null });
  journal.keepUnreadable('one', { facts: { status: 400 }, answer: '' });
  expect(failures).toEqual([['one'], broken]);
  expect(journal.list()).toHaveLength(1);
});

describe('what is kept', () => {
  const journalOf = async (): Promise<Journal> =>
    new Journal(await memoryBank(start), { kept: () => undefined, failed: () => undefined, controlToken: null });

  test('is 16 MB at most, in the newest entries, however long each is', async () => {
    const journal = await journalOf();
    journal.takeOver(Array.from({ length: 3_000 }, (_, index) => entry(`${index}`, (index * 7_919) % 70_000)));
    const kept = journal.list();
    const bytes = kept.reduce((sum, each) => sum + sizeOf(each), 0);
    expect(bytes).toBeLessThanOrEqual(16 * megabyte);
    expect(bytes).toBeGreaterThan(15.5 * megabyte);
    expect(kept.map(({ key }) => key)).toEqual(kept.map((_, index) => `${2_999 - index}`));
    journal.close();
    expect(journal.list()).toEqual([]);
  });

  test('a kept body holds no more than its own bytes', () => {
    const packet = Buffer.alloc(1_000_000, 'y');
    const small = keepBody(packet.subarray(0, 100));
    expect(small).toEqual({ latin1: 'y'.repeat(100), length: 100 });
    expect(keepBody(packet)).toEqual({ latin1: 'y'.repeat(64 * 1024), length: 1_000_000 });
    expect([keepBody(null), keepBody(new Uint8Array())]).toEqual([null, null]);
  });
});
