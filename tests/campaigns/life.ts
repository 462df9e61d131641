import type { Bank } from '../../engine/open-bank.ts';
import { hashLedger } from '../../engine/bank/change-state.ts';
import { readClock } from '../../engine/bank/read-clock.ts';
import { saveSnapshot } from '../../engine/bank/snapshots.ts';
import { proveLedger } from '../../engine/proof/prove-ledger.ts';
import { restoreSnapshot } from '../../engine/reset-and-restore.ts';
import { advanceClock } from '../../engine/runs/advance-clock.ts';
import { type Instant, osloDate, startOfDay } from '../../engine/values/instant.ts';
import { addDays, localDate, type LocalDate } from '../../engine/values/local-date.ts';
import { firstDifference, lookThenGo } from '../lab/forecast-and-fact.ts';
import { inhabited, residentsOf } from '../lab/lived-bank.ts';
import { dayAfter } from '../lab/simulation/days.ts';
import { lifeDifferences } from '../lab/simulation/lived.ts';
import type { Seeded } from '../lab/seeded.ts';
import { type Campaign, demand, demandBooks, type Search } from './campaign.ts';

/** Accounts live so long before others do. */
const [yearsAtOnce, daysOfYear] = [5, 365];
const [minute, hour, minutesOfDay] = [60_000, 3_600_000, 24 * 60];
/** Number of days from 2027 on whose five years, and their past, the calendar covers. */
const daysCovered = 60 * daysOfYear;

/** Days after which each reservation has been booked, or has lapsed: over Easter no bank books for five. */
const longestReserved = 9;

/** What a test changes: fewer accounts, a shorter year, and harm to a bank between a forecast and what happens. */
interface Change {
  /** Accounts of each persona. */
  readonly ofEach: number;
  /** Length of a year. */
  readonly days?: number;
  readonly meanwhile?: (bank: Bank) => Promise<void>;
}

/**
 * Accounts with a life, as many of each persona, in three banks: one advances once, one day by day, one by any steps and with snapshots that
 * are restored. All must have one hash, the proofs must hold, what was forecast of each year must have happened, and nothing else, and the files of
 * the personas must explain all (rules.md L1, L2, L9, S5, D3e).
 */
export const life: Campaign<Change> = async (search, change = { ofEach: 8 }) => {
  while (search.left() > 0) await liveYears(search, Math.min(yearsAtOnce, search.left()), change);
};

async function liveYears({ random, tally, step }: Search, years: number, change: Change): Promise<void> {
  const { ofEach, meanwhile, days = daysOfYear } = change;
  const first = localDate(dayAfter('2027-01-04', random.below(daysCovered)));
  const residents = await residentsOf(ofEach);
  const seed = String(random.below(1_000_000));
  const bank = (): Promise<Bank> => inhabited(first, residents, { seed, months: 2 });
  const [once, daily, anyhow] = await Promise.all([bank(), bank(), bank()]);
  const where = `the lives of the seed ${seed} from ${first} on`;
  for (let year = 0; year < years; year += 1) {
    const { now } = await readClock(daily);
    const end = startOfDay(addDays(first, (year + 1) * days));
    const { foreseen, made } = await lookThenGo(daily, (end - now) / minute, minutesOfDay, meanwhile);
    await moveAnyhow(anyhow, random, now, end);
    await requireSound(daily, osloDate(end), where);
    const isSame = (await hashOf(daily)) === (await hashOf(anyhow));
    demand(isSame, `${where}: another hash by other steps in year ${year + 1}`);
    const difference = firstDifference(foreseen, made);
    demand(difference === null, `${where}: ${difference}`);
    tally('planned', made.lived.length);
    // The last year is done when all three banks have been compared.
    if (year < years - 1) step();
  }
  await advanceClock(once, startOfDay(addDays(first, years * days)));
  demand((await hashOf(once)) === (await hashOf(daily)), `${where}: another hash by one advance`);
  const differences = await lifeDifferences(daily, addDays(first, years * days));
  demand(differences.length === 0, () => `${where}: ${differences.slice(0, 5).join('; ')}`);
  tally('accounts', residents.length);
  await Promise.all([once, daily, anyhow].map((each) => each.close()));
  step();
}

/** Steps of hours to weeks; now and then the bank goes back to a snapshot and does it again. */
async function moveAnyhow(bank: Bank, random: Seeded, from: Instant, end: Instant): Promise<void> {
  for (let now: number = from; now < end;) {
    const next = Math.min(end, now + (1 + random.below(20 * 24)) * hour) as Instant;
    if (random.below(4) === 0) {
      await saveSnapshot(bank, 'before');
      await advanceClock(bank, Math.min(end, next + random.below(40 * 24) * hour) as Instant);
      await restoreSnapshot(bank, 'before');
    }
    await advanceClock(bank, next);
    now = next;
  }
}

function hashOf(bank: Bank): Promise<string> {
  return hashLedger(bank, 'left-out');
}

async function requireSound(bank: Bank, today: LocalDate, where: string): Promise<void> {
  await demandBooks(bank, `, ${where}`);
  const { ok, reservations } = await proveLedger(bank);
  demand(ok, `${where}: the proof fails`);
  const days = reservations.map(({ valueDate }) => valueDate).toSorted();
  const oldest = days[0] ?? today;
  const isRecent = oldest >= addDays(today, -longestReserved);
  demand(isRecent, `${where}: what was reserved on ${oldest} has not ended by ${today}`);
}
