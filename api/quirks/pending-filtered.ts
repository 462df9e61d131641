import type { Habit } from './quirk-file.ts';

export const habit: Habit = {
  group: 'dates',
  does: 'Pending transactions are filtered by date and limit too',
  guess: { sign: /^(?:extra|absent) .*pending\[\] / },
};
