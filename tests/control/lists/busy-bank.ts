import fc from 'fast-check';
import { loadPriceList } from '../../../api/start/fixtures.ts';
import type { Bank } from '../../../engine/open-bank.ts';
import { bankNow } from '../../../engine/bank/bank-context.ts';
import { at } from '../../lab/bank.ts';
import { people } from '../../lab/payments.ts';
import { histories, live, productStep, takeProductStep } from '../../lab/random-actions.ts';
import { openControl, type ControlClient } from '../control-client.ts';

export const beginning = '2027-03-22T12:00:00+01:00';

/** A bank in which everything happened for a while: payments of each kind, rejected and cancelled ones, a deleted account. */
export async function busyBank(seed: number, until: string): Promise<ControlClient> {
  const control = await openControl(beginning, { prices: await loadPriceList() });
  const { bank } = control;
  const lives = fc.sample(histories, { seed, numRuns: 100 });
  const steps = fc.sample(fc.array(productStep, { maxLength: 3 }), { seed, numRuns: 100 });
  for (const [index, actions] of lives.entries()) {
    if ((await nowOf(bank)) >= at(until)) break;
    // Without the long wait at its end: something is to be open.
    await live(bank, actions.slice(0, -1));
    for (const step of steps[index] ?? []) await takeProductStep(bank, { ...step, runs: 0 });
    await control.post('/sandbox/clock/advance', { by: 'P9D' });
    await topUpAll(control);
  }
  await live(bank, [{ do: 'close', whose: 'per' }]);
  // What is initiated and signed now, and left as it is.
  await live(
    bank,
    lives.slice(-3).flatMap((actions) => actions.filter((action) => action.do !== 'wait')),
  );
  return control;
}

export function nowOf(bank: Bank): Promise<number> {
  return bank.ledger.read((reader) => bankNow(bank, reader));
}

async function topUpAll(control: ControlClient): Promise<void> {
  const amount = { amount: '9000.00', currency: 'NOK' };
  for (const person of ['nora', 'even', 'anne', 'kari'] as const) {
    await control.post(`/sandbox/accounts/${people[person].bban}/top-up`, { amount });
  }
}
