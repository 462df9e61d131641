import type { Habit } from './habit.ts';

/** The quirk `plain-json` (rules.md Q7): the content type has no charset. */
export const plainJson: Habit = {
  show: (answer) => {
    if (answer.body === undefined) return answer;
    return { ...answer, headers: { ...answer.headers, 'content-type': 'application/json' } };
  },
};
