import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Bank } from '../../engine/open-bank.ts';
import { frequencies } from '../../engine/time/rules/occurrences.ts';
import { startOfDay } from '../../engine/values/instant.ts';
import { addDays, localDate, type LocalDate } from '../../engine/values/local-date.ts';
import { executionsOf } from '../../engine/settlement/rows/executions.ts';
import { advanceClock } from '../../engine/runs/advance-clock.ts';
import { readSca } from '../../engine/approval/read-sca.ts';
import type { UpcomingDates } from '../../engine/payments/payment-to-sign.ts';
import { memoryBank } from '../lab/bank.ts';
import { approve, orRefusal, beginSigning, order, people, remove } from '../lab/payments.ts';
import { runs } from '../support/sample.ts';

const today = localDate('2027-03-24');

async function datesShown(bank: Bank, scaId: string): Promise<UpcomingDates> {
  const { signing } = await readSca(bank, scaId, people.nora.psu);
  const subject = signing?.contexts[0].subject;
  if (subject === undefined || !('payment' in subject) || !('schedule' in subject.payment.timing)) {
    throw new Error('a periodic payment is shown with its schedule');
  }
  return subject.payment.timing.dates;
}

const plans = fc.record({
  frequency: fc.constantFrom(...frequencies),
  startsIn: fc.integer({ min: 0, max: 60 }),
  lasts: fc.option(fc.integer({ min: 0, max: 500 })),
  executionRule: fc.constantFrom('following', 'preceeding'),
  dayOfExecution: fc.integer({ min: 1, max: 31 }),
  monthsOfExecution: fc.uniqueArray(fc.integer({ min: 1, max: 11 }), { minLength: 1, maxLength: 5 }),
  signedAfter: fc.integer({ min: 0, max: 45 }),
});

type PlanSample = typeof plans extends fc.Arbitrary<infer Sample> ? Sample : never;

/** R6: on Easter Saturday the banking day before has passed, so that the days until Monday are paid on Tuesday. */
const signedInEaster = {
  frequency: 'Daily',
  startsIn: 0,
  lasts: null,
  executionRule: 'preceeding',
  dayOfExecution: 1,
  monthsOfExecution: [1],
  signedAfter: 2,
} satisfies PlanSample;

// The engine is the judge: it lays the executions, run by run.
test('A2: the dates a PSU is shown before signing are the dates on which the engine pays', async () => {
  const property = fc.asyncProperty(plans, async ({ startsIn, lasts, signedAfter, dayOfExecution, ...plan }) => {
    const bank = await memoryBank('2027-03-24T12:00:00+01:00');
    try {
      const startDate = addDays(today, startsIn);
      const period = lasts === null ? { startDate } : { startDate, endDate: addDays(startDate, lasts) };
      const wanted = { ...plan, ...period, dayOfExecution: String(dayOfExecution) } as const;
      const out = await orRefusal(order(bank, { from: 'nora', to: 'shop', amount: '0.01' }, wanted));
      fc.pre(typeof out !== 'string');
      await advanceClock(bank, startOfDay(addDays(today, signedAfter + 1)));
      const scaId = await beginSigning(bank, out.payment.resource_id, 'payment');
      const shown = await datesShown(bank, scaId);
      const code = await approve(bank, scaId, 'nora');
      expect(code).toBe(shown.first.length === 0 ? 'EXECUTION_DATE_INVALID' : null);
      await advanceClock(bank, startOfDay(addDays(shown.first.at(-1)?.executionDate ?? today, 400)));
      const laid = await bank.ledger.read((reader) => executionsOf(reader, { paymentId: out.payment.id }));
      const paid = laid.map(({ nominal_date, execution_date }) => ({
        nominalDate: nominal_date,
        executionDate: execution_date,
      }));
      expect(shown.first.map(daysOf)).toEqual(paid.slice(0, 5));
      expect(shown.goOn).toBe(paid.length > 5);
    } finally {
      await bank.close();
    }
  });
  await fc.assert(property, { numRuns: runs(15), examples: [[signedInEaster]] });
});

function daysOf({ nominalDate, executionDate }: { nominalDate: LocalDate; executionDate: LocalDate }) {
  return { nominalDate, executionDate };
}

test('A2: a cancellation shows what no run has paid yet', async () => {
  const bank = await memoryBank('2027-03-24T12:00:00+01:00');
  const plan = { startDate: localDate('2027-04-01'), endDate: localDate('2027-08-01'), frequency: 'Monthly' } as const;
  const { payment, scaId } = await order(bank, { from: 'nora', to: 'shop', amount: '10.00' }, plan);
  const { first: before } = await datesShown(bank, scaId ?? '');
  await approve(bank, scaId ?? '', 'nora');
  await advanceClock(bank, startOfDay(localDate('2027-05-01')));
  await remove(bank, payment.resource_id);
  const { first: after } = await datesShown(bank, await beginSigning(bank, payment.resource_id, 'cancellation'));
  expect(before.map(({ nominalDate }) => nominalDate)).toEqual([
    '2027-04-01',
    '2027-05-01',
    '2027-06-01',
    '2027-07-01',
    '2027-08-01',
  ]);
  expect(after.map(daysOf)).toEqual(before.slice(1).map(daysOf));
  await bank.close();
});
