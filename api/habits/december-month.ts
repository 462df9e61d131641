import type { Habit } from './habit.ts';

export const habit: Habit = {
  group: 'dates',
  does: 'monthsOfExecution accepts 12',
  guess: { sign: /^(?:status|code) (?=.*periodic-payments).*monthsOfExecution/ },
};
