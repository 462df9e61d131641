import { pays } from './hearing.ts';
import type { QuirkFile } from './quirk-file.ts';

export const quirk: QuirkFile = {
  group: 'requests',
  does: 'A BBAN of a Norwegian payment must pass the mod-11 check',
  shape: 'values',
  heard: pays,
};
