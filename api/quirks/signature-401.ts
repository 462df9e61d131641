import type { Habit } from './quirk-file.ts';

export const habit: Habit = {
  group: 'failures',
  does: 'A missing or wrong signature answers 401 instead of 400',
};
