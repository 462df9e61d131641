import type { Habit } from './habit.ts';

export const habit: Habit = {
  does: 'The bank refuses undocumented spellings in signing',
};
