import type { QuirkFile } from './quirk-file.ts';

export const quirk: QuirkFile = {
  group: 'failures',
  does: 'A missing or wrong signature answers 401 instead of 400',
};
