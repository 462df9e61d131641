import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { tempFolder } from '../support/temp-folder.ts';
import { seededIds } from '../../engine/bank/ids.ts';
import { restoreSnapshot } from '../../engine/reset-and-restore.ts';
import { saveSnapshot } from '../../engine/bank/snapshots.ts';
import { singlePath, singlePayment } from '../lab/bodies.ts';
import { memoryBank } from '../lab/bank.ts';
import { pay } from '../lab/payments.ts';
import { startTestBank, type TestBank, validCertificate } from '../lab/server.ts';

const folder = tempFolder();

const start = (seed: string, ledger = ':memory:'): Promise<TestBank> =>
  startTestBank('2027-03-24T12:00:00+01:00', ['--ledger', ledger, '--id-seed', seed]);

const certificate = validCertificate();
let count = 0;

/** Pays, signs and lets two runs pass; the same calls, to the X-Request-ID, for every bank. */
async function payOnce(client: TestBank, amount: string): Promise<string> {
  const headers = { 'x-request-id': `0d4e7a1c-0000-4000-8000-${amount.replace('.', '').padStart(12, '0')}` };
  const body = singlePayment({ instructedAmount: { amount, currency: 'NOK' } });
  const paymentId = await client.pays(singlePath, body, undefined, { headers, certificate });
  await client.advance({ runs: 2 });
  return paymentId;
}

const hashOf = async (bank: TestBank) => (await bank.control('GET', '/sandbox/ledger/hash?ids=included')).body.hash;

async function life(seed: string): Promise<{ readonly ids: readonly string[]; readonly hash: string }> {
  const ledger = join(folder, `${(count += 1)}.sqlite`);
  const first = await start(seed, ledger);
  const ids = [await payOnce(first, '10.00')];
  await first.stop();
  const second = await start(seed, ledger);
  ids.push(await payOnce(second, '20.00'), await payOnce(second, '30.00'));
  const hash = await hashOf(second);
  await second.stop();
  return { ids, hash };
}

describe('two servers given the same calls', () => {
  test('and the same seed hold the same, ids too, over a restart; no id comes twice', async () => {
    const [one, other] = await Promise.all([life('easter'), life('easter')]);
    expect(other).toEqual(one);
    expect(new Set(one.ids).size).toBe(3);
  });

  test('and another seed have other ids', async () => {
    const banks = await Promise.all([start('easter'), start('christmas')]);
    const [one, other] = await Promise.all(banks.map((bank) => payOnce(bank, '10.00')));
    expect(one).not.toBe(other);
    await Promise.all(banks.map((bank) => bank.stop()));
  });
});

test('a seeded bank draws the same ids in each branch of a snapshot, and none that it holds', async () => {
  await using bank = await memoryBank('2027-03-24T12:00:00+01:00', { ids: { seed: 'easter' } });
  const payTwice = async (): Promise<string[]> => {
    const made = [await pay(bank, { from: 'nora', to: 'even', amount: '1.00' })];
    made.push(await pay(bank, { from: 'nora', to: 'even', amount: '2.00' }));
    return made.map(({ payment }) => payment.resource_id);
  };
  await saveSnapshot(bank, 'before');
  await restoreSnapshot(bank, 'before');
  const branch = await payTwice();
  await saveSnapshot(bank, 'after');
  await restoreSnapshot(bank, 'before');
  expect(await payTwice()).toEqual(branch);
  await restoreSnapshot(bank, 'after');
  const { payment } = await pay(bank, { from: 'nora', to: 'even', amount: '3.00' });
  expect(branch).not.toContain(payment.resource_id);
});

describe('seeded ids', () => {
  test('look like random ones', () => {
    const ids = seededIds('seed');
    expect(ids.resourceId()).toMatch(/^enc!![\w-]{42}==$/);
    expect(ids.uuid()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(ids.secret()).toMatch(/^[\w-]{32}$/);
  });

  test('follow from the seed, what they follow, and their order; each is another one', () => {
    const draw = (seed: string, past: string) => {
      const ids = seededIds(seed);
      ids.follow?.(past);
      return Array.from({ length: 1000 }, () => ids.secret());
    };
    const drawn = [draw('a', 'x'), draw('b', 'x'), draw('a', 'y')];
    expect(draw('a', 'x')).toEqual(drawn[0]);
    expect(new Set(drawn.flat()).size).toBe(3000);
  });
});
