import { expect, test } from '@jest/globals';
import { sentences } from '../../api/causes/cause-sentences.ts';
import { loadPriceList } from '../../api/start/fixtures.ts';
import { inspectPayment } from '../../engine/inspection/inspect-payment.ts';
import { advanceClock } from '../../engine/runs/advance-clock.ts';
import { forecast } from '../../engine/runs/forecast.ts';
import { inspectRun } from '../../engine/runs/list-runs.ts';
import { runId } from '../../engine/time/rules/settlement-run.ts';
import { at, memoryBank } from '../lab/bank.ts';
import { pay, type Person, sign } from '../lab/payments.ts';

test.each<[string, Person, string]>([
  ['enough for it', 'nora', 'funds suffice (fee of 50.00 NOK included)'],
  [
    'too little for its fee',
    'anne',
    '50.00 NOK short (fee of 50.00 NOK included) at the first attempt, run of Tue 24 Nov, 05:30',
  ],
])('S11, P11: forecast, run and payment say one sentence of a payment with a fee and %s', async (_, from, said) => {
  await using bank = await memoryBank('2026-11-23T18:00:00+01:00', { prices: await loadPriceList() });
  const foreign = { product: 'cross-border', currency: 'NOK' } as const;
  const { payment } = await pay(bank, { from, to: 'shop', amount: '12.00', foreign });
  await sign(bank, payment.resource_id, from);
  const to = at('2026-11-24T06:00:00+01:00');
  const [foreseen] = (await forecast(bank, { to })).executions;
  await advanceClock(bank, to);
  const id = foreseen === undefined ? '' : runId(foreseen.run);
  const [made] = (await inspectRun(bank, id)).attempts;
  const [told] = (await inspectPayment(bank, payment.resource_id)).attempts;
  const texts = [foreseen?.causes.at(-1), made?.causes.at(-1), told?.cause].map((cause) => cause && sentences([cause]));
  expect(texts).toEqual([said, said, said]);
});
