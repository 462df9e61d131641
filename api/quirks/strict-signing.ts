import type { Habit } from './quirk-file.ts';

export const habit: Habit = {
  group: 'failures',
  does: 'The bank refuses undocumented spellings in signing',
};
