import { calls } from './hearing.ts';
import type { QuirkFile } from './quirk-file.ts';

export const quirk: QuirkFile = {
  group: 'requests',
  does: 'The status of an NDCT payment can be read before the PSU has approved it',
  banks: ['SpareBank 1 Sør-Norge'],
  lines: {
    H1: {
      what: 'The status of a payment can be read before the PSU has approved the payment. It is RCVD.',
      seen: { register: [48], facts: ['statusBeforeApproval'] },
      mistake: 'The client expects the 403 of one bank, or the RCVD of another, from every bank.',
    },
  },
  shape: 'values',
  heard: calls('reads the status of a payment', /^GET \/v1\/.*\/status$/),
};
