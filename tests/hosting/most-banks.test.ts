import { expect, test } from '@jest/globals';
import type { Reply } from '../lab/server.ts';
import { testBank } from '../support/test-bank.ts';

const now = '2027-03-24T12:00:00.000+01:00';
const bank = testBank(now);

function make(index: number, more: object = {}): Promise<Reply> {
  return bank.control('POST', '/sandbox/banks', { name: `bank-${index}`, now, mode: 'frozen', ...more });
}

test('K18: of 105 banks made at once 100 are there, the others a 429 that says what to do; one that goes makes room', async () => {
  const made = await Promise.all(Array.from({ length: 105 }, (_, index) => make(index)));
  const refused = made.filter(({ status }) => status === 429);
  expect([made.filter(({ status }) => status === 200).length, refused.length]).toEqual([100, 5]);
  expect(refused[0]?.headers.get('content-type')).toContain('application/problem+json');
  expect(refused[0]?.body).toMatchObject({
    title: 'Too Many Requests',
    detail: 'There are 100 banks beside default, which is the most. DELETE /sandbox/banks/{name} takes one away.',
    allowed: { banks: '100' },
  });
  const put = await bank.control('PUT', '/sandbox/banks/more', {});
  expect([put.status, put.body.allowed]).toEqual([429, { banks: '100' }]);
  const { banks } = (await bank.control('GET', '/sandbox/banks')).body as { banks: { name: string }[] };
  expect(banks).toHaveLength(101);
  const name = banks.at(-1)?.name ?? '';
  expect((await bank.control('POST', '/sandbox/banks', { name })).status).toBe(409);
  await bank.control('DELETE', `/sandbox/banks/${name}`);
  // One that cannot be made takes no place.
  const again = await Promise.all([make(2_000, { fixtures: 'nope' }), make(2_001)]);
  expect(again.map(({ status }) => status)).toEqual([400, 200]);
  expect((await make(2_002)).status).toBe(429);
  // Neither a copy nor a saved bank does.
  expect((await make(2_003, { now: undefined, from: 'bank-7' })).status).toBe(429);
  const saved = Buffer.from(await (await fetch(`${bank.address}/sandbox/bundle`)).arrayBuffer());
  const binary = { 'content-type': 'application/octet-stream' };
  expect((await bank.raw('POST', '/sandbox/banks?name=new', binary, saved)).status).toBe(429);
  expect((await bank.control('GET', '/sandbox/banks')).body.banks).toHaveLength(101);
}, 60_000);
