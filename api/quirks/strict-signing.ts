import type { QuirkFile } from './quirk-file.ts';

export const quirk: QuirkFile = {
  group: 'failures',
  does: 'The bank refuses undocumented spellings in signing',
  shape: 'values',
};
