import { expect, test } from '@jest/globals';
import { memoryBankForEach } from '../support/test-bank.ts';
import { localDate } from '../../engine/values/local-date.ts';
import { advanceUntil, type AdvanceWatch } from '../../engine/runs/advance-until.ts';
import { cancelInAnotherChannel } from '../../engine/payments/bank-side-payments.ts';
import { readClock } from '../../engine/bank/read-clock.ts';
import { recreateTables } from '../../engine/ledger/database.ts';
import { createKnownState } from '../../engine/sandbox-data/create-known-state.ts';
import { at } from '../lab/bank.ts';
import { paySigned } from '../lab/payments.ts';

const now = '2027-03-24T12:00:00+01:00';
const bank = memoryBankForEach(now);

async function signed(on: string, amount: string): Promise<string> {
  const { payment } = await paySigned(bank, { from: 'nora', to: 'even', amount }, localDate(on));
  return payment.resource_id;
}

/** In one transaction, so that it comes right after the one before it. */
function layAnew(): Promise<void> {
  return bank.ledger.write(async (tx) => {
    await recreateTables(tx);
    await createKnownState(bank, tx, bank.knownState, { mode: 'frozen', now: at(now) });
  });
}

const settled = (paymentId: string) => ({ until: { paymentId, status: 'ACSC' } }) as const;

/** Does something as soon as the first run is durable. */
function afterFirstRun(act: () => Promise<void>): { watch: AdvanceWatch; acted: Promise<void> } {
  let begin: () => void = () => undefined;
  const acted = new Promise<void>((resolve) => (begin = resolve)).then(act);
  return { watch: { began: () => undefined, ran: () => begin(), isGone: () => false }, acted };
}

test.each<[string, (paymentId: string) => Promise<void>]>([
  ['cancelled', (paymentId) => cancelInAnotherChannel(bank, paymentId)],
  ['taken away with its ledger', () => layAnew()],
])('a payment that is %s before the first run: the clock stays', async (_how, end) => {
  const paymentId = await signed('2027-04-05', '10.00');
  const [report] = await Promise.all([advanceUntil(bank, settled(paymentId)), end(paymentId)]);
  expect(report).toMatchObject({ from: at(now), to: at(now), runs: [], reached: false });
  expect((await readClock(bank)).now).toBe(at(now));
});

test.each<['PDNG' | 'ACSC', string, string]>([
  ['PDNG', '2027-04-05T00:00:00+02:00', 'at the beginning of its day'],
  ['ACSC', '2027-04-06T00:00:00+02:00', 'by the end of its day'],
])('a payment for 5 April is expected to be %s at %s, %s', async (status, expected) => {
  const until = { paymentId: await signed('2027-04-05', '10.00'), status };
  const told: unknown[] = [];
  const began: AdvanceWatch['began'] = (...instants) => void told.push(instants);
  expect(await advanceUntil(bank, { until }, { began, isGone: () => false })).toMatchObject({ reached: true });
  expect(told).toEqual([[at(now), at(expected)]]);
});

test('a payment that is cancelled between two runs: the clock stands at that moment', async () => {
  await signed('2027-03-30', '5.00');
  const paymentId = await signed('2027-04-05', '10.00');
  const { watch, acted } = afterFirstRun(() => cancelInAnotherChannel(bank, paymentId));
  const [report] = await Promise.all([advanceUntil(bank, settled(paymentId), watch), acted]);
  expect(report.reached).toBe(false);
  expect(report.to).toBeLessThanOrEqual(at('2027-03-30T09:30:00+02:00'));
});

test('a run that another advance carried out counts: it stops there, and does not go on for ten years', async () => {
  const paymentId = await signed('2027-04-05', '10.00');
  const by = { months: 0, days: 30, seconds: 0 };
  const [report] = await Promise.all([advanceUntil(bank, settled(paymentId)), advanceUntil(bank, { by })]);
  expect(report.reached).toBe(true);
  expect(report.to).toBeLessThanOrEqual(at('2027-04-23T12:00:00+02:00'));
});
