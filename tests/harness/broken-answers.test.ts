import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createBank, type Bank } from '../../api/harness/index.ts';
import { singlePath, singlePayment } from '../lab/bodies.ts';
import { nora, wednesday } from './harness-bank.ts';

/* Armed faults in a bank without a port (rules.md E6c). */

const requestId = '0b5e6a3e-6c5f-4d2c-8a55-7a1d7c1f2a10';
const headers = { 'x-psu-identity': nora.psu, 'psu-context': 'PRIVATE', 'x-request-id': requestId };

let bank: Bank;
beforeEach(async () => {
  bank = await createBank({ now: wednesday });
});
afterEach(() => bank.close());

const arm = (body: object) => bank.fetch('/sandbox/faults', { method: 'POST', body });
const pay = () => bank.tpp().fetch(singlePath, { method: 'POST', body: singlePayment(), headers });

test.each([{ close: true }, { cut: true }])(
  '%j ends a call of the test with an error, and a repeat gets its answer',
  async (fault) => {
    await arm({ ...fault, method: 'POST' });
    await expect(pay()).rejects.toThrow(/hang up|aborted|closed/);
    expect((await pay()).status).toBe(201);
    const { payments } = await (await bank.fetch('/sandbox/payments')).json<{ payments: unknown[] }>();
    expect(payments).toHaveLength(1);
  },
);

test.each([
  ['closed', () => bank.close()],
  ['reset', () => bank.reset()],
])('a bank that is %s does not wait for the delay of a call', async (_, end) => {
  await arm({ delay: 'PT60S', when: 'before', method: 'POST' });
  const waiting = expect(pay()).rejects.toThrow('under way');
  const armed = async () => (await bank.fetch('/sandbox/faults')).json<{ faults: unknown[] }>();
  while ((await armed()).faults.length > 0) await new Promise(setImmediate);
  await end();
  await waiting;
});
