import { beforeEach, describe, expect, test } from '@jest/globals';
import { oneAtATime } from '../../api/pipeline/one-at-a-time.ts';
import { localDate } from '../../engine/values/local-date.ts';
import { orderSigned } from '../lab/payments.ts';
import { testBankForEach } from '../support/test-bank.ts';

const bank = testBankForEach('2027-03-24T12:00:00+01:00');

beforeEach(async () => {
  const plan = { startDate: localDate('2027-03-26'), frequency: 'Daily' } as const;
  await orderSigned(bank.bank, { from: 'nora', to: 'even', amount: '0.01' }, plan);
});

const initialize = () => bank.signed('POST', '/v1/sandbox/initialize');

describe('while an advance is under way', () => {
  let ended = false;
  let long: Promise<unknown>;

  beforeEach(async () => {
    ended = false;
    long = bank.advance({ by: 'P4Y' }).then(() => (ended = true));
    while ((await bank.control('GET', '/sandbox/clock')).body.date === '2027-03-24');
  });

  test('POST /v1/sandbox/initialize is 409 CONFLICT, in the form of the interface, and changes nothing', async () => {
    const refused = await initialize();
    expect(ended).toBe(false);
    expect(refused.status).toBe(409);
    expect(refused.body.tppMessages).toEqual([
      { category: 'ERROR', code: 'CONFLICT', text: expect.stringContaining('Wait for its answer') },
    ]);
    await long;
    expect((await bank.control('GET', '/sandbox/clock')).body.date).toBe('2031-03-24');
    expect((await initialize()).status).toBe(200);
  }, 30_000);

  test('health, the clock and the interface answer between its runs', async () => {
    const asked = ['/health', '/ready', '/sandbox/clock', '/sandbox/info'];
    const answers = await Promise.all(asked.map((path) => bank.control('GET', path)));
    const customers = await bank.signed('GET', '/v1/sandbox/customers');
    expect(ended).toBe(false);
    expect([...answers, customers].map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    await long;
  }, 30_000);
});

describe('a turn', () => {
  const turn = oneAtATime(() => undefined);

  test('work waits for a tick that is under way, and no tick comes beside it', async () => {
    const told: string[] = [];
    const step = (name: string) => async () => {
      told.push(`${name} begins`);
      await new Promise((resolve) => setTimeout(resolve, 5));
      told.push(`${name} ends`);
    };
    const tick = turn.tick(step('tick'));
    const work = turn.runExclusive(step('work'));
    await Promise.all([tick, turn.tick(step('another tick')), work]);
    expect(told).toEqual(['tick begins', 'tick ends', 'work begins', 'work ends']);
    await turn.tick(step('a later tick'));
    expect(told.at(-1)).toBe('a later tick ends');
  });

  test('work that comes during a tick asks it to end, and a second tick is the first one', async () => {
    const told: string[] = [];
    const long = async (shouldStop: () => boolean): Promise<void> => {
      told.push('tick');
      while (!shouldStop()) await new Promise((resolve) => setTimeout(resolve, 1));
    };
    const ticks = [turn.tick(long), turn.tick(long)];
    expect(await turn.runExclusive(() => Promise.resolve('work'))).toBe('work');
    await Promise.all(ticks);
    expect(told).toEqual(['tick']);
  });

  test('work that fails gives its turn back, and what nobody expected is told', async () => {
    let failures = 0;
    const own = oneAtATime(() => (failures += 1));
    await expect(own.runExclusive(() => Promise.reject(new Error('out of order')))).rejects.toThrow('out of order');
    expect(await own.runExclusive(() => Promise.resolve('done'))).toBe('done');
    expect(failures).toBe(1);
  });

  test('a tick that fails tells its own caller, and holds nobody up', async () => {
    const tick = turn.tick(() => Promise.reject(new Error('no run')));
    const work = turn.runExclusive(() => Promise.resolve('done'));
    await expect(tick).rejects.toThrow('no run');
    expect(await work).toBe('done');
  });
});
