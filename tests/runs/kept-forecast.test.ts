import { expect, test } from '@jest/globals';
import { listedPersona } from '../../api/start/fixtures.ts';
import type { Bank } from '../../engine/open-bank.ts';
import { switchQuirks } from '../../engine/bank/bank-context.ts';
import { noQuirks } from '../../engine/bank/rules/quirk.ts';
import { beginLife } from '../../engine/life/begin-life.ts';
import { resetBank, setClock } from '../../engine/reset-and-restore.ts';
import { advanceClock } from '../../engine/runs/advance-clock.ts';
import { forecast } from '../../engine/runs/forecast.ts';
import { addDays, localDate } from '../../engine/values/local-date.ts';
import { startOfDay } from '../../engine/values/instant.ts';
import { at, manualClock, memoryBank, type OwnBank } from '../lab/bank.ts';
import { orderSigned, paySigned, people } from '../lab/payments.ts';

/* D3e: what was forecast is kept until something changes. One that is kept gives the very objects that were told before. */
const now = '2026-11-23T10:00:00+01:00';
const to = at('2027-01-20T10:00:00+01:00');

async function lived(...options: Parameters<typeof memoryBank>[1][]): Promise<OwnBank> {
  const bank = await memoryBank(now, options[0]);
  await beginLife(bank, people.nora.bban, { persona: await listedPersona('family'), months: 1 });
  await beginLife(bank, people.company.bban, { persona: await listedPersona('shop'), months: 1 });
  const plan = { startDate: localDate('2026-11-29'), frequency: 'Weekly' } as const;
  await orderSigned(bank, { from: 'even', to: 'nora', amount: '3000.00' }, plan);
  return bank;
}

const isSame = async (bank: Bank, told: Awaited<ReturnType<typeof forecast>>): Promise<boolean> => {
  const { executions, planned } = await forecast(bank, { to });
  return executions.every((each, at) => each === told.executions[at]) && planned[0] === told.planned[0];
};

test('D3e: asked again, a forecast is the one that was told, also of a clock that runs', async () => {
  const wall = manualClock(at(now));
  await using bank = await lived({ wall, start: { mode: 'running', now: at(now) } });
  const told = await forecast(bank, { to });
  expect(told.executions.length).toBeGreaterThan(5);
  wall.set(at('2026-11-23T10:05:00+01:00'));
  expect(await forecast(bank, { to })).toEqual({ ...told, from: at('2026-11-23T10:05:00+01:00') });
  expect(await isSame(bank, told)).toBe(true);
  await expect(forecast(bank, { to: at('2026-11-23T10:04:00+01:00') })).rejects.toMatchObject({
    faults: [{ code: 'BAD_REQUEST' }],
  });
});

test.each<[string, (bank: Bank) => Promise<unknown>]>([
  ['a payment', (bank) => paySigned(bank, { from: 'even', to: 'anne', amount: '1.00' }, localDate('2026-12-01'))],
  ['a quirk that is switched', (bank) => switchQuirks(bank, () => noQuirks)],
  ['the clock, moved forward', (bank) => advanceClock(bank, at('2026-11-24T10:00:00+01:00'))],
  ['the clock, set to run', (bank) => setClock(bank, { now: null, mode: 'running', rate: 1 })],
  ['a reset', (bank) => resetBank(bank)],
])('D3e: a forecast is made anew after %s', async (_, change) => {
  await using bank = await lived();
  const told = await forecast(bank, { to });
  expect(await isSame(bank, told)).toBe(true);
  await change(bank);
  expect(await isSame(bank, told)).toBe(false);
});

test('D3e: a longer forecast that is kept tells what a shorter one told, whatever its end', async () => {
  await using bank = await lived();
  const ends = [
    at(now),
    ...['2026-11-23', '2026-11-30', '2026-12-01', '2026-12-15', '2026-12-31', '2027-01-01'].flatMap((text) => {
      const day = localDate(text);
      return [startOfDay(day), at(`${text}T05:30:00+01:00`), at(`${text}T04:30:00+01:00`), startOfDay(addDays(day, 1))];
    }),
  ].filter((end) => end >= at(now));
  const told: unknown[] = [];
  // Each is longer than those before, so none of them is cut.
  for (const end of ends.toSorted()) told.push(await forecast(bank, { to: end }));
  const again: unknown[] = [];
  for (const end of ends.toSorted()) again.push(await forecast(bank, { to: end }));
  expect(again).toEqual(told);
  expect(told.at(-1)).toMatchObject({ planned: expect.arrayContaining([expect.anything()]) });
});
