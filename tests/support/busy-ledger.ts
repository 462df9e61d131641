import { openBank } from '../../engine/open-bank.ts';
import type { Bank } from '../../engine/open-bank.ts';
import { frequencies } from '../../engine/time/rules/occurrences.ts';
import type { LocalDate } from '../../engine/values/local-date.ts';
import { calendar, knownState, manualClock } from '../lab/bank.ts';
import { order, pay, sign, type Person } from '../lab/payments.ts';
import { osloTime } from './oslo-time.ts';

const begin = osloTime('2027-03-22 12:00');

/** The end of a long settlement on a ledger of {@link layBusyLedger}. */
export const busyEnd = osloTime('2027-05-20 00:00');

/** A bank on a file, its clock frozen; every process that opens the file asks for the same. */
export function openBusy(ledger: string): Promise<Bank> {
  return openBank({
    ledger,
    wall: manualClock(begin),
    ids: { seed: 'counted' },
    calendar,
    knownState,
    start: { mode: 'frozen', now: begin },
  });
}

/** Lays a ledger with standing orders of every frequency and single payments, some of which lack funds. */
export async function layBusyLedger(ledger: string): Promise<void> {
  const bank = await openBusy(ledger);
  const debtors: readonly Person[] = ['nora', 'anne', 'kari', 'per'];
  for (let index = 0; index < 60; index += 1) {
    const from = debtors[index % debtors.length] ?? 'nora';
    const amount = `${5 + (index % 7)}.${String(index).padStart(2, '0')}`;
    const { payment } =
      index % 3 === 0
        ? await pay(
            bank,
            { from, to: 'even', amount },
            `2027-04-${String(1 + (index % 30)).padStart(2, '0')}` as LocalDate,
          )
        : await order(
            bank,
            { from, to: index % 2 === 0 ? 'even' : 'shop', amount },
            {
              frequency: index % 5 === 0 ? (frequencies[index % 8] ?? 'Daily') : 'Daily',
              startDate: '2027-03-23' as LocalDate,
            },
          );
    await sign(bank, payment.resource_id, from);
  }
  await bank.close();
}
