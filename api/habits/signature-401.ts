import type { Habit } from './habit.ts';

export const habit: Habit = {
  does: 'A missing or wrong signature answers 401 instead of 400',
};
