import { lists } from './hearing.ts';
import type { QuirkFile } from './quirk-file.ts';

export const quirk: QuirkFile = {
  group: 'dates',
  does: 'Pending transactions are filtered by date and limit too',
  shape: 'values',
  heard: lists,
};
