import type { Habit } from './habit.ts';

export const habit: Habit = {
  does: 'monthsOfExecution accepts 12',
  guess: { sign: /^(?:status|code) (?=.*periodic-payments).*monthsOfExecution/ },
};
