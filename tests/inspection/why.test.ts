import { afterEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { sentence } from '../../api/causes/cause-sentences.ts';
import { accountByNumber } from '../../engine/accounts/rows/accounts.ts';
import type { Bank } from '../../engine/open-bank.ts';
import { inspectPayment } from '../../engine/inspection/inspect-payment.ts';
import { rejectPayment } from '../../engine/payments/bank-side-payments.ts';
import { advanceClock } from '../../engine/runs/advance-clock.ts';
import { deleteAccount } from '../../engine/sandbox-data/customers.ts';
import { osloDate } from '../../engine/values/instant.ts';
import { addDays, localDate } from '../../engine/values/local-date.ts';
import { at, memoryBank } from '../lab/bank.ts';
import { orderSigned, payBulk, paySigned, people, type Person, signed, type Transfer } from '../lab/payments.ts';
import { isWhole } from '../support/sample.ts';

/* rules.md S11: why says what then happens, if funds suffice. */

let bank: Bank;
afterEach(() => bank.close());

async function why(id: string): Promise<string | null> {
  const { cause } = await inspectPayment(bank, id);
  return cause === null ? null : sentence(cause);
}

const idOf = ({ payment }: { readonly payment: { readonly resource_id: string } }): string => payment.resource_id;

async function close(person: Person): Promise<void> {
  const account = await bank.ledger.read((reader) => accountByNumber(reader, people[person].bban));
  await deleteAccount(bank, account?.resource_id ?? '');
}

const fromNora = (to: Person, amount: string): Transfer => ({ from: 'nora', to, amount });

describe('a refusal that is sure is told before the run', () => {
  test('a bank that does not answer, and then refuses', async () => {
    bank = await memoryBank('2027-02-02T16:00:00+01:00');
    const id = idOf(await paySigned(bank, fromNora('silentElsewhere', '10.00')));
    const rejected = 'is rejected Wed 3 Feb, 09:30: the creditor account is blocked';
    expect(await why(id)).toBe(`signed after the runs of Tue 2 Feb; ${rejected}`);
    await advanceClock(bank, at('2027-02-03T05:30:00+01:00'));
    expect(await why(id)).toBe(
      `the bank of the creditor does not answer, at the first attempt, run of Wed 3 Feb, 05:30; ${rejected}`,
    );
    await advanceClock(bank, at('2027-02-03T09:30:00+01:00'));
    expect(await why(id)).toBe('the creditor account is blocked, at the second attempt, run of Wed 3 Feb, 09:30');
  });

  test('an account that this bank closes before the run', async () => {
    bank = await memoryBank('2027-02-02T16:00:00+01:00');
    const id = idOf(await paySigned(bank, fromNora('per', '10.00'), localDate('2027-02-03')));
    expect(await why(id)).toBe('settles Wed 3 Feb, 05:30, if funds suffice');
    await close('per');
    expect(await why(id)).toBe('is rejected Wed 3 Feb, 05:30: the creditor account is closed');
  });

  test('a bulk payment whose items differ, in either order', async () => {
    bank = await memoryBank('2027-02-02T16:00:00+01:00');
    const all = ['per', 'shop', 'blockedElsewhere', 'silentElsewhere', 'even'] as const;
    for (const [round, payees] of [all, all.toReversed()].entries()) {
      const transfers = payees.map((to, index) => fromNora(to, `${10 + index}.${round}0`));
      const [first, ...others] = transfers;
      const bulk = payBulk(bank, [first ?? fromNora('shop', '1.00'), ...others], localDate('2027-02-03'));
      const [settling, ...rejected] = (await why(idOf(await signed(bank, 'nora', bulk))))?.split('; ') ?? [];
      expect(settling).toBe('3 of 5 settle Wed 3 Feb, 05:30, if funds suffice');
      expect(rejected.toSorted()).toEqual([
        '1 is rejected Wed 3 Feb, 09:30: the creditor account is blocked',
        '1 is rejected: the creditor account is blocked',
      ]);
    }
  });

  test('an order after a refused occurrence says when it is tried next, one to a silent bank that it is rejected', async () => {
    bank = await memoryBank('2027-02-02T16:00:00+01:00');
    const monthly = { startDate: localDate('2027-02-03'), frequency: 'Monthly' } as const;
    const id = idOf(await orderSigned(bank, fromNora('shop', '10.00'), monthly));
    await rejectPayment(bank, id, { item: null, occurrence: localDate('2027-02-03'), reason: 'moved away' });
    expect(await why(id)).toBe('is rejected Wed 3 Feb, 05:30: moved away');
    const silent = idOf(await orderSigned(bank, fromNora('silentElsewhere', '10.00'), monthly));
    await advanceClock(bank, at('2027-02-03T05:30:00+01:00'));
    expect(await why(id)).toBe(
      'moved away, at the first attempt, run of Wed 3 Feb, 05:30; next attempt: run of Wed 3 Mar, 05:30',
    );
    expect(await why(silent)).toMatch(/^the bank of the creditor does not answer, .*; is rejected Wed 3 Feb, 09:30: /);
    await advanceClock(bank, at('2027-02-03T09:30:00+01:00'));
    expect(await why(silent)).toMatch(
      /^the creditor account is blocked, at the second attempt, .*; is rejected Wed 3 Mar, 09:30: the creditor account is blocked$/,
    );
  });
});

const payees = ['shop', 'even', 'per', 'silentElsewhere', 'blockedElsewhere', 'closedElsewhere'] as const;

const drawn = fc.record({
  to: fc.array(fc.constantFrom(...payees), { minLength: 1, maxLength: 6 }),
  kind: fc.constantFrom('single', 'bulk', 'order'),
  inDays: fc.integer({ min: 0, max: 6 }),
  isRejectedByUs: fc.boolean(),
});

test('S11: of 500 random payments why says what then happens', async () => {
  bank = await memoryBank('2027-02-02T12:00:00+01:00');
  await close('per');
  let now = at('2027-02-02T12:00:00+01:00');
  let count = 0;
  await fc.assert(
    fc.asyncProperty(drawn, async ({ to, kind, inDays, isRejectedByUs }) => {
      count += 1;
      const day = addDays(osloDate(now), inDays);
      // Each has an amount of its own, and there are funds for all.
      const transfers = to.map((each, index) =>
        fromNora(each, `1.${String((count * 7 + index) % 100).padStart(2, '0')}`),
      );
      const [first = fromNora('shop', '1.00'), ...more] = transfers;
      const made =
        kind === 'order'
          ? await orderSigned(bank, first, { startDate: day, endDate: addDays(day, 6), frequency: 'Daily' })
          : kind === 'bulk'
            ? await signed(bank, 'nora', payBulk(bank, [first, ...more], day))
            : await paySigned(bank, first, day);
      const id = idOf(made);
      if (isRejectedByUs) {
        await rejectPayment(bank, id, { item: kind === 'bulk' ? 0 : null, occurrence: null, reason: 'no reason' });
      }
      const { cause, nextAttempt, occurrences } = await inspectPayment(bank, id);
      if (cause?.kind !== 'awaits' || nextAttempt === null) throw new Error('a signed payment waits for a run');
      now = at(new Date(nextAttempt.at + 4 * 86_400_000).toISOString());
      await advanceClock(bank, now);
      const { attempts } = await inspectPayment(bank, id);
      const dues = new Set(
        occurrences.filter(({ executionDate }) => executionDate <= nextAttempt.date).map((one) => one.nominalDate),
      );
      const ended = attempts.filter(({ nominalDate, outcome }) => outcome !== 'retry' && dues.has(nominalDate));
      const rejected = ended.filter(({ outcome }) => outcome === 'reject');
      const reasons = rejected.map(
        (one) => `${one.at} ${one.cause.kind === 'refused' ? one.cause.reason : one.cause.kind}`,
      );
      const told = cause.refused.flatMap(({ count: parts, run, reason }) =>
        Array.from({ length: parts }, () => `${run.at} ${reason}`),
      );
      expect([ended.length, reasons.toSorted()]).toEqual([cause.parts, told.toSorted()]);
      const settled = ended.filter(({ outcome }) => outcome === 'settle');
      expect(settled.map((one) => one.at)).toEqual(settled.map(() => nextAttempt.at));
    }),
    { numRuns: isWhole ? 500 : 60 },
  );
});
