import { expect, test } from '@jest/globals';
import { sandboxTransaction } from '../pipeline/samples.ts';
import { testBankForEach } from '../support/test-bank.ts';

const holder = '13039319955';

const bank = testBankForEach('2027-03-24T12:00:00+01:00');

/** Posts so many transactions to the first account of the known state; their ids. */
async function posted(count: number): Promise<string[]> {
  const [{ resourceId }] = (await bank.signed('GET', '/v1/sandbox/accounts')).body;
  const body = Array.from({ length: count }, () => ({ ...sandboxTransaction, currency: 'NOK' }));
  const made = await bank.signed('POST', `/v1/sandbox/accounts/${resourceId}/transactions`, { body });
  expect(made.status).toBe(201);
  return made.body.map(({ transactionId }: { transactionId: string }) => transactionId);
}

const initialize = async () => expect((await bank.signed('POST', '/v1/sandbox/initialize')).status).toBe(200);

test('D7: an initialize gives no transactionId again, and the ids lead to their transactions', async () => {
  const seen = new Set(await posted(3));
  for (const count of [2, 1, 4]) {
    await initialize();
    const ids = await posted(count);
    expect(ids.filter((id) => seen.has(id))).toEqual([]);
    ids.forEach((id) => seen.add(id));
    const [{ resourceId }] = (await bank.signed('GET', '/v1/sandbox/accounts')).body;
    const path = `/v1/sandbox/accounts/${resourceId}/transactions`;
    for (const id of ids) expect((await bank.signed('GET', `${path}/${id}`)).body.transactionId).toBe(id);
    // Ids of before the initialize are unknown, not somebody else's.
    for (const id of [...seen].filter((each) => !ids.includes(each))) {
      const gone = await bank.signed('GET', `${path}/${id}`);
      expect([gone.status, gone.body.tppMessages[0].code]).toEqual([403, 'RESOURCE_UNKNOWN']);
    }
    expect((await bank.signed('DELETE', `${path}/${ids[0]}`)).status).toBe(204);
    expect((await bank.signed('GET', path)).body).toHaveLength(count - 1);
  }
  const headers = await bank.consents(holder);
  const [{ resourceId }] = (await bank.signed('GET', '/v1/accounts', { headers })).body.accounts;
  const path = `/v1/accounts/${resourceId}/transactions`;
  const { booked } = (await bank.signed('GET', `${path}?dateFrom=2019-01-01`, { headers })).body.transactions;
  expect(booked).toHaveLength(3);
  for (const { transactionId } of booked) {
    expect(seen.has(transactionId)).toBe(true);
    const read = await bank.signed('GET', `${path}/${transactionId}`, { headers });
    expect(read.body.transactionsDetails.transactionId).toBe(transactionId);
  }
});

test('D7: a restore and a reset take the ids back with them', async () => {
  await posted(2);
  await initialize();
  await bank.control('POST', '/sandbox/snapshots', { name: 'here' });
  const ids = await posted(2);
  await initialize();
  expect(await posted(2)).not.toEqual(ids);
  await bank.control('POST', '/sandbox/snapshots/here/restore');
  expect(await posted(2)).toEqual(ids);
  await bank.reset();
  const first = await posted(2);
  await initialize();
  await bank.reset();
  expect(await posted(2)).toEqual(first);
});
