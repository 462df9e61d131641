import { expect, test } from '@jest/globals';
import { localDate } from '../../engine/values/local-date.ts';
import { advanceClock } from '../../engine/runs/advance-clock.ts';
import { memoryBank, at } from '../lab/bank.ts';
import { statementsOf } from '../support/count-statements.ts';
import { paySigned } from '../lab/payments.ts';

test('no statement with a condition lets its plan depend on the values bound (decision 28)', async () => {
  const bank = await memoryBank('2027-03-24T12:00:00+01:00');
  const statements = await statementsOf(bank, async () => {
    await paySigned(bank, { from: 'nora', to: 'even', amount: '10.00' }, localDate('2027-03-30'));
    await advanceClock(bank, at('2027-04-01'));
  });
  await bank.close();
  const conditional = statements.filter((text) => /\b(?:where|join|limit)\b/i.test(text));
  expect(conditional.filter((text) => text.includes('+?')).length).toBeGreaterThan(10);
  expect(conditional.filter((text) => /(?<!\+)\?/.test(text))).toEqual([]);
});
