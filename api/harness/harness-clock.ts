import type { Control } from './control.ts';
import type { AdvanceStory, AdvanceTarget, BankClock, ClockState } from './types.ts';

/** The bank's clock over its control plane. */
export function harnessClock(control: Control): BankClock {
  return {
    now: async () => (await control<ClockState>('GET', '/clock')).now,
    advance: async (target) => control<AdvanceStory>('POST', '/clock/advance', bodyOf(target)),
    set: (setting) => control<ClockState>('PUT', '/clock', setting),
  };
}

/** A text that begins with P is a duration; what it then is not, the bank says. */
function bodyOf(target: AdvanceTarget): object {
  if (typeof target === 'object') return target;
  if (typeof target !== 'string') {
    const found = String(target);
    throw new Error(`advance takes a date, a duration such as P3D, or {to, by, runs, until}, and got ${found}.`);
  }
  return target.startsWith('P') ? { by: target } : { to: target };
}
