import type { Habit } from './quirk-file.ts';

export const habit: Habit = {
  group: 'dates',
  does: 'monthsOfExecution accepts 12',
  guess: { sign: /^(?:status|code) (?=.*periodic-payments).*monthsOfExecution/ },
};
