import type { QuirkFile } from './quirk-file.ts';

export const quirk: QuirkFile = {
  group: 'dates',
  does: 'monthsOfExecution accepts 12',
  guess: { sign: /^(?:status|code) (?=.*periodic-payments).*monthsOfExecution/ },
};
