import type { Control } from './control.ts';
import { instantGiven, isDate, isPromise, membersGiven, textGiven, wrongGiven } from './given.ts';
import type { AdvanceStory, BankClock, ClockSetting, ClockState } from './types.ts';

/** The bank's clock over its control plane. */
export function harnessClock(control: Control): BankClock {
  return {
    now: async () => (await control<ClockState>('GET', '/clock')).now,
    advance: async (target) => control<AdvanceStory>('POST', '/clock/advance', bodyOf(target)),
    set: async (setting) => control<ClockState>('PUT', '/clock', settingOf(setting)),
  };
}

const wanted = 'a date, an instant, a duration such as P3D, or {to, by, runs, until}';

/** A text that begins with P is a duration, any other a date or an instant; the bank checks it. */
function bodyOf(target: unknown): object {
  if (typeof target !== 'object' || target === null || isDate(target) || isPromise(target)) {
    const text = instantGiven('clock.advance', wanted, target);
    return text.startsWith('P') ? { by: text } : { to: text };
  }
  if ('to' in target) return { ...target, to: instantGiven('clock.advance', 'an instant in to', target.to) };
  if (!('until' in target)) return target;
  const { until } = target;
  if (typeof until !== 'object' || until === null) {
    throw wrongGiven('clock.advance', 'a {paymentId, status} in until', until);
  }
  textGiven('clock.advance', 'a paymentId in until', 'paymentId' in until ? until.paymentId : undefined);
  return target;
}

function settingOf(setting: ClockSetting): object {
  membersGiven('clock.set', ['now', 'mode', 'rate'], setting);
  const { now, ...others } = setting;
  return now === undefined ? others : { ...others, now: instantGiven('clock.set', 'an instant in now', now) };
}
