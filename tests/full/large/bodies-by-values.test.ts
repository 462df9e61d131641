import { expect, test } from '@jest/globals';
import { bulkPath } from '../../lab/bodies.ts';
import { exchange } from '../../lab/exchange.ts';
import { largestBulk } from '../../lab/largest-bulk.ts';
import { testBank } from '../../support/test-bank.ts';

/* C25: a body is bounded by its values before anything is made of it. */

const bank = testBank('2027-03-24T12:00:00+01:00');
const megabyte = 1024 * 1024;
const json = { 'content-type': 'application/json' };
const ofPsu = { ...json, 'x-psu-identity': '13039319955', 'psu-context': 'PRIVATE' };

const post = (path: string, body: string, headers: Readonly<Record<string, string>> = ofPsu) =>
  exchange(bank.address + path, { method: 'POST', headers, body: Buffer.from(body) });
const postBulk = (body: string) => post(`/sandbox/as/values${bulkPath}`, body);

test('C25: a bulk payment of the smallest items that fit 8 MB is taken, and so is one after the other', async () => {
  const { text, count } = largestBulk();
  expect(count).toBeGreaterThan(60_000);
  const taken = await postBulk(text);
  expect(taken.status).toBe(201);
  // Each has a third of the values that the server works on at one time: they no longer count once they are answered.
  for (let more = 0; more < 4; more += 1) expect((await postBulk(text)).text).toMatch(/"CONFLICT"/);
}, 120_000);

test.each([
  ['objects', '{}'],
  ['lists', '[]'],
  ['numbers', '1'],
  ['texts', '""'],
])('C25: 8 MB of %s are more values than any call takes', async (_what, item) => {
  const count = Math.floor((8 * megabyte - 100) / (item.length + 1));
  const { status, text: answer } = await postBulk(`{"payments":[${Array(count).fill(item).join(',')}]}`);
  expect([status, answer]).toEqual([400, expect.stringMatching(/"FORMAT_ERROR".*more than any call takes/)]);
});

test('C25: texts are no values, whatever they hold', async () => {
  const note = '{,[,'.repeat(10_000);
  const { text: answer } = await postBulk(JSON.stringify({ note, payments: [] }));
  expect(answer).not.toContain('more than any call takes');
});

test('C25: the control plane counts values too', async () => {
  const { status, text: answer } = await post('/sandbox/reset', `{"fixtures":[${'{},'.repeat(50_000)}{}]}`, json);
  expect([status, answer]).toEqual([400, expect.stringContaining('more than any call takes')]);
});

test('C25: the doctor makes no list of millions of lines', async () => {
  const headers = { 'content-type': 'message/http' };
  for (const text of ['a\n'.repeat(4 * megabyte), `GET /v1/users HTTP/1.1\n${'a:b\n'.repeat(2 * megabyte)}\n`]) {
    const { status, text: answer } = await post('/sandbox/doctor', text, headers);
    expect([status, answer]).toEqual([400, expect.stringMatching(/The lines before the body have \d{7} bytes/)]);
  }
  const long = await post('/sandbox/doctor', `GET /v1/users HTTP/1.1\n${'a: b\n'.repeat(1_000)}\n`, headers);
  expect(long.status).toBe(200);
  const { text } = largestBulk();
  const judged = await post(
    '/sandbox/doctor',
    `POST ${bulkPath} HTTP/1.1\nContent-Type: application/json\n\n${text}`,
    headers,
  );
  expect(judged.status).toBe(200);
});
