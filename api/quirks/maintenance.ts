import type { QuirkFile } from './quirk-file.ts';

export const quirk: QuirkFile = {
  group: 'failures',
  does: "During the given time of the bank clock, every call under /v1 gets a gateway's page, 503",
};
