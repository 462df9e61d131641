import { osloDate } from '../../engine/values/instant.ts';
import { addDays } from '../../engine/values/local-date.ts';
import { withPage } from './contract.ts';
import { always } from './hearing.ts';
import type { QuirkFile } from './quirk-file.ts';

export const quirk: QuirkFile<'maintenance'> = {
  group: 'failures',
  does: "During the given time of the bank clock, every call under /v1 gets a gateway's page, 503",
  shape: (document, { to }, moment) => (moment !== null && moment.now >= to ? document : withPage(document, 503)),
  heard: always,
  // The next night: a window that has passed would be refused.
  tried: (start) => `${addDays(osloDate(start), 1)}T01:00/PT4H`,
};
