import type { Habit } from './habit.ts';

export const habit: Habit = {
  group: 'failures',
  does: 'A missing or wrong signature answers 401 instead of 400',
};
