import type { Bank } from '../../engine/bank.ts';
import { hashLedger } from '../../engine/bank/change-state.ts';
import { saveSnapshot } from '../../engine/bank/snapshots.ts';
import type { PlannedEvent } from '../../engine/runs/list-runs.ts';
import { proveLedger } from '../../engine/proof/prove-ledger.ts';
import { restoreSnapshot } from '../../engine/reset-and-restore.ts';
import { advanceClock } from '../../engine/runs/advance-clock.ts';
import { forecast } from '../../engine/runs/forecast.ts';
import { inspectAccount } from '../../engine/sandbox-data/inspect-accounts.ts';
import { type Instant, osloDate, startOfDay } from '../../engine/values/instant.ts';
import { addDays, localDate, type LocalDate } from '../../engine/values/local-date.ts';
import { inhabited, type Resident, residentsOf, shortOfFunds } from '../lab/lived-bank.ts';
import { dayAfter } from '../lab/simulation/days.ts';
import { lifeDifferences } from '../lab/simulation/lived.ts';
import type { Seeded } from '../lab/seeded.ts';
import { type Campaign, demand, demandBooks, type Soak } from './campaign.ts';

const daysOfYear = 365;
const hour = 3_600_000;
/** Number of days from 2027 on whose five years, and their past, the calendar covers. */
const daysCovered = 60 * daysOfYear;

/** Days after which each reservation has been booked, or has lapsed: over Easter no bank books for five. */
const longestReserved = 9;

/** What a test changes: fewer accounts, and harm to a bank before a day. */
interface Change {
  /** Accounts of each persona. */
  readonly ofEach: number;
  readonly eachDay?: (bank: Bank, day: number) => Promise<void>;
}

/**
 * Accounts with a life, as many of each persona, in three banks: one advances once, one day by day, one by any steps and with snapshots that
 * are restored. All must have one hash, the proofs must hold, what was forecast must have happened, and the files of the personas must explain all
 * (rules.md L1, L2, L9, S5).
 */
export const life: Campaign<Change> = { unit: 'years', usualCount: 20, run };

async function run({ count, random, step, tally }: Soak, { ofEach, eachDay }: Change = { ofEach: 10 }): Promise<void> {
  const first = localDate(dayAfter('2027-01-04', random.below(daysCovered)));
  const residents = await residentsOf(ofEach);
  const seed = String(random.below(1_000_000));
  const bank = (): Promise<Bank> => inhabited(first, residents, { seed, months: 2 });
  const [once, daily, anyhow] = await Promise.all([bank(), bank(), bank()]);
  const where = `the lives of the seed ${seed} from ${first} on`;
  for (let year = 0; year < count; year += 1) {
    const [from, end] = [addDays(first, year * daysOfYear), startOfDay(addDays(first, (year + 1) * daysOfYear))];
    const { planned } = await forecast(daily, { to: end });
    for (let day = 1; day <= daysOfYear; day += 1) {
      await eachDay?.(daily, year * daysOfYear + day);
      await advanceClock(daily, startOfDay(addDays(from, day)));
    }
    await moveAnyhow(anyhow, random, startOfDay(from), end);
    await requireSound(daily, osloDate(end), where);
    const isSame = (await hashOf(daily)) === (await hashOf(anyhow));
    demand(isSame, `${where}: another hash by other steps in year ${year + 1}`);
    tally('planned', await requireHappened(daily, residents, planned, from, where));
    step();
  }
  await advanceClock(once, startOfDay(addDays(first, count * daysOfYear)));
  demand((await hashOf(once)) === (await hashOf(daily)), `${where}: another hash by one advance`);
  const differences = await lifeDifferences(daily, addDays(first, count * daysOfYear));
  demand(differences.length === 0, () => `${where}: ${differences.slice(0, 5).join('; ')}`);
  tally('accounts', residents.length);
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

/** Requires a booking on its day for everything that was forecast. Returns how much it was. */
async function requireHappened(
  bank: Bank,
  residents: readonly Resident[],
  planned: readonly PlannedEvent[],
  from: LocalDate,
  where: string,
): Promise<number> {
  for (const { number, persona } of residents) {
    const { entries } = await inspectAccount(bank, number, { from, to: addDays(from, daysOfYear) });
    const booked = new Set(entries.map(({ bookingDate, amount }) => `${bookingDate} ${amount.minor}`));
    for (const { account, date, amount, event } of planned) {
      const mayFail = persona.name === shortOfFunds && amount.minor < 0n;
      if (account !== number || mayFail) continue;
      const isBooked = booked.has(`${date} ${amount.minor}`);
      demand(isBooked, `${where}: ${event} of ${number} on ${date} was forecast and did not happen`);
    }
  }
  return planned.length;
}
