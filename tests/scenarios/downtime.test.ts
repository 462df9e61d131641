import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { tempFolder } from '../support/temp-folder.ts';
import { openBank } from '../../engine/open-bank.ts';
import type { Bank } from '../../engine/open-bank.ts';
import { advanceClock } from '../../engine/runs/advance-clock.ts';
import { bankNow } from '../../engine/bank/bank-context.ts';
import { calendar, knownState, manualClock } from '../lab/bank.ts';
import { brokenProofs } from '../lab/proof.ts';
import { dump } from '../lab/rows.ts';
import { osloTime } from '../support/oslo-time.ts';
import { goOn, newStory, tell } from '../support/story.ts';

const folder = tempFolder();

const begin = '2027-03-23 12:00';
const beginning = `
  pay   rent   100.00 nora -> shop on 2027-03-25            | RCVD, moved to 2027-03-30
  sign  rent                                                | ACSP
  order milk    10.00 nora -> shop Daily from 2027-03-24    | RCVD
  sign  milk                                                | ACSP
  pay   dear 12000.00 anne -> shop on 2027-03-24            | RCVD
  sign  dear                                                | ACSP
`;

function openRunning(ledger: string, wall: ReturnType<typeof manualClock>): Promise<Bank> {
  return openBank({
    ledger,
    wall,
    ids: { seed: 'counted' },
    calendar,
    knownState,
    start: { mode: 'running', now: wall.now() },
  });
}

/** What the scheduler does: carries out what is due by the bank's own time. */
async function catchUp(bank: Bank): Promise<number> {
  const now = await bank.ledger.read((reader) => bankNow(bank, reader));
  return (await advanceClock(bank, now)).runs.length;
}

describe('T5, T7: downtime', () => {
  test('a bank that was down for a week over Easter has, after catching up, the rows of one that stayed up', async () => {
    const stayed = manualClock(osloTime(begin));
    const up = await openRunning(join(folder, 'up.sqlite'), stayed);
    await goOn(newStory(up), beginning);
    for (let wall = osloTime(begin); wall <= osloTime('2027-03-30 12:00'); wall = (wall + 20 * 60_000) as typeof wall) {
      stayed.set(wall);
      await catchUp(up);
    }

    const returned = manualClock(osloTime(begin));
    const file = join(folder, 'down.sqlite');
    const before = await openRunning(file, returned);
    await goOn(newStory(before), beginning);
    await before.close();
    returned.set(osloTime('2027-03-30 12:00'));
    const after = await openRunning(file, returned);
    expect(await catchUp(after)).toBe(7);

    expect(await dump(after, ['wall'])).toEqual(await dump(up, ['wall']));
    expect(await brokenProofs(after)).toEqual({});
    await after.close();
    await up.close();
  });

  test('catching up twice does nothing the second time', async () => {
    const wall = manualClock(osloTime(begin));
    const bank = await openRunning(join(folder, 'twice.sqlite'), wall);
    await goOn(newStory(bank), beginning);
    wall.set(osloTime('2027-03-24 12:00'));
    expect(await catchUp(bank)).toBe(3);
    const rows = await dump(bank);
    expect(await catchUp(bank)).toBe(0);
    expect(await dump(bank)).toEqual(rows);
    await bank.close();
  });

  test('T4: what is signed while runs are overdue goes with the next one, not with an overdue one', async () => {
    const wall = manualClock(osloTime('2027-04-12 05:00'));
    const bank = await openRunning(join(folder, 'overdue.sqlite'), wall);
    const story = newStory(bank);
    wall.set(osloTime('2027-04-12 12:00'));
    await goOn(
      story,
      `
      pay  rent 100.00 nora -> shop | RCVD
      sign rent                     | PDNG
      at   2027-04-12 16:00         | 2027-04-12/4 settled 1; 2027-04-12/5 booked 1
      `,
    );
    await bank.close();
  });
});

describe('T6: idle', () => {
  test('empty runs leave no row, and are passed for good all the same', async () => {
    const { bank } = await tell(`
      at   2027-04-12 12:00
      at   2027-04-13 12:00         | no runs
      pay  rent 100.00 nora -> shop | RCVD
      sign rent                     | PDNG
      at   2027-04-13 13:00         | no runs
      at   2027-04-14 12:00         | 2027-04-13/4 settled 1; 2027-04-13/5 booked 1
      at   2027-04-13 12:00         | no runs
    `);
    const { settlement_run: runs } = await dump(bank);
    expect(runs).toHaveLength(2);
  });
});
