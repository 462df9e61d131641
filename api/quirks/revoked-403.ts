import { refusals } from './hearing.ts';
import type { QuirkFile } from './quirk-file.ts';

export const quirk: QuirkFile = {
  group: 'consents',
  does: 'The bank refuses reads with a revoked consent with 403, and offers no SCA',
  banks: ['SpareBank 1 Sør-Norge'],
  lines: {
    H40: {
      what: 'The bank refuses reads with a revoked consent with 403, and sends no `scaRedirect`.',
      seen: { register: [42], facts: ['revokedConsent'] },
      mistake: 'The client waits for the `scaRedirect` of a 401, which never comes, and tries again for ever.',
    },
  },
  shape: 'values',
  heard: refusals('reads with a consent that has ended', /^CONSENT_/),
};
