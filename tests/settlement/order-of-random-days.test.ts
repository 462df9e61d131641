import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Bank } from '../../engine/bank.ts';
import { accountByNumber } from '../../engine/accounts/rows/accounts.ts';
import { advanceClock } from '../../engine/runs/advance-clock.ts';
import { inspectRun } from '../../engine/runs/list-runs.ts';
import { formatInstant } from '../../engine/values/instant.ts';
import { localDate } from '../../engine/values/local-date.ts';
import { at, ofProfile, memoryBank } from '../lab/bank.ts';
import { isWhole } from '../support/sample.ts';
import { deposit, orderSigned, paySigned, people } from '../lab/payments.ts';

/*
 * A model of the order of a run, written from the sentences for users alone: a run takes payments by execution date, and payments of one date in
 * the order of their signatures (docs/settlement.md, S3b). What is authorised after the cut-off or on a closed day counts as received on the next
 * banking morning (T4d). Closed days are those of tests/data.
 */

const closed = new Set(
  readFileSync('tests/data/norway-holidays.tsv', 'utf8')
    .split('\n')
    .map((line) => line.split('\t')[0] ?? ''),
);

function dayAfter(day: string, days = 1): string {
  return new Date(Date.parse(`${day}T12:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

function isClosed(day: string): boolean {
  return closed.has(day) || [0, 6].includes(new Date(`${day}T12:00:00Z`).getUTCDay());
}

function openDay(day: string, step: 1 | -1): string {
  return isClosed(day) ? openDay(dayAfter(day, step), step) : day;
}

/** One thing that somebody signs: for the day of a banking day `due`, asked for on that day or on a closed one that leads to it. */
interface Signed {
  readonly on: string;
  readonly time: string;
  /** Kroner. */
  readonly amount: number;
  readonly asksFor: string;
  readonly kind: 'payment' | 'following' | 'preceeding';
}

/** The order in which the first run of `due` tries what was signed, with what comes of each. */
function expected(signed: readonly Signed[], cutOff: string | null, funds: number): string[] {
  const received = ({ on, time }: Signed): string => {
    const isLate = isClosed(on) || (cutOff !== null && time > cutOff);
    return isLate ? `${openDay(dayAfter(on), 1)} 00:00` : `${on} ${time}`;
  };
  const queue = signed.map((one, place) => ({ place, amount: one.amount, received: received(one) }));
  queue.sort((one, other) =>
    one.received === other.received ? one.place - other.place : one.received < other.received ? -1 : 1,
  );
  let left = funds;
  return queue.map(({ place, amount }) => {
    if (amount > left) return `${place} retry`;
    left -= amount;
    return `${place} settle`;
  });
}

/** Banking days whose first run is looked at, around weekends, Easter and 17 May, and the first day on which something is signed. */
const dues = [
  { due: '2027-02-08', from: '2027-01-28' },
  { due: '2027-02-10', from: '2027-02-03' },
  { due: '2027-02-12', from: '2027-02-03' },
  { due: '2027-03-24', from: '2027-03-15' },
  { due: '2027-03-30', from: '2027-03-22' },
  { due: '2027-05-18', from: '2027-05-11' },
] as const;

/** `cutOff` is that of a private customer's payment to another bank. */
const banks = [
  { profile: null, cutOff: null },
  { profile: 'sparebanken-din', cutOff: '14:00' },
  { profile: 'sparebanken-sor', cutOff: null },
] as const;

const day = fc.record({
  bank: fc.constantFrom(...banks),
  when: fc.constantFrom(...dues),
  funds: fc.integer({ min: 5, max: 60 }),
  signed: fc.array(
    fc.record({
      after: fc.nat(3),
      time: fc.constantFrom('09:00', '13:59', '14:30', '14:50', '20:00', '23:59'),
      amount: fc.integer({ min: 1, max: 30 }),
      kind: fc.constantFrom('payment', 'following', 'preceeding'),
      closedDay: fc.boolean(),
    }),
    { minLength: 2, maxLength: 9 },
  ),
});

test('S3b, T4d: 200 random days are tried as the sentences for users say', async () => {
  await fc.assert(
    fc.asyncProperty(day, async ({ bank: { profile, cutOff }, when: { due, from }, funds, signed: drawn }) => {
      let moment = `${from} 09:00`;
      const signed = drawn.map(({ after, time, amount, kind, closedDay }): Signed => {
        const on = dayAfter(moment.slice(0, 10), after);
        const next = `${on} ${time}`;
        if (next > moment && on < openDay(dayAfter(due, -1), -1)) moment = next;
        // The closed day beside `due` that leads to it by the rule; a payment always goes to the following banking day.
        const beside = dayAfter(due, kind === 'preceeding' ? 1 : -1);
        const asksFor = closedDay && isClosed(beside) ? beside : due;
        return { on: moment.slice(0, 10), time: moment.slice(11), amount, kind, asksFor };
      });
      const zone = (date: string): string => (date >= '2027-03-28' ? '+02:00' : '+01:00');
      const instant = (date: string, time: string) => at(`${date}T${time}:00${zone(date)}`);
      const options = profile === null ? {} : await ofProfile(profile);
      const bank: Bank = await memoryBank(formatInstant(instant(from, '09:00')), options);
      try {
        const account = await bank.ledger.read((reader) => accountByNumber(reader, people.nora.bban));
        const held = (account?.balance_minor ?? 0n) + (account?.credit_line_minor ?? 0n);
        if (held !== BigInt(funds * 100)) await deposit(bank, 'nora', BigInt(funds * 100) - held);
        const places = new Map<string, number>();
        for (const [place, { on, time, amount, asksFor, kind }] of signed.entries()) {
          await advanceClock(bank, instant(on, time));
          // Cents tell payments of one amount and day apart.
          const transfer = { from: 'nora', to: 'shop', amount: `${amount - 1}.${String(91 + place)}` } as const;
          const date = localDate(asksFor);
          const { payment } =
            kind === 'payment'
              ? await paySigned(bank, transfer, date)
              : await orderSigned(bank, transfer, { startDate: date, frequency: 'Monthly', executionRule: kind });
          places.set(payment.resource_id, place);
        }
        const { runs } = await advanceClock(bank, instant(due, '05:30'));
        expect(runs.map(({ id }) => id)).toContain(`${due}/1`);
        const { attempts } = await inspectRun(bank, `${due}/1`);
        const happened = attempts.map(({ paymentId, outcome }) => `${places.get(paymentId)} ${outcome}`);
        const exact = signed.map((one, place) => ({ ...one, amount: one.amount - 1 + (91 + place) / 100 }));
        expect(happened).toEqual(expected(exact, cutOff, funds));
      } finally {
        await bank.close();
      }
    }),
    { numRuns: isWhole ? 200 : 40 },
  );
});
