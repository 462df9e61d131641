import { formatInstant, type Instant } from '../../values/instant.ts';
import type { Quirks } from './quirk.ts';

/** Whether the bank is closed at `now` by the quirk maintenance (rules.md Q11). */
export function isInMaintenance(quirks: Quirks, now: Instant): boolean {
  const window = quirks.get('maintenance');
  return window !== undefined && now >= window.from && now < window.to;
}

/**
 * Why a window of maintenance that is chosen at `now` has no effect, as one sentence without its full stop. Null: it has one, or there is
 * no window.
 */
export function endedMaintenance(quirks: Quirks, now: Instant): string | null {
  const window = quirks.get('maintenance');
  if (window === undefined || now < window.to) return null;
  return (
    `maintenance: the window ends at ${formatInstant(window.to)}, and the clock of the bank shows ${formatInstant(now)}; ` +
    'choose a window that ends later'
  );
}
