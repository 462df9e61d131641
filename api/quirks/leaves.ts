import type { QuirkFile } from './quirk-file.ts';

export const quirk: QuirkFile = {
  group: 'failures',
  does: 'From the given date on, the bank has left the platform: every call under /v1 gets a page, 404',
  lines: {
    H59: {
      what: 'A bank leaves the platform. From then on its host knows no path.',
      value: 'P30D',
      seen: { register: [66], facts: ['portalLeaving'] },
      mistake: 'The client takes the 404 for an unknown payment or account. Its consents do not move with the bank.',
    },
  },
};
