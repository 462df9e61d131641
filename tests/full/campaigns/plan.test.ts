import { expect, test } from '@jest/globals';
import { comparedOrders } from '../../lab/planned-orders.ts';
import { isWhole, sameSample, seed as first } from '../../support/sample.ts';

/* The rest of tests/settlement/plan.test.ts. */
/** 20,000 under `SAMPLE=all`. */
const wanted = isWhole ? 20_000 : 800;

test('random orders are paid as their plan says, and as all told who were asked before', async () => {
  let orders = 0;
  for (let seed = first; orders < wanted; seed += 1) {
    const compared = await comparedOrders(seed, 80);
    orders += 80;
    const wrong = compared.find(({ said, happened }) => said.join('\n') !== happened.join('\n'));
    expect({ seed, wrong, sameSample }).toEqual({ seed, wrong: undefined, sameSample });
    expect([seed, compared.length > 80]).toEqual([seed, true]);
  }
}, 3_600_000);
