import { osloDate, type Instant } from '../../values/instant.ts';
import { addDays } from '../../values/local-date.ts';
import { runsOn, type RunSchedule, type SettlementRun } from './settlement-run.ts';

/** The n-th scheduled run after an instant, empty or not (rules.md T6), or null when it is later than `latest`. */
export function nthRunAfter(after: Instant, n: number, schedule: RunSchedule, latest: Instant): SettlementRun | null {
  const lastDay = osloDate(latest);
  let remaining = n;
  for (let day = osloDate(after); day <= lastDay; day = addDays(day, 1)) {
    const runs = runsOn(day, schedule).filter(({ at }) => at > after);
    const found = runs[remaining - 1];
    if (found !== undefined) return found.at <= latest ? found : null;
    remaining -= runs.length;
  }
  return null;
}
