import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openControl, type ControlClient } from '../../control/control-client.ts';
import { eveningBefore, fillLarge, largeCount, largeRun } from '../../support/large-run.ts';
import { formatInstant } from '../../../engine/values/instant.ts';
import { cpuTimeDuring, leastCpuTime } from '../../support/cpu-time.ts';
import { fitting } from '../../control/lists/fitting.ts';

let control: ControlClient;
beforeAll(async () => {
  control = await openControl(eveningBefore, { knownState: { customers: [], agreements: [] } });
  await fillLarge(control.bank);
}, 60_000);
afterAll(() => control.close());

/** Processor time in ms, the best of a few. */
function fastest(target: string): Promise<number> {
  return leastCpuTime(3, () => cpuTimeDuring(() => control.get(target)));
}

test(`with ${largeCount} payments no list holds the bank up: two seconds at most`, async () => {
  const { payments, total } = await fitting(control, 'GET', '/sandbox/payments?limit=500');
  expect([payments.length, total]).toEqual([500, largeCount]);
  const { number } = payments[0].debtor;
  const date = payments[0].executionDate;
  await control.post('/sandbox/clock/advance', { to: formatInstant(largeRun) });
  const { runs } = await fitting(control, 'GET', '/sandbox/runs');
  const id = runs[0].id.replace('/', '-');
  const taken: Record<string, number> = {};
  for (const target of [
    '/sandbox/payments',
    '/sandbox/payments?limit=500',
    '/sandbox/payments?limit=500&offset=9500',
    '/sandbox/payments?status=ACSC',
    '/sandbox/payments?status=PDNG',
    `/sandbox/payments?account=${number}`,
    `/sandbox/payments?from=${date}&to=${date}&limit=500`,
    '/sandbox/accounts',
    `/sandbox/accounts/${number}`,
    '/sandbox/runs',
    `/sandbox/runs/${id}`,
    '/sandbox/agreements',
    '/sandbox/sca',
  ]) {
    taken[target] = await fastest(target);
  }
  expect(Object.entries(taken).filter(([, ms]) => ms > 2_000)).toEqual([]);
  expect((await fitting(control, 'GET', `/sandbox/runs/${id}`)).attempts).toHaveLength(largeCount);
}, 60_000);
