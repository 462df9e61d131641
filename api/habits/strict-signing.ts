import type { Habit } from './habit.ts';

export const habit: Habit = {
  group: 'failures',
  does: 'The bank refuses undocumented spellings in signing',
};
